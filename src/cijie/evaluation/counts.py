"""Count tokens, boundaries, errors and links: additive counts from which scores are computed."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from operator import sub
from typing import Any, Literal, TypeVar, get_args

from cijie.alignment.links import Alignment
from cijie.errors import counted
from cijie.text.segmentation import Segmentation, Span

_Sums = TypeVar("_Sums", bound="Sums")

ErrorKind = Literal["over", "under", "drift"]
"""`"over"`-segmentation: the system has more tokens in the region than gold; `"under"`: fewer;
`"drift"`: the same number, with shifted boundaries."""

KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)


@dataclass(frozen=True, slots=True)
class Sums:
    """Counts that can be added with `+`, field by field; mappings of counts, key by key."""

    def __add__(self: _Sums, other: _Sums) -> _Sums:
        added: list[Any] = []
        for each in fields(self):
            a, b = getattr(self, each.name), getattr(other, each.name)
            if type(a) is dict:
                b = {key: a[key] + value if key in a else value for key, value in b.items()}
            added.append(a | b if type(a) is dict else a + b)
        return type(self)(*added)


def share(part: float, whole: float) -> float:
    """Return the share of a part in a whole; 0 if there is nothing."""
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Counts(Sums):
    """The numbers of gold, system and correct items; can be added with `+`.

    These are the sufficient statistics of precision, recall and F1: over many sentences, each
    score is a ratio of sums. A ratio with denominator 0 is 0.

    >>> total = Counts(gold=5, system=4, correct=3) + Counts(gold=1, system=1, correct=1)
    >>> total.precision, total.recall, round(total.f1, 4)
    (0.8, 0.6666666666666666, 0.7273)
    """

    gold: int = 0
    system: int = 0
    correct: int = 0

    @property
    def precision(self) -> float:
        """The share of the system's items that are gold."""
        return share(self.correct, self.system)

    @property
    def recall(self) -> float:
        """The share of the gold items that the system has."""
        return share(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 2 · correct / (gold + system)."""
        return share(*self.f1_ratio)

    @property
    def f1_ratio(self) -> tuple[int, int]:
        """Numerator and denominator of F1, unreduced, so that they can be summed over counts."""
        return 2 * self.correct, self.gold + self.system


def token_counts(gold: Segmentation, system: Segmentation) -> Counts:
    """Count tokens; a system token is correct if gold has a token with the same span.

    Both must be segmentations of the same text.

    >>> gold = Segmentation.from_tokens("我参加了旅行团", ["我", "参加", "了", "旅行团"])
    >>> system = Segmentation.from_tokens("我参加了旅行团", ["我", "参加", "了", "旅行", "团"])
    >>> token_counts(gold, system)
    Counts(gold=4, system=5, correct=3)
    """
    # A token is determined by its own end and the end of the token before it.
    tokens = set(pairwise((0, *gold.boundaries)))
    correct = len(tokens.intersection(pairwise((0, *system.boundaries))))
    return Counts(len(gold), len(system), correct)


def boundary_counts(gold: Segmentation, system: Segmentation) -> Counts:
    """Count boundaries between tokens, without the end of the text, which is always shared.

    >>> gold = Segmentation.from_tokens("旅行团", ["旅行团"])
    >>> boundary_counts(gold, Segmentation.from_tokens("旅行团", ["旅行", "团"]))
    Counts(gold=0, system=1, correct=0)
    """
    a, b = set(gold.boundaries[:-1]), set(system.boundaries[:-1])
    return Counts(len(a), len(b), len(a & b))


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


@dataclass(frozen=True, slots=True)
class Coverage(Sums):
    """Link counts over sentence pairs; can be added with `+`.

    Attributes:
        pairs: the number of pairs.
        source_characters: code points of all sources.
        target_characters: code points of all targets.
        anchors: the number of anchors.
        residuals: the number of residual links.
        crossings: residual links that cross an anchor or, without anchors, another link.
        crossed_pairs: pairs with at least one such link.

    >>> from cijie.alignment import anchors
    >>> total = Coverage.of(anchors("旅行困", "旅行团")) + Coverage.of(anchors("好", "好的"))
    >>> total.pairs, total.source_coverage, total.target_coverage
    (2, 0.75, 0.6)
    """

    pairs: int = 0
    source_characters: int = 0
    target_characters: int = 0
    anchors: int = 0
    residuals: int = 0
    crossings: int = 0
    crossed_pairs: int = 0

    @classmethod
    def of(cls, *alignments: Alignment) -> Coverage:
        """Count the links of pairs."""
        crossings = [len(alignment.crossing_links) for alignment in alignments]
        return cls(
            pairs=len(alignments),
            source_characters=sum(alignment.source_length for alignment in alignments),
            target_characters=sum(alignment.target_length for alignment in alignments),
            anchors=sum(size for alignment in alignments for _, _, size in alignment.anchors),
            residuals=sum(len(alignment.residuals) for alignment in alignments),
            crossings=sum(crossings),
            crossed_pairs=sum(map(bool, crossings)),
        )

    @property
    def links(self) -> int:
        """The number of links."""
        return self.anchors + self.residuals

    @property
    def source_coverage(self) -> float:
        """The share of source characters that are linked; 0 if none."""
        return share(self.links, self.source_characters)

    @property
    def target_coverage(self) -> float:
        """The share of target characters that are linked; 0 if none."""
        return share(self.links, self.target_characters)

    @property
    def crossing_of_residuals(self) -> float:
        """The share of residual links that cross; 0 if none."""
        return share(self.crossings, self.residuals)

    @property
    def crossing_of_source(self) -> float:
        """The share of source characters that are in a crossing link; 0 if none."""
        return share(self.crossings, self.source_characters)

    @property
    def crossing_of_linked(self) -> float:
        """The share of linked source characters whose link crosses; 0 if none."""
        return share(self.crossings, self.links)

    def __str__(self) -> str:
        sources = counted(self.source_characters, "source characters")
        targets = counted(self.target_characters, "target characters")
        links = counted(self.residuals, "residual links") if self.residuals else "no residual links"
        if self.crossings:
            links += (
                f", {self.crossings:,} crossing ({self.crossing_of_residuals:.2%}; "
                f"{self.crossing_of_source:.2%} of source characters, "
                f"{self.crossing_of_linked:.2%} of linked ones), "
                f"in {counted(self.crossed_pairs, 'pairs')}"
            )
        elif self.residuals:
            links += ", none crossing"
        return (
            f"coverage {self.source_coverage:.2%} of {sources}, "
            f"{self.target_coverage:.2%} of {targets}; {links}"
        )
