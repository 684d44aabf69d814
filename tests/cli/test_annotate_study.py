"""A study in one folder: `cijie annotate start`, `merge`, `agreement`, `adjudicate`."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result

from cijie.cli.main import cijie
from cijie.corpora.segmentations import source_checksum

from learners import dump

ROWS = "1\t么什\t什么\n3\t旅行困\t旅行的人\t旅行团\n4\t好吃\t很好吃\n"
CHARACTERS = ("--segmenter", "builtins:list")


def _cijie(*arguments: object) -> Result:
    return CliRunner().invoke(cijie, list(map(str, arguments)))


def _annotate(*arguments: object) -> Result:
    return _cijie("annotate", *arguments)


def _records(path: Path) -> list[dict[str, Any]]:
    return list(map(orjson.loads, path.read_bytes().splitlines()))


def _data(page: Path) -> dict[str, Any]:
    """The data of a page."""
    found = re.search(r'<script id="data"[^>]*>(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found
    return dict(orjson.loads(found[1]))


def _answer(item: dict[str, Any], words: list[str], annotator: str, **rest: Any) -> dict[str, Any]:
    """What a page exports for one of its items."""
    at = [sum(map(len, words[:k])) for k in range(len(words) + 1)]
    return {
        "id": item["id"],
        "source_sha256": source_checksum(item["source"]),
        "reference": item["reference"],
        "target_sha256": item["target_sha256"],
        "spans": [list(span) for span in pairwise(at)],
        "annotator": annotator,
        "done": True,
        **rest,
    }


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.tsv"
    path.write_text(ROWS, encoding="utf-8")
    return path


@pytest.fixture
def study(pairs: Path, tmp_path: Path) -> Path:
    """A study of two annotators, who are done: they differ in 3, and A flags 1."""
    folder = tmp_path / "study"
    result = _annotate("start", pairs, "--annotators", "2", "-o", folder, *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    for name, cut in (("A", ["旅行困"]), ("B", ["旅行", "困"])):
        first, second, third = _data(folder / f"annotate-{name}.html")["items"]
        said = {"flag": name == "A", "comment": "什么？" if name == "A" else ""}
        answers = [
            _answer(first, ["么什"], name, **said),
            _answer(second, cut, name, effort={"seconds": 4.5, "keys": 3, "clicks": 0}),
            _answer(third, ["好吃"], name, comment="好"),
        ]
        dump(folder / f"annotation-{name}.jsonl", answers)
    return folder


def test_from_pairs_to_gold(pairs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    result = _annotate("start", pairs, "--annotators", "小王,Anna B", "-o", folder, *CHARACTERS)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[0] == "3 pairs"
    assert result.stderr.splitlines()[-3:] == [
        f"next: give each annotator a page of {folder}: annotate-小王.html, annotate-Anna-B.html",
        f"      put what they export into {folder}",
        f"      cijie annotate merge {folder}",
    ]
    page = _data(folder / "annotate-Anna-B.html")
    assert (page["mode"], page["annotator"], page["start"]) == ("annotate", "Anna B", "agreed")
    assert page["items"][1]["reference"] == 2

    missing = "nothing by 小王: put the file that annotate-小王.html exports here"
    missing += ", as annotation-小王.jsonl"
    for command in ("merge", "agreement", "adjudicate"):
        result = _annotate(command, folder)
        assert result.exit_code == 1
        assert result.stderr == f"Error: {folder}: {missing}\n"
    for name in ("小王", "Anna B"):
        answers = [_answer(item, [item["source"]], name) for item in page["items"]]
        dump(folder / f"annotation-{name}.jsonl", answers)
    result = _annotate("merge", folder)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines() == [
        "3 sentences",
        "3 unanimous; 0 to adjudicate, 0 of them flagged only; 0 regions with differences",
        f"next: cijie annotate agreement {folder}",
        f"      cijie annotate adjudicate {folder}",
    ]
    assert not (folder / "adjudicate.html").exists()
    result = _annotate("adjudicate", folder)
    assert result.exit_code == 0, result.stderr
    gold = folder / "gold.jsonl"
    evaluate = f"cijie evaluate {gold} RESULTS --pairs {folder / 'proposals.jsonl'}"
    assert result.stderr.splitlines()[-1] == f"next: {evaluate}"
    recovered = tmp_path / "p1.jsonl"
    assert _cijie("recover", pairs, "-o", recovered, "--method", "p1", *CHARACTERS).exit_code == 0
    result = _cijie("evaluate", gold, recovered, "--pairs", folder / "proposals.jsonl")
    assert result.exit_code == 0, result.stderr


def test_what_is_left_to_adjudicate(study: Path) -> None:
    result = _annotate("merge", study, "--adjudicator", "J")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines() == [
        "3 sentences",
        "1 unanimous; 2 to adjudicate, 1 of them flagged only; 1 region with differences",
        f"next: cijie annotate agreement {study}",
        f"      adjudicate on {study / 'adjudicate.html'}, and put what it exports into {study}",
        f"      cijie annotate adjudicate {study}",
    ]
    page = _data(study / "adjudicate.html")
    assert (page["mode"], page["annotator"]) == ("adjudicate", "J")
    flagged, differing = page["items"]
    assert flagged["remarks"] == [["A", True, "什么？"]]
    assert differing["regions"] == [[0, 3]]
    # What was adjudicated already stays what it is when the annotators' work is merged again.
    assert page["checksum"] == _data(study / "annotate-A.html")["checksum"]

    result = _annotate("adjudicate", study)
    assert result.exit_code == 1
    assert "nothing by an adjudicator: put the file that adjudicate.html" in result.stderr
    answers = [
        _answer(flagged, ["么什"], "J"),
        _answer(differing, ["旅行困"], "J", comment="团"),
    ]
    dump(study / "adjudication-J.jsonl", answers)
    result = _annotate("adjudicate", study)
    assert result.exit_code == 0, result.stderr
    gold = _records(study / "gold.jsonl")
    assert sorted(record["id"] for record in gold) == ["1", "3", "4"]
    keys = {"id", "source_sha256", "reference", "target_sha256", "spans"}
    assert {*keys} == {key for record in gold for key in record}
    # Everything can be done again.
    before = {path.name: path.read_bytes() for path in study.iterdir()}
    for command in ("merge", "agreement", "adjudicate"):
        options = ["--adjudicator", "J"] if command == "merge" else []
        assert _annotate(command, study, *options).exit_code == 0
    assert before.items() <= {path.name: path.read_bytes() for path in study.iterdir()}.items()


def test_agreement_has_a_page(study: Path) -> None:
    result = _annotate("agreement", study)
    assert result.exit_code == 0, result.stderr
    assert "2 of 3 sentences identical" in result.stdout
    assert "A              3                1   0.00             4.5" in result.stdout
    assert result.stderr.splitlines()[-1] == f"side by side: {study / 'agreement.html'}"
    data = _data(study / "agreement.html")
    assert [item["id"] for item in data["items"]] == ["1", "3"]
    assert data["items"][1]["proposals"] == [[["A"], [3]], [["B"], [2, 3]]]


def test_annotations_that_are_not_of_the_study(study: Path) -> None:
    record = _records(study / "annotation-A.jsonl")[0]
    stranger = dump(study / "annotation-C.jsonl", [record | {"annotator": "C"}])
    result = _annotate("merge", study)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {study}: annotations by C; the annotators are A, B\n"
    # A browser calls the second export of the same page like this.
    stranger.rename(study / "annotation-A (1).jsonl")
    dump(study / "annotation-A (1).jsonl", [record])
    result = _annotate("merge", study)
    assert result.exit_code == 1
    assert re.search(r"duplicate answer by A, first at .*annotation-A.*\.jsonl:1", result.stderr)


def test_work_is_never_written_over(study: Path, pairs: Path) -> None:
    before = {path.name: path.read_bytes() for path in study.iterdir()}
    result = _annotate("start", pairs, "--annotators", "2", "-o", study, *CHARACTERS)
    assert result.exit_code == 2
    assert "already exists and is not an empty folder: name another" in result.stderr
    result = _annotate("merge", study)
    assert result.exit_code == 0
    result = _annotate("agreement", study, "-o", study / "annotation-A.jsonl")
    assert result.exit_code == 2
    after = {path.name: path.read_bytes() for path in study.iterdir()}
    assert before.items() <= after.items()


def test_an_unsuccessful_start_leaves_nothing(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "study"
    for options, code, message in (
        (("--start", "p9"), 1, "no proposal 'p9': expected agreed, none, direct, p1, p2, p3"),
        (("--annotators", "A,A"), 2, "names must differ in letters or digits"),
        (
            ("--annotators", "A/B,A B"),
            2,
            "names must differ in letters or digits, not only in case",
        ),
        (("--annotators", "0"), 2, "expected a number from 1 to 99, or names separated by commas"),
        (("--annotators", "100"), 2, "expected a number from 1 to 99"),
        (("--annotators", "A,"), 2, "expected a number from 1 to 99, or names"),
    ):
        given = () if "--annotators" in options else ("--annotators", "2")
        result = _annotate("start", pairs, *options, *given, "-o", out, *CHARACTERS)
        assert result.exit_code == code
        assert message in result.stderr
    assert not out.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.tsv"]


def test_a_folder_that_is_no_study(tmp_path: Path) -> None:
    for card in (None, b"{}", b"[]", b"no JSON", b'{"annotators": "A", "checksum": "x"}'):
        if card is not None:
            (tmp_path / "study.json").write_bytes(card)
        for command in ("merge", "agreement", "adjudicate"):
            result = _annotate(command, tmp_path)
            assert result.exit_code == 1
            assert "not a folder of `cijie annotate start`" in result.stderr


def test_studies_have_checksums_of_their_own(pairs: Path, tmp_path: Path) -> None:
    def checksum(folder: str, *options: str) -> str:
        path = tmp_path / folder / "study"
        path.parent.mkdir(exist_ok=True)
        start = ("start", pairs, "--annotators", "2", *CHARACTERS)
        result = _annotate(*start, "-o", path.with_name(f"{path.name}{''.join(options)}"), *options)
        assert result.exit_code == 0, result.stderr
        [card] = (tmp_path / folder).glob("*/study.json")
        return str(orjson.loads(card.read_bytes())["checksum"])

    first = checksum("a")
    assert checksum("b") == first  # the same study again
    assert len({first, checksum("c", "--start", "none"), checksum("d", "--method", "p2")}) == 3


def test_adjudication_before_there_is_one(study: Path) -> None:
    early = _annotate("adjudicate", study)
    assert early.exit_code == 1
    assert f"{study}: nothing by an adjudicator: `cijie annotate merge {study}`" in early.stderr
    assert _annotate("merge", study).exit_code == 0
    message = "put the file that adjudicate.html exports here"
    assert message in _annotate("adjudicate", study).stderr
