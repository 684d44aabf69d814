"""Find the regions of a text where its segmentations differ from gold or from one another."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import sub
from typing import Literal, get_args

from cijie.evaluation.counts import Sums, share
from cijie.text.segmentation import Segmentation, Span

ErrorKind = Literal["over", "under", "drift"]
"""`"over"`-segmentation: the system has more tokens in the region than gold; `"under"`: fewer;
`"drift"`: the same number, with shifted boundaries."""

KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)


def differing_regions(*segmentations: Segmentation) -> Iterator[tuple[Span, tuple[int, ...]]]:
    """Yield the regions that segmentations of the same text segment differently, in text order.

    A region is minimal: it lies between two consecutive boundaries that all segmentations share.
    Yields its half-open code-point span and the number of tokens of each segmentation in it.

    >>> a = Segmentation.from_tokens("旅行团参加了", ["旅行团", "参加", "了"])
    >>> b = Segmentation.from_tokens("旅行团参加了", ["旅行", "团", "参加", "了"])
    >>> list(differing_regions(a, b))
    [((0, 3), (1, 2))]
    """
    first, *others = segmentations
    shared = set(first.boundaries).intersection(*(other.boundaries for other in others))
    if all(len(segmentation) == len(shared) for segmentation in segmentations):
        return
    # The numbers of tokens up to each shared boundary, and so between two of them.
    upto = ([k for k, end in enumerate(x.boundaries, 1) if end in shared] for x in segmentations)
    tokens = zip(*(map(sub, numbers, (0, *numbers)) for numbers in upto), strict=True)
    spans = first.spans
    for (before, end), counts in zip(pairwise([0, *sorted(shared)]), tokens, strict=True):
        # Two or more tokens have a boundary between them, and not all segmentations share it.
        if max(counts) > 1:
            start, _ = spans[bisect_right(first.boundaries, before)]
            yield (start, end), counts


def error_regions(gold: Segmentation, system: Segmentation) -> list[tuple[Span, ErrorKind]]:
    """Return the smallest regions that gold and system segment differently, with their kinds.

    Two consecutive boundaries that gold and system share enclose one region. It is an error
    unless it is a single token on both sides. In most regions one side has a single token; the
    numbers of tokens decide where both have several, too, so every region has exactly one kind.
    Both must be segmentations of the same text; regions are in its order.

    >>> gold = Segmentation.from_tokens("我参加了旅行团", ["我", "参加", "了", "旅行团"])
    >>> system = Segmentation.from_tokens("我参加了旅行团", ["我参", "加", "了", "旅行", "团"])
    >>> error_regions(gold, system)
    [((0, 3), 'drift'), ((4, 7), 'over')]
    """
    return [
        (span, "drift" if has == right else "over" if has > right else "under")
        for span, (right, has) in differing_regions(gold, system)
    ]


@dataclass(frozen=True, slots=True)
class ErrorCounts(Sums):
    """The number of error regions of each kind; can be added with `+`.

    >>> errors = ErrorCounts(over=3, under=1)
    >>> errors.total, errors.share("over"), ErrorCounts().share("over")
    (4, 0.75, 0.0)
    """

    over: int = 0
    under: int = 0
    drift: int = 0

    @classmethod
    def of(cls, regions: Iterable[tuple[Span, ErrorKind]]) -> ErrorCounts:
        """Count regions by kind."""
        return cls(**Counter[str](kind for _, kind in regions))

    @property
    def total(self) -> int:
        """The number of error regions."""
        return self.over + self.under + self.drift

    def share(self, kind: ErrorKind) -> float:
        """Return the share of error regions of one kind; 0 if there are no errors."""
        return share(getattr(self, kind), self.total)


def outcome_pattern(outcomes: Iterable[bool]) -> str:
    """Return one letter per system, in order: `g` (good) if it is right, `b` (bad) if not.

    >>> outcome_pattern([False, True, True])
    'bgg'
    """
    return "".join("g" if right else "b" for right in outcomes)


def token_patterns(gold: Segmentation, systems: Sequence[Segmentation]) -> list[str]:
    """Return the outcome pattern of each gold token of a text.

    A system is right about a gold token if it has a token with the same span. All arguments must
    be segmentations of the same text.

    >>> gold = Segmentation.from_tokens("去旅行团", ["去", "旅行团"])
    >>> token_patterns(gold, [Segmentation.from_tokens("去旅行团", ["去", "旅行", "团"]), gold])
    ['gg', 'bg']
    """
    tokens = [set(system.spans) for system in systems]
    return [outcome_pattern(span in having for having in tokens) for span in gold.spans]


def contested_regions(
    gold: Segmentation, systems: Sequence[Segmentation]
) -> list[tuple[Span, str]]:
    """Return the smallest regions that the systems segment differently, with outcome patterns.

    A system is right in a region if its tokens there are exactly gold's. Text that all systems
    segment identically, right or wrong, is in no region. All arguments must be segmentations of
    the same text; regions are in its order.

    >>> text = "我参加了旅行团"
    >>> gold, *systems = [Segmentation.from_tokens(text, words.split()) for words in
    ...     ("我 参加 了 旅行团", "我 参 加 了 旅行 团", "我 参 加 了 旅行团")]
    >>> contested_regions(gold, systems)
    [((4, 7), 'bg')]
    """
    regions = list(differing_regions(*systems))
    if not regions:
        return []
    gold_spans = set(gold.spans)
    tokens = [system.spans for system in systems]
    return [
        (
            (start, end),
            outcome_pattern(
                all(span in gold_spans for span in having if start <= span[0] < end)
                for having in tokens
            ),
        )
        for (start, end), _ in regions
    ]
