"""Segment texts and pairs, without recovery."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cijie.alignment.links import Alignment
from cijie.batching import batched
from cijie.errors import CijieError, MissingExtraError, SegmentationError, SegmenterError
from cijie.recovery.sentence import Recovery, Sentence
from cijie.segmenters import Segmenter
from cijie.segmenters.base import is_interrupt
from cijie.text.segmentation import Segmentation

_SURROGATE = re.compile("[\ud800-\udfff]")

RecordError = CijieError | SegmenterError
"""The error of a record."""


def segment_texts(
    segmenter: Segmenter, texts: Iterable[str]
) -> dict[str, Segmentation | RecordError]:
    """Segment texts, identical ones once; an error in one text does not affect the others.

    Args:
        segmenter: the segmenter.
        texts: the texts.

    Returns:
        The words or the error of each text, in order.

    Raises:
        SegmenterError, MissingExtraError: the segmenter cannot be loaded.
    """
    ordered = list(dict.fromkeys(texts))
    if ordered:
        segmenter.load()
    found: dict[str, Segmentation | RecordError] = {}
    size = len(ordered)
    while len(found) < len(ordered):
        asked = ordered[len(found) : len(found) + size]
        try:
            for text, words in zip(asked, segmenter.segment(asked), strict=True):
                found[text] = words
        except MissingExtraError:
            raise
        except BaseException as error:
            if is_interrupt(error):
                raise
            left = [text for text in asked if text not in found]
            if len(left) > 1:
                size = 1  # to find the text at fault
                continue
            text = left[0] if left else asked[-1]
            found[text] = _named(segmenter, text, error)
    return found


def words_of_pairs(
    segmenter: Segmenter, pairs: Sequence[Sentence | CijieError]
) -> Iterator[tuple[Segmentation, Segmentation] | RecordError]:
    """Yield the words of source and target: those given with a pair or the segmenter's.

    Args:
        segmenter: the segmenter for texts without words.
        pairs: the pairs; errors in place of them are given on.

    Yields:
        The words or the error of each pair.
    """
    asked = []
    for pair in pairs:
        if isinstance(pair, Sentence):
            if pair.given is None:
                asked.append(pair.source)
            if pair.target_segmentation is None:
                asked.append(pair.target or "")
    found = segment_texts(segmenter, asked)
    for pair in pairs:
        if not isinstance(pair, Sentence):
            yield pair
            continue
        source = found[pair.source] if pair.given is None else pair.given
        target = pair.target_segmentation
        cut = found[pair.target or ""] if target is None else target
        if not isinstance(source, Segmentation):
            yield of_record(source, pair.id)
        elif not isinstance(cut, Segmentation):
            yield of_record(cut, pair.id)
        else:
            yield source, cut


def segment_pairs(segmenter: Segmenter, pairs: Iterable[Sentence]) -> Iterator[Recovery]:
    """Segment both sides of pairs lazily, in order. Memory does not grow with their number.

    Yields:
        Each pair as a recovery without links, with its initial words.

    Raises:
        CijieError, SegmenterError: a text cannot be segmented; raised with the id of its pair.

    >>> from cijie.segmenters import load_segmenter
    >>> [pair] = segment_pairs(load_segmenter(list), [Sentence("1", "我去", "去")])
    >>> pair.initial.tokens, pair.target_segmentation.tokens
    (['我', '去'], ['去'])
    """
    for batch in batched(pairs):
        for pair, words in zip(batch, words_of_pairs(segmenter, batch), strict=True):
            if isinstance(words, Exception):
                raise words
            source, target = words
            yield Recovery(
                pair.id,
                pair.source,
                (target.text,),
                reference=pair.reference,
                initial=source,
                segmentation=source,
                target_segmentations=(target,),
                alignment=Alignment(len(source.text), len(target.text)),
                changes=(),
                target_rules=pair.is_ruled,
            )


def of_record(error: RecordError, id: str) -> RecordError:
    """Copy an error, which several records may share, and add the id of one record, if any."""
    if not id:
        return error
    placed: RecordError
    if isinstance(error, CijieError):
        placed = type(error)(error.message, path=error.path, line=error.line, id=id)
    else:
        placed = SegmenterError(f"id {id}: {error}")
    placed.__cause__ = error.__cause__
    return placed


def _named(segmenter: Segmenter, text: str, error: BaseException) -> RecordError:
    named: RecordError
    if surrogate := _SURROGATE.search(text):
        named = SegmentationError(
            f"a lone surrogate (U+{ord(surrogate[0]):04X}) at offset {surrogate.start()}, which is "
            f"not a character: {segmenter.name} cannot segment {text!r}"
        )
    elif isinstance(error, SegmentationError):
        named = SegmentationError(f"{segmenter.name}: {error.message}")
    elif isinstance(error, CijieError | SegmenterError):
        return error
    else:
        named = SegmenterError(f"{segmenter.name} failed: {type(error).__name__}: {error}")
    named.__cause__ = error
    return named
