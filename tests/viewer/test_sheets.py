from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cijie.errors import FormatError
from cijie.viewer.sheets import sheet_data

from learners import dump

PROPOSAL = {
    "id": "1",
    "source": "旅行困",
    "target": "旅行团",
    "reference": None,
    "target_tokens": [[0, 3]],
    "proposals": {"D": [[0, 2], [2, 3]], "P2": [[0, 3]]},
}
VOTE = {"id": "1", "source": "么什", "references": ["什么", "么"], "ranking": {}, "choices": [2]}


def test_proposals(tmp_path: Path) -> None:
    data = sheet_data(dump(tmp_path / "x.jsonl", [PROPOSAL]), annotator="A")
    [item] = data["items"]
    assert data["mode"] == "annotate"
    assert item["proposals"] == [["D", "ba"], ["P2", "c"]]
    assert item["start"] == 0
    assert item["target"] == ["旅行团", "", [0, 0, 2]]


@pytest.mark.parametrize(("start", "number"), [("P2", 1), ("none", -1), (None, 0)])
def test_start(tmp_path: Path, start: str | None, number: int) -> None:
    path = dump(tmp_path / "x.jsonl", [PROPOSAL])
    assert sheet_data(path, annotator="A", start=start)["items"][0]["start"] == number


def test_the_checksum_is_that_of_the_sentences(tmp_path: Path) -> None:
    path = dump(tmp_path / "x.jsonl", [PROPOSAL])
    other = dump(tmp_path / "y.jsonl", [PROPOSAL | {"source": "旅行因"}])
    first, same, different = (
        sheet_data(x, annotator=name)["checksum"]
        for x, name in [(path, "A"), (path, "B"), (other, "A")]
    )
    assert first == same != different


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "nothing to annotate"),
        ([PROPOSAL, VOTE | {"id": "2"}], "a record to vote in a sheet to annotate"),
        ([PROPOSAL, PROPOSAL], "the id of line 1 again"),
        ([PROPOSAL | {"source": None}], "'source' is not a string"),
        ([PROPOSAL | {"proposals": []}], "'proposals' is not an object"),
        ([PROPOSAL | {"proposals": {"D": [[0, 2]]}}], "is in no token"),
        ([PROPOSAL | {"target_tokens": [[0, 4]]}], "out of range"),
        ([PROPOSAL | {"regions": [[0, 4]]}], "a region is out of range"),
        ([PROPOSAL | {"regions": 1}], "'regions' is not a list"),
        ([VOTE | {"choices": []}], "nothing to choose between"),
        ([VOTE | {"choices": [3]}], "not numbers of references, 1 to 2"),
        ([VOTE | {"references": "什么"}], "'references' is not a list"),
        ([VOTE | {"ranking": []}], "'ranking' is not an object"),
    ],
)
def test_sheets_that_are_not_as_they_should_be(
    tmp_path: Path, records: list[dict[str, Any]], message: str
) -> None:
    path = dump(tmp_path / "x.jsonl", records)
    with pytest.raises(FormatError, match=message) as raised:
        sheet_data(path, annotator="A")
    assert raised.value.path == str(path)
