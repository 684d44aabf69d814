"""The places where segmentations of one text differ."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from cijie.text.segmentation import Segmentation, Span


def differing_regions(
    *segmentations: Segmentation,
) -> Iterator[tuple[Span, tuple[int, ...]]]:
    """The regions that segmentations of the same text do not cut alike, in text order.

    Neighbouring boundaries that all of them share enclose one region, which so is as small as it
    can be. Given back are its half-open code-point span and how many tokens each has in it.

    >>> a = Segmentation.from_tokens("旅行团参加了", ["旅行团", "参加", "了"])
    >>> b = Segmentation.from_tokens("旅行团参加了", ["旅行", "团", "参加", "了"])
    >>> list(differing_regions(a, b))
    [((0, 3), (1, 2))]
    """
    first, *others = segmentations
    shared = set(first.boundaries).intersection(*(other.boundaries for other in others))
    if all(len(segmentation) == len(shared) for segmentation in segmentations):
        return
    tokens = zip(*(_tokens_between(shared, each.boundaries) for each in segmentations), strict=True)
    spans = first.spans
    for (before, end), counts in zip(pairwise([0, *sorted(shared)]), tokens, strict=True):
        # Two tokens or more have a boundary between them, which not all share.
        if max(counts) > 1:
            start, _ = spans[bisect_right(first.boundaries, before)]
            yield (start, end), counts


def _tokens_between(shared: set[int], boundaries: tuple[int, ...]) -> Iterator[int]:
    count = 0
    for end in boundaries:
        count += 1
        if end in shared:
            yield count
            count = 0
