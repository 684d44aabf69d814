"""Count tokens, boundaries and links: additive counts from which scores are computed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, TypeVar

from cijie.alignment.links import Alignment
from cijie.errors import counted
from cijie.text.segmentation import Segmentation

_Sums = TypeVar("_Sums", bound="Sums")


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
        crossings = [alignment.crossings for alignment in alignments]
        residuals = sum(len(alignment.residuals) for alignment in alignments)
        return cls(
            pairs=len(alignments),
            source_characters=sum(alignment.source_length for alignment in alignments),
            target_characters=sum(alignment.target_length for alignment in alignments),
            anchors=sum(map(len, alignments)) - residuals,
            residuals=residuals,
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
