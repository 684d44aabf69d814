"""`cijie annotate` with annotations and segmentations that were made elsewhere."""

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


def _write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    rows = "1\t么什\t什么\n2\t天气\t没有错误\n3\t旅行困\t旅行的人\t旅行团\n4\t好\t很好\n"
    path.write_text(rows, encoding="utf-8")
    return path


@pytest.fixture
def study(pairs: Path, tmp_path: Path) -> Path:
    """A study with annotations by A and B that were made elsewhere: ids and words, no more."""
    folder = tmp_path / "study"
    result = _annotate("start", pairs, "--annotators", "A,B", "-o", folder, *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[:2] == [
        "3 pairs; 1 row without error left out",
        "proposals: direct, p1, p2, p3; they differ in 0 sentences",
    ]
    for name, words in (("A", ["旅行困"]), ("B", ["旅行", "困"])):
        annotations = [
            {"id": "1", "words": ["么", "什"]},
            {"id": "3", "words": words},
            {"id": "4", "spans": [[0, 1]], "flag": name == "A", "comment": "？"},
        ]
        _write(folder / f"annotation-{name}.jsonl", annotations)
    return folder


def test_annotations_made_elsewhere(study: Path, pairs: Path) -> None:
    result = _annotate("merge", study)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[:2] == [
        "3 sentences",
        "1 unanimous; 2 to adjudicate, 1 of them flagged only; 1 region with differences",
    ]
    differing, flagged = _records(study / "to-adjudicate.jsonl")
    assert differing["proposals"] == {"A": [[0, 3]], "B": [[0, 2], [2, 3]]}
    assert (differing["regions"], flagged["regions"]) == ([[0, 3]], [])

    answers = [{"id": "3", "words": ["旅行困"]}, {"id": "4", "words": ["好"]}]
    path = _write(study / "adjudication-J.jsonl", answers[:1])
    result = _annotate("adjudicate", study)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: id 4: 1 sentence without adjudication")
    assert not (study / "gold.jsonl").exists()
    _write(path, [*answers, {"id": "1", "words": ["么什"]}])
    result = _annotate("adjudicate", study)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {path}:3: id 1: unknown sentence: the sheet has no such id\n"
    _write(path, answers)
    result = _annotate("adjudicate", study)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[:2] == [
        "3 sentences: 1 unanimous, 2 adjudicated, 0 of them flagged",
        f"next: cijie evaluate {study}/gold.jsonl RESULTS --pairs {study}/proposals.jsonl",
    ]
    gold = study / "gold.jsonl"
    assert [(record["id"], record["spans"]) for record in _records(gold)] == [
        ("1", [[0, 1], [1, 2]]),
        ("3", [[0, 3]]),
        ("4", [[0, 1]]),
    ]
    # `cijie evaluate` reads what is gold, with the texts from elsewhere, and says how often the
    # adjudicator decided as each annotator had.
    systems = [str(study / f"annotation-{name}.jsonl") for name in "AB"]
    scored = CliRunner().invoke(cijie, ["evaluate", str(gold), *systems, "--pairs", str(pairs)])
    assert scored.exit_code == 0, scored.stderr
    assert "annotation-A      1  100.0%" in scored.stdout


def test_agreement(study: Path, tmp_path: Path) -> None:
    result = _annotate("agreement", study)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[:3] == [
        "Agreement of 2 annotators on 3 places; 2 of 3 sentences identical",
        "annotators  pairwise F1   alpha   kappa",
        "A, B             0.6667  0.4444  0.4000",
    ]
    assert result.stdout.splitlines()[-4:-2] == [
        "A              4                0   0.00               -     -       -",
        "B              5                0   0.00               -     -       -",
    ]
    assert result.stderr.splitlines()[0] == "3 sentences"
    out = tmp_path / "out.json"
    result = _annotate("agreement", study, "--format", "json", "-o", out, "-q")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    record = orjson.loads(out.read_bytes())
    assert {name: work["words"] for name, work in record["work"]["rows"].items()} == {
        "A": 4,
        "B": 5,
    }


def test_annotators_who_have_not_done_the_same(study: Path) -> None:
    a, b = study / "annotation-A.jsonl", study / "annotation-B.jsonl"
    first, second, _ = _records(b)
    _write(b, [first | {"done": False}, second])
    _write(a, _records(a)[:2])
    result = _annotate("agreement", study)
    assert result.exit_code == 1
    assert result.stderr.endswith(
        "id 1: B has not annotated 1 sentence, of which this is the first; "
        "--intersection takes only those that all have annotated\n"
    )
    left_out = (
        "1 sentence; 1 sentence of A left out; 1 sentence without annotation left out; "
        "1 unfinished annotation left out"
    )
    for command in ("agreement", "merge"):
        result = _annotate(command, study, "--intersection")
        assert result.exit_code == 0
        assert result.stderr.splitlines()[0] == left_out
    assert (
        result.stderr.splitlines()[-1] == f"      cijie annotate adjudicate {study} --intersection"
    )
    _write(study / "adjudication-J.jsonl", [{"id": "3", "words": ["旅行困"]}])
    assert _annotate("adjudicate", study).exit_code == 1
    result = _annotate("adjudicate", study, "--intersection")
    assert result.exit_code == 0, result.stderr
    assert [record["id"] for record in _records(study / "gold.jsonl")] == ["3"]


def test_wrong_usage(study: Path) -> None:
    a = study / "annotation-A.jsonl"
    for command in ("merge", "agreement", "adjudicate"):
        assert _annotate(command, a).exit_code == 2
    assert _annotate("agreement", study, "-o", a).exit_code == 2
    (study / "annotation-B.jsonl").unlink()
    result = _annotate("agreement", study)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {study}: nothing by B: ")
