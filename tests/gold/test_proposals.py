from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie.corpora.jsonl import dump_line
from cijie.errors import CijieError, SegmentationError
from cijie.gold.proposals import Proposals, propose, read_proposals
from cijie.recovery.pair import Pair
from cijie.segmenters import FunctionSegmenter
from cijie.text.segmentation import Segmentation

from strategies import words

PAIRS = [Pair("1", "旅行困", "旅行团", reference=2), Pair("2", "么 什", "什么")]


class Counting:
    """Cuts off what begins with 旅, and single characters; counts the texts it is given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, text: str) -> list[str]:
        self.texts.append(text)
        return [text] if text == "旅行团" else list(text)


def test_methods_and_systems() -> None:
    count = Counting()
    systems = {"mine": {"1": ["旅", "行困"], "2": words("么 什")}}
    first, second = propose(PAIRS, ["direct", "p1", "p2"], FunctionSegmenter(count), systems)
    assert sorted(count.texts) == sorted(["旅行困", "旅行团", "么 什", "什么"])
    assert first.as_record() == {
        "id": "1",
        "source": "旅行困",
        "target": "旅行团",
        "reference": 2,
        "target_spans": [(0, 3)],
        "proposals": {
            "direct": [(0, 1), (1, 2), (2, 3)],
            "p1": [(0, 1), (1, 2), (2, 3)],
            "p2": [(0, 3)],
            "mine": [(0, 1), (1, 3)],
        },
    }
    assert first.regions == [(0, 3)]
    # A system's text may lack white space; the offsets are those of the source.
    assert second.versions["mine"].spans == [(0, 1), (2, 3)]
    assert second.as_record()["reference"] is None


def test_only_systems() -> None:
    systems = {"mine": {"1": ["旅行困"], "2": ["么", "什"]}}
    proposed = propose(PAIRS, [], FunctionSegmenter(list), systems)
    assert [list(each.versions) for each in proposed] == [["mine"], ["mine"]]


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ({"1": ["旅行困"]}, "id 2: mine has no such sentence"),
        ({"1": ["旅行团"]}, "id 1: mine: at offset 2: expected '困' .* found '团'"),
        ({"1": words("旅 行")}, "id 1: mine: at offset 2: '困' .* is in no token"),
    ],
)
def test_systems_of_other_texts(system: dict[str, Any], message: str) -> None:
    with pytest.raises(CijieError, match=message):
        list(propose(PAIRS, [], FunctionSegmenter(list), {"mine": system}))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = {x.pair.id: x for x in propose(PAIRS, ["direct", "p1"], FunctionSegmenter(list))}
    path = tmp_path / "proposals.jsonl"
    path.write_bytes(b"".join(dump_line(each.as_record()) for each in made.values()))
    read = read_proposals(path)
    assert [each.as_sheet_record() for each in read.values()] == [
        each.as_record() | {"regions": []} for each in made.values()
    ]
    assert read["1"].versions == made["1"].versions
    assert read["1"].pair.reference == 2


@pytest.mark.parametrize(
    ("proposals", "message"),
    [
        (None, "'proposals' is not an object with segmentations: None"),
        ([], "'proposals' is not an object with segmentations: []"),
        ({}, "'proposals' is not an object with segmentations: {}"),
        ({"A": [[0, 2]]}, "at offset 2: '困' (U+56F0) is in no token"),
    ],
)
def test_what_are_no_proposals(tmp_path: Path, proposals: object, message: str) -> None:
    path = tmp_path / "sheet.jsonl"
    record = {"id": "1", "source": "旅行困", "target": "旅行团", "proposals": proposals}
    path.write_bytes(orjson.dumps(record))
    with pytest.raises(CijieError) as caught:
        read_proposals(path)
    assert str(caught.value) == f"{path}:1: id 1: {message}"


def test_the_words_of_the_target_are_needed() -> None:
    proposals = Proposals(PAIRS[0], {"A": Segmentation("旅行困", (3,))})
    with pytest.raises(CijieError, match="id 1: the words of the target are not known"):
        proposals.as_record()


def test_a_system_must_not_change_a_word() -> None:
    with pytest.raises(SegmentationError, match="id 2: mine"):
        list(propose(PAIRS[1:], [], FunctionSegmenter(list), {"mine": {"2": ["么什"]}}))
