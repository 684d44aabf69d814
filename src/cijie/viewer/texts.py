"""Convert texts, words and targets to plain values for pages, without empty ones.

Words are given by their lengths in characters, which is short and leaves white space out. All
positions are code points.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from typing import Any

from cijie.alignment.links import Alignment
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation


def text_data(name: str, text: str) -> dict[str, Any]:
    """Return a text under a name, with the spans of `characters` unless each is one code point.

    >>> text_data("source", "好"), text_data("source", "👩‍🏫 好")
    ({'source': '好'}, {'source': '👩\u200d🏫 好', 'characters': [(0, 3), (4, 5)]})
    """
    split = characters(text)
    if split.is_plain:
        return {name: text}
    spans = zip(split.starts, split.ends, split.blank, strict=True)
    return {name: text, "characters": [(start, end) for start, end, blank in spans if not blank]}


def target_data(
    text: str, anchored: Alignment, words: Segmentation | None = None
) -> dict[str, Any]:
    """Return a target with its `words`, if known, and the `anchors` that place it under its source.

    An anchor is a block `(source, target, size)`.

    Args:
        text: the target.
        anchored: the links of P1 to the source.
        words: the words of the target, if known.
    """
    values = text_data("text", text)
    if words is not None:
        values["words"] = word_lengths(words)
    return values | ({"anchors": anchored.anchors} if anchored.anchors else {})


def word_lengths(words: Segmentation) -> list[int]:
    """Return the length of each word in characters.

    >>> word_lengths(Segmentation("我 去旅行", (1, 3, 5)))
    [1, 1, 2]
    """
    ends = words.boundaries
    if not words.is_plain:
        split = characters(words.text)
        visible = split.visible(split.ends)
        ends = tuple(bisect_left(visible, end) + 1 for end in ends)
    return [end - start for start, end in pairwise((0, *ends))]
