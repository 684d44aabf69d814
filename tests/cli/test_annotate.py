from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie

CHARACTERS = ("--segmenter", "builtins:list")


def _annotate(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, ["annotate", *map(str, arguments)])


def _records(path: Path) -> list[dict[str, Any]]:
    return list(map(orjson.loads, path.read_bytes().splitlines()))


def _annotation(record: dict[str, Any], tokens: list[str] | str, **rest: Any) -> dict[str, Any]:
    """What an annotator returns for a proposals record."""
    from cijie.corpora.segmentations import source_checksum

    return {
        "id": record["id"],
        "source_sha256": source_checksum(record["source"]),
        "reference": record["reference"],
        "target_sha256": source_checksum(record["target"]),
        "tokens": record["proposals"][tokens] if isinstance(tokens, str) else tokens,
        "flag": False,
        "comment": "",
        "done": True,
    } | rest


def _write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Proposals, and what annotators A and B made of them."""
    rows = "1\t么什\t什么\n2\t天气\t没有错误\n3\t旅行困\t旅行的人\t旅行团\n4\t好\t很好\n"
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(rows, encoding="utf-8")
    result = _annotate("propose", pairs, "-o", tmp_path / "proposals.jsonl", *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[:2] == [
        "3 pairs; 1 row without error left out",
        "proposals: direct, p1, p2, p3; they differ in 0 sentences",
    ]
    first, second, third = _records(tmp_path / "proposals.jsonl")
    assert second["reference"] == 2
    for name, tokens in (("A", ["旅行困"]), ("B", ["旅行", "困"])):
        annotations = [
            _annotation(first, "p1"),
            _annotation(second, tokens),
            _annotation(third, "p1", flag=name == "A", comment="？"),
        ]
        _write(tmp_path / f"{name}.jsonl", annotations)
    return tmp_path


def test_from_proposals_to_gold(folder: Path) -> None:
    proposals, a, b = (folder / f"{name}.jsonl" for name in ("proposals", "A", "B"))
    unanimous, sheet, gold = (folder / f"{name}.jsonl" for name in ("unanimous", "sheet", "gold"))
    result = _annotate("merge", proposals, a, b, "-o", unanimous, "--sheet", sheet)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines() == [
        "3 sentences",
        "1 unanimous; 2 to adjudicate, 1 of them flagged only; 1 region with differences",
    ]
    [agreed] = _records(unanimous)
    assert set(agreed) == {"id", "source_sha256", "reference", "target_sha256", "spans"}
    differing, flagged = _records(sheet)
    assert differing["proposals"] == {"A": [[0, 3]], "B": [[0, 2], [2, 3]]}
    assert (differing["regions"], flagged["regions"]) == ([[0, 3]], [])

    answers = [
        _annotation(differing, "A", annotator="J"),
        _annotation(flagged, "A", annotator="J"),
    ]
    path = _write(folder / "answers.jsonl", answers[:1])
    arguments = "adjudicate", sheet, path, "--unanimous", unanimous, "-o", gold
    result = _annotate(*arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: id 4: 1 sentence without adjudication")
    assert not gold.exists()
    _write(path, answers)
    result = _annotate(*arguments)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines() == [
        "3 sentences: 1 unanimous, 2 adjudicated, 0 of them flagged",
        "1 region; as A: 1; as B: 0; otherwise: 0",
    ]
    assert [(record["id"], record["spans"]) for record in _records(gold)] == [
        ("1", [[0, 1], [1, 2]]),
        ("3", [[0, 3]]),
        ("4", [[0, 1]]),
    ]
    # What is gold is read by `cijie evaluate`, with the texts from elsewhere.
    scored = CliRunner().invoke(
        cijie, ["evaluate", str(gold), str(a), "--pairs", str(folder / "pairs.tsv")]
    )
    assert scored.exit_code == 0, scored.stderr
    # A sentence cannot be both agreed upon and contested.
    again = _annotate("adjudicate", sheet, path, "--unanimous", gold)
    assert again.exit_code == 1
    assert f"{gold}:2: id 3: both unanimous and to be adjudicated" in again.stderr


def test_agreement(folder: Path) -> None:
    a, b = folder / "A.jsonl", folder / "B.jsonl"
    result = _annotate("agreement", folder / "pairs.tsv", a, b)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[:5] == [
        "Agreement of 2 annotators on boundaries; 2 of 3 sentences alike",
        "region       positions  pairwise F1   alpha  Fleiss",
        "all                  3       0.6667  0.4444  0.3333",
        "near errors          3       0.6667  0.4444  0.3333",
        "elsewhere            0       0.0000     nan     nan",
    ]
    assert result.stderr == "3 sentences\n"
    out = folder / "out.json"
    result = _annotate(
        "agreement", folder / "proposals.jsonl", a, b, "--format", "json", "-o", out, "-q"
    )
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    assert orjson.loads(out.read_bytes())["words"] == {"A": 4, "B": 5}


def test_annotators_who_have_not_done_the_same(folder: Path) -> None:
    first, second, third = _records(folder / "B.jsonl")
    _write(folder / "B.jsonl", [first | {"done": False}, second])
    _write(folder / "A.jsonl", _records(folder / "A.jsonl")[:2])
    files = folder / "pairs.tsv", folder / "A.jsonl", folder / "B.jsonl"
    result = _annotate("agreement", *files)
    assert result.exit_code == 1
    assert result.stderr.endswith(
        "id 1: B has not annotated 1 sentence, of which this is the first; "
        "--intersection takes only those that all have annotated\n"
    )
    result = _annotate("agreement", *files, "--intersection")
    assert result.exit_code == 0
    assert result.stderr == (
        "1 sentence; 1 sentence of A left out; 1 sentence that nobody annotated left out; "
        "1 unfinished annotation left out\n"
    )
    assert third["comment"] == "？"


def test_other_segmentations_are_proposed_under_the_names_of_their_files(folder: Path) -> None:
    for name, method in (("p1", "direct"), ("mine", "p1")):
        arguments = ["recover", folder / "pairs.tsv", "-o", folder / f"{name}.jsonl", "--method"]
        arguments += [method, *CHARACTERS]
        assert CliRunner().invoke(cijie, list(map(str, arguments))).exit_code == 0
    out = folder / "out.jsonl"
    systems = "--system", folder / "p1.jsonl", "--system", folder / "mine.jsonl"
    for methods, names in (((), ["p1", "mine"]), (("--method", "p1"), ["p1", "p1-2", "mine"])):
        result = _annotate(
            "propose", folder / "pairs.tsv", *methods, *systems, "-o", out, "-q", *CHARACTERS
        )
        assert result.exit_code == 0, result.stderr
        assert list(_records(out)[0]["proposals"]) == names
    short = _write(folder / "short.jsonl", _records(folder / "p1.jsonl")[:2])
    result = _annotate("propose", folder / "pairs.tsv", "--system", short, *CHARACTERS)
    assert result.exit_code == 1
    assert result.stderr == "Error: id 4: short has no such sentence\n"


def test_the_least_sure_come_first(tmp_path: Path) -> None:
    doubtful = {"source_tokens": ["不", "会", "去"], "target_tokens": ["不要", "去"]}
    records = [
        {"id": "sure", "source": "好", "target": "好"},
        {"id": "unsure", "source": "不会去", "target": "不要去", **doubtful},
        {"id": "sure too", "source": "天", "target": "天"},
    ]
    pairs = _write(tmp_path / "pairs.jsonl", records)
    out = tmp_path / "proposals.jsonl"
    options = ("--least-sure-first", "-o", out, *CHARACTERS)
    assert _annotate("propose", pairs, "--method", "p3", *options).exit_code == 0
    assert [record["id"] for record in _records(out)] == ["unsure", "sure", "sure too"]
    assert _annotate("propose", pairs, "--method", "p2", *options).exit_code == 2


def test_wrong_usage(folder: Path) -> None:
    a, b, proposals = (folder / f"{name}.jsonl" for name in ("A", "B", "proposals"))
    assert _annotate("merge", proposals, a, b).exit_code == 2
    same = "-o", folder / "x.jsonl", "--sheet", folder / "x.jsonl"
    assert _annotate("merge", proposals, a, b, *same).exit_code == 2
    assert _annotate("merge", proposals, a, b, "-o", "-", "--sheet", a).exit_code == 2
    assert _annotate("agreement", proposals).exit_code == 2
    assert _annotate("agreement", proposals, a, b, "-o", b).exit_code == 2
    result = _annotate("agreement", proposals, a)
    assert result.exit_code == 1
    assert result.stderr == "Error: two annotators are needed, not A\n"


def test_a_page(folder: Path) -> None:
    sheet, out = folder / "proposals.jsonl", folder / "page.html"
    result = _annotate("page", sheet, "-o", out, "--annotator", "A", "--start", "none")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "3 sentences to annotate\n"
    assert "<h1>学习者句子的分词规范</h1>" in out.read_text(encoding="utf-8")
    assert _annotate("page", sheet, "-o", sheet, "--annotator", "A").exit_code == 2
    assert _annotate("page", sheet, "-o", out, "--annotator", " ").exit_code == 2
    result = _annotate("page", sheet, "-o", out, "--annotator", "A", "--start", "p9")
    assert result.exit_code == 1
    assert (
        result.stderr == f"Error: {sheet}: id 1: no proposal 'p9': there are direct, p1, p2, p3\n"
    )
