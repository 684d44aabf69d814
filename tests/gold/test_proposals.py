from __future__ import annotations

from typing import Any

import pytest

from cijie.errors import CijieError, SegmentationError
from cijie.gold.study import propose
from cijie.recovery.sentence import Sentence
from cijie.segmenters.base import FunctionSegmenter

from strategies import words

PAIRS = [Sentence("1", "旅行困", "旅行团", reference=2), Sentence("2", "么 什", "什么")]


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
    assert second.by["mine"].segmentation.spans == [(0, 1), (2, 3)]
    assert second.as_record()["reference"] is None


def test_only_systems() -> None:
    systems = {"mine": {"1": ["旅行困"], "2": ["么", "什"]}}
    proposed = propose(PAIRS, [], FunctionSegmenter(list), systems)
    assert [list(each.by) for each in proposed] == [["mine"], ["mine"]]


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ({"1": ["旅行困"]}, "id 2: mine does not have this sentence"),
        ({"1": ["旅行团"]}, "id 1: mine: at offset 2: expected '困' .* found '团'"),
        ({"1": words("旅 行")}, "id 1: mine: at offset 2: '困' .* is in no token"),
    ],
)
def test_systems_of_other_texts(system: dict[str, Any], message: str) -> None:
    with pytest.raises(CijieError, match=message):
        list(propose(PAIRS, [], FunctionSegmenter(list), {"mine": system}))


def test_a_system_must_not_change_a_word() -> None:
    with pytest.raises(SegmentationError, match="id 2: mine"):
        list(propose(PAIRS[1:], [], FunctionSegmenter(list), {"mine": {"2": ["么什"]}}))
