"""Where a system errs, and how: regions between boundaries that it shares with gold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from cijie.evaluation.regions import differing_regions
from cijie.text.segmentation import Segmentation, Span

ErrorKind = Literal["over", "under", "drift"]
"""`"over"`-segmentation: the system has more tokens in the region than gold; `"under"`: fewer;
`"drift"`: as many, shifted."""


@dataclass(frozen=True, slots=True)
class ErrorRegion:
    """A stretch of text that begins and ends alike in gold and system, but is cut differently.

    Args:
        span: half-open code-point offsets of the region.
        gold: the number of gold tokens in it.
        system: the number of the system's tokens in it.
    """

    span: Span
    gold: int
    system: int

    @property
    def kind(self) -> ErrorKind:
        """The kind of error, by the number of tokens alone.

        In most regions one side has a single token. Where both have several and not equally many,
        the surplus decides just the same, so that every region has exactly one kind.
        """
        if self.system == self.gold:
            return "drift"
        return "over" if self.system > self.gold else "under"


def error_regions(gold: Segmentation, system: Segmentation) -> list[ErrorRegion]:
    """The smallest regions that gold and system cut differently, in text order.

    Two neighbouring boundaries that gold and system share enclose one region; it is an error
    unless it is one and the same token for both. Both must be segmentations of the same text.

    >>> gold = Segmentation.from_tokens("我参加了旅行团", ["我", "参加", "了", "旅行团"])
    >>> system = Segmentation.from_tokens("我参加了旅行团", ["我参", "加", "了", "旅行", "团"])
    >>> [(region.span, region.kind) for region in error_regions(gold, system)]
    [((0, 3), 'drift'), ((4, 7), 'over')]
    """
    return [ErrorRegion(span, *counts) for span, counts in differing_regions(gold, system)]


@dataclass(frozen=True, slots=True)
class ErrorCounts:
    """How many error regions there are of each kind; adds up with `+`.

    >>> errors = ErrorCounts(over=3, under=1)
    >>> errors.total, errors.share("over"), ErrorCounts().share("over")
    (4, 0.75, 0.0)
    """

    over: int = 0
    under: int = 0
    drift: int = 0

    @classmethod
    def of(cls, regions: Iterable[ErrorRegion]) -> ErrorCounts:
        """Count regions by kind."""
        kinds = [region.kind for region in regions]
        return cls(kinds.count("over"), kinds.count("under"), kinds.count("drift"))

    def __add__(self, other: ErrorCounts) -> ErrorCounts:
        return ErrorCounts(
            self.over + other.over, self.under + other.under, self.drift + other.drift
        )

    @property
    def total(self) -> int:
        """The number of error regions."""
        return self.over + self.under + self.drift

    def share(self, kind: ErrorKind) -> float:
        """The share of error regions of that kind; 0 if there are no errors."""
        count: int = getattr(self, kind)
        return count / self.total if self.total else 0.0
