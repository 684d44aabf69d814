"""Pairs and words as users have them, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isnan
from operator import index
from typing import Any

from cijie.errors import CijieError, FormatError, SegmentationError
from cijie.files.ids import given_id
from cijie.recovery.sentence import Sentence
from cijie.segmenters.base import words_of
from cijie.text.segmentation import Segmentation

PairLike = Sentence | tuple[str, str] | Mapping[str, Any]
"""A pair as users have them: `(source, target)`; a mapping with `source` and `target`, and if it
has them `id`, `source_tokens` and `target_tokens` (words as `as_segmentation` takes them); or a
`Sentence` with a target."""

Words = Iterable[str] | Iterable[tuple[int, int]] | Mapping[str, Any]
"""Words as `as_segmentation` takes them."""


def as_pair(pair: PairLike, number: int) -> Sentence:
    """A pair of whatever shape as a sentence with a target; `number` is its id if it has none.

    Raises:
        TypeError: it has none of the shapes.
        CijieError: a source or a target that is missing or no string, words that are not its own;
            with the id.
    """
    if isinstance(pair, Sentence):
        if not pair.targets:
            raise FormatError("'target' is missing", id=pair.id)
        return pair
    if isinstance(pair, Mapping):
        values = pair
    elif isinstance(pair, tuple | list) and len(pair) == 2:
        values = {"source": pair[0], "target": pair[1]}
    else:
        raise TypeError(
            f"expected pair {number} as (source, target), or with 'source' and 'target' by name, "
            f"got {pair!r}"
        )
    id = given_id(values, number)
    try:
        source, target = (text_in(values, name) for name in ("source", "target"))
        return pair_of(id, source, target, values.get("source_tokens"), values.get("target_tokens"))
    except CijieError as error:
        raise error.at(id=id) from None


def pair_of(
    id: str, source: str, target: str, source_tokens: object = None, target_tokens: object = None
) -> Sentence:
    """A source and its target, with the words that are given for them.

    Raises:
        SegmentationError: words that are not those of their text.
    """
    words = given_words("target_tokens", target, target_tokens)
    return Sentence(
        id,
        source,
        (target,),
        initial=given_words("source_tokens", source, source_tokens),
        target_segmentations=() if words is None else (words,),
    )


def given_words(name: str, text: str, words: object) -> Segmentation | None:
    """The words that came with a text under a name, which errors tell; None if they are missing.

    Raises:
        SegmentationError: see `as_segmentation`.
    """
    if _is_missing(words):
        return None
    try:
        return as_segmentation(text, words)
    except SegmentationError as error:
        raise SegmentationError(f"{name}: {error.message}") from None


def as_segmentation(text: str, words: object) -> Segmentation:
    """A text cut into words that came with it.

    Args:
        text: the text.
        words: strings, half-open code-point spans, or the results of HanLP or LTP for the text;
            see `cijie.segmenters.base.words_of`.

    Raises:
        SegmentationError: they are no such thing, or not the words of the text.

    >>> as_segmentation("我们去", {"tok/fine": ["我们", "去"]}).spans
    [(0, 2), (2, 3)]
    """
    try:
        found = words_of(words)
    except ValueError as error:
        raise SegmentationError(str(error)) from error
    if isinstance(found, Iterable) and not isinstance(found, str | bytes):
        listed = list(found)
        if all(isinstance(word, str) for word in listed):
            return Segmentation.from_tokens(text, listed)
        if all(map(_is_span, listed)):
            return Segmentation.from_spans(text, [(index(a), index(b)) for a, b in listed])
    raise SegmentationError(f"words must be strings or spans, not {words!r}")


def _is_span(word: Any) -> bool:
    try:
        start, end = word
        if type(start) is int and type(end) is int:  # as nearly always, and fast
            return start >= 0 and end >= 0
        offsets = not isinstance(word, str) and bool not in (type(start), type(end))
        return offsets and index(start) >= 0 and index(end) >= 0
    except (TypeError, ValueError):
        return False


def text_in(values: Mapping[str, Any], name: str) -> str:
    """A text in a record of plain values.

    Raises:
        FormatError: it is missing, or not a string.
    """
    value = values.get(name)
    if not isinstance(value, str):
        found = "is missing" if _is_missing(value) else f"is not a string: {value!r}"
        raise FormatError(f"{name!r} {found}")
    return value


def _is_missing(value: object) -> bool:
    """Whether it is None, NaN or pandas' NA: an empty cell."""
    is_nan = isinstance(value, float) and isnan(value)
    return value is None or is_nan or type(value).__name__ == "NAType"
