from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.corpora.segmentations import source_checksum
from cijie.files.opening import unique_names


def _evaluate(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cijie, ["evaluate", *map(str, arguments)], input=stdin)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Gold without text, three systems, and the pairs that they segmented."""
    sentences = {"1": "我去", "3": "旅行困了", "4": "好的"}
    gold = {"3": [[0, 3], [3, 4]], "4": [[0, 1], [1, 2]]}
    systems = {
        "d": {"1": ["我", "去"], "3": ["旅行", "困", "了"], "4": ["好", "的"]},
        "p1": {"1": ["我", "去"], "3": ["旅行困", "了"], "4": ["好", "的"]},
        "short": {"4": ["好的"]},
    }

    def write(name: str, records: list[dict[str, object]]) -> None:
        (tmp_path / name).write_bytes(b"".join(orjson.dumps(x) + b"\n" for x in records))

    write(
        "gold.jsonl",
        [
            {"id": id, "source_sha256": source_checksum(sentences[id]), "tokens": spans}
            for id, spans in gold.items()
        ],
    )
    for name, segmented in systems.items():
        write(
            f"{name}.jsonl",
            [{"id": id, "source": sentences[id], "tokens": x} for id, x in segmented.items()],
        )
        lines = "".join(" ".join(tokens) + "\n" for tokens in segmented.values())
        (tmp_path / f"{name}.txt").write_text(lines, encoding="utf-8")
    rows = "".join(f"{id}\t{text}\t{text}\n" for id, text in sentences.items())
    (tmp_path / "pairs.tsv").write_text(rows, encoding="utf-8")
    return tmp_path


def test_systems_with_more_sentences_than_gold(folder: Path) -> None:
    result = _evaluate(folder / "gold.jsonl", folder / "d.jsonl", folder / "p1.jsonl")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[:4] == [
        "Token scores (micro-averaged) and other scores",
        "system  precision  recall      F1  macro F1  boundary F1  sentence accuracy",
        "d          0.6000  0.7500  0.6667    0.7000       0.8000             0.5000",
        "p1         1.0000  1.0000  1.0000    1.0000       1.0000             1.0000",
    ]
    assert ", token-f1, #" in result.stdout.splitlines()[-1]
    assert result.stderr.splitlines() == [
        "2 sentences",
        "d: 1 sentence left out",
        "p1: 1 sentence left out",
    ]


def test_the_same_bytes_again(folder: Path) -> None:
    arguments = folder / "gold.jsonl", folder / "d.jsonl", folder / "p1.jsonl", "--format", "json"
    results = [_evaluate(*arguments, "--seed", seed, "--trials", 20) for seed in (5, 5, 6)]
    assert results[0].stdout == results[1].stdout != results[2].stdout


@pytest.mark.parametrize("result_format", ["text", "json", "tsv", "latex", "markdown"])
def test_formats_into_a_file(folder: Path, result_format: str) -> None:
    out = folder / "out"
    options = "--format", result_format, "-o", out, "-q"
    result = _evaluate(folder / "gold.jsonl", folder / "d.jsonl", *options)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert "cijie:" in out.read_text(encoding="utf-8")
    assert _evaluate(folder / "d.jsonl", out, "-o", out).exit_code == 2


def test_pairs_give_texts_and_ids(folder: Path) -> None:
    gold, pairs = folder / "gold.jsonl", ("--pairs", folder / "pairs.tsv")
    plain = _evaluate(gold, folder / "p1.txt", *pairs)
    assert plain.stdout == _evaluate(gold, folder / "p1.jsonl").stdout
    result = _evaluate(gold, folder / "p1.txt")
    assert result.exit_code == 1
    assert result.stderr.endswith("p1.txt: 3 lines for 2 sentences\n")


def test_gold_is_the_first_file(folder: Path) -> None:
    result = _evaluate(folder / "d.jsonl", folder / "gold.jsonl")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        f"Error: {folder}/d.jsonl: id 1: gold, which is the first file, has this sentence, "
        f"but {folder}/gold.jsonl does not;"
    )


def test_a_sentence_is_missing(folder: Path) -> None:
    arguments = folder / "gold.jsonl", folder / "d.jsonl", folder / "short.jsonl"
    result = _evaluate(*arguments)
    assert result.exit_code == 1
    assert result.stderr == (
        f"Error: {folder}/gold.jsonl: id 3: gold, which is the first file, has this sentence, "
        f"but {folder}/short.jsonl does not; --intersection skips it\n"
    )
    result = _evaluate(*arguments, "--intersection")
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "1 sentence",
        "gold: 1 sentence left out",
        "d: 2 sentences left out",
    ]


def test_the_same_system_twice_and_standard_input(folder: Path) -> None:
    stdin = (folder / "d.jsonl").read_bytes()
    files = (folder / "gold.jsonl", folder / "d.jsonl", folder / "d.jsonl", "-")
    result = _evaluate(*files, stdin=stdin)
    assert result.exit_code == 1
    assert "--from jsonl reads it" in result.stderr
    result = _evaluate(*files, "--from", "jsonl", stdin=stdin)
    names = [line.split()[0] for line in result.stdout.splitlines()[2:5]]
    assert names == ["d", "d-2", "stdin"]
    assert _evaluate("-", "-", stdin=stdin).exit_code == 2


def test_links_are_counted(folder: Path) -> None:
    recover = ["recover", folder / "pairs.tsv", "-o", folder / "r.jsonl", "--method", "p1"]
    arguments = [*map(str, recover), "--segmenter", "builtins:list"]
    assert CliRunner().invoke(cijie, arguments).exit_code == 0
    result = _evaluate(folder / "gold.jsonl", folder / "r.jsonl", "--format", "json")
    [system] = orjson.loads(result.stdout)["links"]["rows"].values()
    assert system["source coverage"] == 1


def test_other_targets_than_those_of_gold_are_refused(folder: Path) -> None:
    gold = {"id": "3", "spans": [[0, 3], [3, 4]], "target_sha256": source_checksum("旅行团了")}
    (folder / "gold.jsonl").write_bytes(orjson.dumps(gold))
    given = folder / "gold.jsonl", folder / "d.jsonl", "--pairs", folder / "pairs.tsv"
    result = _evaluate(*given)
    assert result.exit_code == 1
    assert "id 3: gold was made with another target" in result.stderr
    assert _evaluate(*given, "--any-target").exit_code == 0


def test_wrong_usage(folder: Path) -> None:
    gold = folder / "gold.jsonl"
    assert _evaluate(gold).exit_code == 2
    assert _evaluate(gold, folder / "none.jsonl").exit_code == 2
    assert _evaluate(gold, folder / "d.jsonl", "--trials", 0).exit_code == 2


def test_names_of_files_that_are_not_utf_8() -> None:
    assert unique_names(["a/\udcff.txt", "\udcff.jsonl"]) == ["\ufffd", "\ufffd-2"]


def test_m2_is_for_score(tmp_path: Path) -> None:
    path = tmp_path / "a.m2"
    path.write_text("S 我 去\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    result = _evaluate(path, path)
    assert result.exit_code == 1
    assert f"{path}: expected words, got M2; score its edits with `cijie score`" in result.stderr
