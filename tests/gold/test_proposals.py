from __future__ import annotations

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


def test_methods_share_what_is_segmented() -> None:
    count = Counting()
    first, second = propose(PAIRS, ["direct", "p1", "p2"], FunctionSegmenter(count))
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
        },
    }
    assert first.regions == [(0, 3)]
    assert second.by["p2"].segmentation.spans == [(0, 1), (2, 3)]
    assert second.as_record()["reference"] is None


def test_words_that_are_given_are_proposed() -> None:
    source = words("旅行困")
    [made] = propose(
        [Sentence("1", source.text, "旅行团", segmentation=source)],
        ["direct"],
        FunctionSegmenter(list),
    )
    assert made.by["direct"].segmentation == source
