from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cijie.errors import CijieError, FormatError
from cijie.gold.sheets import sheet_data

from learners import dump

PROPOSAL = {
    "id": "1",
    "source": "旅行困",
    "target": "旅行团",
    "reference": None,
    "target_spans": [[0, 3]],
    "proposals": {"D": [[0, 2], [2, 3]], "P1": [[0, 2], [2, 3]], "P2": [[0, 3]]},
}
SHEET = PROPOSAL | {"regions": [[0, 3]], "comments": {"D": "why"}, "flags": ["P2", "D"]}
VOTE = {"id": "1", "source": "么什", "references": ["什么", "么"], "ranking": {"context": [2, 1]}}


def test_proposals(tmp_path: Path) -> None:
    data = sheet_data(dump(tmp_path / "x.jsonl", [PROPOSAL]), annotator="A")
    [item] = data["items"]
    assert (data["mode"], data["start"]) == ("annotate", "agreed")
    assert item["proposals"] == [[["D", "P1"], "ba"], [["P2"], "c"]]
    assert item["start"] == "c"
    assert item["target"] == ["旅行团", "", [0, 0, 2]]
    assert item["regions"] == []


def test_an_adjudication_sheet(tmp_path: Path) -> None:
    data = sheet_data(dump(tmp_path / "x.jsonl", [SHEET]), annotator="A")
    [item] = data["items"]
    assert data["mode"] == "adjudicate"
    assert item["regions"] == [0, 3]
    assert item["remarks"] == [["D", True, "why"], ["P2", True, ""]]


def test_votes_are_on_all_corrections(tmp_path: Path) -> None:
    # Version 0.1 named two to choose between.
    data = sheet_data(dump(tmp_path / "x.jsonl", [VOTE | {"choices": [2]}]), annotator="A")
    [item] = data["items"]
    assert data["mode"] == "vote"
    assert [reference[0] for reference in item["references"]] == ["什么", "么"]
    assert item["ranking"] == {"context": [2, 1]}


@pytest.mark.parametrize(
    ("start", "packed"), [("P2", "c"), ("D", "ba"), ("none", "c"), ("agreed", "c")]
)
def test_start(tmp_path: Path, start: str, packed: str) -> None:
    path = dump(tmp_path / "x.jsonl", [PROPOSAL])
    assert sheet_data(path, annotator="A", start=start)["items"][0]["start"] == packed


def test_what_there_is_not_is_no_start(tmp_path: Path) -> None:
    path = dump(tmp_path / "x.jsonl", [PROPOSAL])
    with pytest.raises(CijieError, match="id 1: no proposal 'p3': there are D, P1, P2"):
        sheet_data(path, annotator="A", start="p3")


def test_white_space_is_a_boundary_from_the_start(tmp_path: Path) -> None:
    record = PROPOSAL | {"source": "旅 行困", "proposals": {"D": [[0, 1], [2, 4]]}}
    path = dump(tmp_path / "x.jsonl", [record])
    assert sheet_data(path, annotator="A", start="none")["items"][0]["start"] == "aAb"


def test_the_checksum_is_that_of_the_sentences(tmp_path: Path) -> None:
    def checksum(name: str, *records: dict[str, Any], annotator: str = "A") -> Any:
        path = dump(tmp_path / f"{name}.jsonl", list(records))
        return sheet_data(path, annotator=annotator)["checksum"]

    first = checksum("x", PROPOSAL)
    # Whoever annotates, and whatever is proposed, it is the same sheet.
    assert first == checksum("y", PROPOSAL, annotator="B")
    assert first == checksum("z", PROPOSAL | {"proposals": {"P2": [[0, 3]]}})
    others = [
        checksum("a", PROPOSAL | {"source": "旅行因"}),
        checksum("b", PROPOSAL | {"target": "旅行"} | {"target_spans": [[0, 2]]}),
        checksum("c", PROPOSAL | {"id": "2"}),
        checksum("d", PROPOSAL, PROPOSAL | {"id": "2"}),
        checksum("e", SHEET),
    ]
    assert len({first, *others}) == 6


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "nothing to annotate"),
        ([PROPOSAL, VOTE | {"id": "2"}], "'proposals' is not an object"),
        ([VOTE, PROPOSAL | {"id": "2"}], "'references' is not a list of strings"),
        ([PROPOSAL, PROPOSAL], "the id of line 1 again"),
        ([PROPOSAL | {"source": None}], "'source' is missing"),
        ([PROPOSAL | {"proposals": []}], "'proposals' is not an object"),
        ([PROPOSAL | {"proposals": {"D": [[0, 2]]}}], "is in no token"),
        ([PROPOSAL | {"target_spans": [[0, 4]]}], "out of range"),
        ([SHEET | {"comments": ["why"]}], "'comments' are not strings by name"),
        ([SHEET | {"comments": {"D": 1}}], "'comments' are not strings by name"),
        ([SHEET | {"flags": {"D": True}}], "'flags' is not a list of names"),
        ([VOTE | {"source": 1}], "'source' is not a string"),
        ([VOTE | {"references": []}], "nothing to choose between"),
        ([VOTE | {"references": "什么"}], "'references' is not a list"),
        ([VOTE | {"ranking": {"context": [3]}}], "not numbers of references, 1 to 2"),
        ([VOTE | {"ranking": []}], "'ranking' is not an object"),
    ],
)
def test_sheets_that_are_not_as_they_should_be(
    tmp_path: Path, records: list[dict[str, Any]], message: str
) -> None:
    path = dump(tmp_path / "x.jsonl", records)
    with pytest.raises(CijieError, match=message) as raised:
        sheet_data(path, annotator="A")
    assert raised.value.path == str(path)


def test_errors_name_the_record(tmp_path: Path) -> None:
    path = dump(tmp_path / "x.jsonl", [VOTE, VOTE | {"id": "2", "references": []}])
    with pytest.raises(FormatError) as raised:
        sheet_data(path, annotator="A")
    assert str(raised.value).startswith(f"{path}:2: id 2: ")
