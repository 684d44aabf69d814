"""Texts, words and targets as pages take them: plain values, empty ones left out.

Words are the positions where they end: each begins at the first character behind the one before it.
All positions are code points.
"""

from __future__ import annotations

from typing import Any

from cijie.alignment.links import Alignment
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation


def text_data(name: str, text: str) -> dict[str, Any]:
    """A text under a name, with the spans of its `characters` unless each code point is one.

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
    """A target with its `words`, if known, and the `anchors` that lay it out under its source.

    An anchor is a block `(source, target, size)`.
    """
    values = text_data("text", text)
    if words is not None:
        values["words"] = words.boundaries
    return values | ({"anchors": anchored.anchors} if anchored.anchors else {})
