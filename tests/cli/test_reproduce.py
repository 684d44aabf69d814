from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.corpora.segmentations import source_checksum

EXHIBITS = (
    *("claims", "benchmarks", "selection", "table-1", "table-2", "table-3", "links", "readings"),
    *("patterns", "ibm", "tuning", "synthetic", "failures"),
)
SENTENCES = ("旅行困 旅行团", "么什 什么", "何边 河边", "己经 已经", "狠好 很好", "参加 参加了")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, ["reproduce", *(str(argument) for argument in arguments)])


@pytest.fixture
def given(tmp_path: Path) -> list[object]:
    """Options: six pairs, gold for five, one word a character, so that no model is loaded."""
    pairs, gold, corpus = (tmp_path / name for name in ("pairs.tsv", "gold.jsonl", "corpus.txt"))
    rows = [f"{n}\t{line.replace(' ', chr(9))}\n" for n, line in enumerate(SENTENCES)]
    pairs.write_text("".join(rows), encoding="utf-8")
    records = [
        {"id": str(n), "tokens": [[0, len(line.split()[0])]]}
        for n, line in enumerate(SENTENCES[:-1])
    ]
    gold.write_bytes(b"\n".join(map(orjson.dumps, records)))
    corpus.write_text("我们 昨天 参加 了 旅行团 。\n弟弟 在 河边 捡到 石头 。\n", encoding="utf-8")
    return [
        *("--pairs", pairs, "--gold", gold, "--synthetic", corpus, "--trials", 9),
        *("--segmenter", "builtins:list"),
    ]


def test_one_command_writes_everything_and_the_same_each_time(
    given: list[object], tmp_path: Path
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    result = run(*given, "-o", first)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("5 pairs; 1 pair without gold left out\ncijie ")
    assert result.stderr.splitlines()[-1].endswith(" s")
    # Another process, which orders sets differently.
    command = [sys.executable, "-m", "cijie", "reproduce", *map(str, given), "-q", "-o", second]
    done = subprocess.run(
        command,
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        text=True,
    )
    assert (done.stdout, done.stderr) == ("", "")
    written = {path.name: path.read_bytes() for path in first.iterdir()}
    assert written == {path.name: path.read_bytes() for path in second.iterdir()}
    figures = {
        f"{name}.{kind}" for name in ("synthetic", "tuning") for kind in ("pdf", "png", "svg")
    }
    assert figures < set(written)
    page = written["index.html"].decode()
    for exhibit in EXHIBITS:
        assert {f"{exhibit}.tsv", f"{exhibit}.tex"} <= set(written)
        assert f'<section id="{exhibit}">' in page
    assert page.count("<section") == len(EXHIBITS)


def test_the_benchmarks_can_be_chosen(given: list[object], tmp_path: Path) -> None:
    votes = tmp_path / "votes.jsonl"
    pairs = Path(str(given[1]))
    # The voters choose the second correction of one sentence, and none of the other.
    sources = {"9": ("他今天不来。", [2]), "10": ("你今天不来。", [])}
    with pairs.open("a", encoding="utf-8") as file:
        for id, (source, _) in sources.items():
            file.write(f"{id}\t{source}\t{source[0]}今天不好。\t今天{source[0]}不会来。\n")
    cast = [
        {"id": id, "source_sha256": source_checksum(source), "references": chosen, "comment": ""}
        for id, (source, chosen) in sources.items()
    ]
    votes.write_bytes(
        b"\n".join(orjson.dumps(vote | {"annotator": name}) for vote in cast for name in "ABC")
    )
    treebank = tmp_path / "ctb"
    treebank.mkdir()
    for number in (399, 400, 550):
        file = treebank / f"chtb_{number}.seg"
        file.write_text(f"<S ID=1>\n我们 去 过 {number} 次\n</S>\n", encoding="gb18030")
    given[given.index("--synthetic") + 1] = treebank
    chosen = (
        *("--votes", votes, "--noise", "similar", "--join-rule", "endpoints"),
        *("--files", "400-550", "--sentences", 1, "--kinds", "drawn", "--correction", "selected"),
    )
    before = len(pairs.read_text(encoding="utf-8").splitlines()) - len(sources)
    result = run(*given, *chosen, "-o", tmp_path / "out", "--signature", "long")
    assert result.exit_code == 0, result.stderr
    values = {
        tuple(line.split("\t")[:3]): line.split("\t")[3]
        for line in (tmp_path / "out" / "selection.tsv").read_text().splitlines()
    }
    assert values["selection", "votes, where they disagree", "sentences"] == "2"
    assert values["selection", "votes: unanimous", "sentences"] == "2"
    page = (tmp_path / "out" / "index.html").read_text()
    assert "Targets are sentences of ctb (1)" in page
    assert "(similar:glyph=" in page
    assert "kinds drawn)" in page
    assert "the corrections that were chosen so" in page
    # The sentence without a good correction is left out.
    assert f"|pairs:{before + 1}:" in result.stderr
    assert "Everything else on this page is endpoints." in page
    assert "join:endpoints" in result.stderr


def test_without_a_corpus_there_is_no_synthetic_benchmark(
    given: list[object], tmp_path: Path
) -> None:
    at = given.index("--synthetic")
    result = run(
        *given[:at],
        *given[at + 2 :],
        "-o",
        tmp_path / "out",
        "--position",
        "local",
        "--signature",
        "long",
    )
    assert result.exit_code == 0, result.stderr
    assert "pos=0.3:local" in result.stderr
    assert "no synthetic benchmark without --synthetic CORPUS" in result.stderr
    assert not (tmp_path / "out" / "synthetic.svg").exists()


def test_it_refuses_what_it_cannot_do(given: list[object], tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    result = run(*given, "-o", tmp_path / "full")
    assert result.exit_code == 2
    assert "not an empty folder" in result.stderr
    (tmp_path / "gold.jsonl").write_text('{"id": "1", "tokens": [[0, 2]]}')
    result = run(*given, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "too few for 5 folds" in result.stderr
    assert not (tmp_path / "out").exists()
    assert run("--pairs", "-", "--gold", "-", "-o", tmp_path / "out").exit_code == 2
    single = tmp_path / "single.jsonl"
    single.write_text('{"id": "1", "source": "旅行困", "target": "旅行团"}', encoding="utf-8")
    given[1] = single
    result = run(*given, "--correction", "selected", "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "nothing can be selected among pairs with one correction each" in result.stderr
    at = given.index("--synthetic")
    for option in (("--files", "400-550"), ("--sentences", 5), ("--noise", "similar")):
        result = run(*given[:at], *given[at + 2 :], *option, "-o", tmp_path / "out")
        assert result.exit_code == 2
        assert f"{option[0]} has no effect without --synthetic" in result.stderr
