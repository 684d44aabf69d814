"""Counts of tokens and boundaries, of which scores are made; they add up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from cijie.text.segmentation import Segmentation

_Sums = TypeVar("_Sums", bound="Sums")


@dataclass(frozen=True, slots=True)
class Sums:
    """Counts; they add up with `+`, field by field, and mappings key by key."""

    def __add__(self: _Sums, other: _Sums) -> _Sums:
        names = self.__dataclass_fields__
        return type(self)(*[added(getattr(self, name), getattr(other, name)) for name in names])


def added(a: Any, b: Any) -> Any:
    """The sum of two counts, or of those in two mappings; what one lacks is nothing."""
    if isinstance(a, dict) and not isinstance(a, Counter):
        return {**a, **b, **{key: added(a[key], b[key]) for key in a if key in b}}
    return a + b


@dataclass(frozen=True, slots=True)
class Counts(Sums):
    """How many items gold and system have, and how many of them in common; adds up with `+`.

    These are the sufficient statistics of precision, recall and F1: those of many sentences are
    the ratios of the sums. A ratio of nothing is 0.

    >>> total = Counts(gold=5, system=4, correct=3) + Counts(gold=1, system=1, correct=1)
    >>> total.precision, total.recall, round(total.f1, 4)
    (0.8, 0.6666666666666666, 0.7273)
    """

    gold: int = 0
    system: int = 0
    correct: int = 0

    def __mul__(self, times: int) -> Counts:
        return Counts(self.gold * times, self.system * times, self.correct * times)

    @property
    def precision(self) -> float:
        """The share of the system's items that are gold."""
        return self.correct / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold items that the system has."""
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 2 · correct / (gold + system)."""
        correct, items = self.f1_ratio
        return correct / items if items else 0.0

    @property
    def f1_ratio(self) -> tuple[int, int]:
        """Numerator and denominator of F1, not reduced: those of several counts add up."""
        return 2 * self.correct, self.gold + self.system


def token_counts(gold: Segmentation, system: Segmentation) -> Counts:
    """Count tokens; one of the system is correct if gold has one of the same span.

    Both must be segmentations of the same text.

    >>> gold = Segmentation.from_tokens("我参加了旅行团", ["我", "参加", "了", "旅行团"])
    >>> system = Segmentation.from_tokens("我参加了旅行团", ["我", "参加", "了", "旅行", "团"])
    >>> token_counts(gold, system)
    Counts(gold=4, system=5, correct=3)
    """
    # A token is determined by where it ends and where the one before it does.
    tokens = set(pairwise((0, *gold.boundaries)))
    correct = len(tokens.intersection(pairwise((0, *system.boundaries))))
    return Counts(len(gold), len(system), correct)


def boundary_counts(gold: Segmentation, system: Segmentation) -> Counts:
    """Count boundaries between tokens; the end of the text, which all agree on, is not one.

    >>> gold = Segmentation.from_tokens("旅行团", ["旅行团"])
    >>> boundary_counts(gold, Segmentation.from_tokens("旅行团", ["旅行", "团"]))
    Counts(gold=0, system=1, correct=0)
    """
    a, b = set(gold.boundaries[:-1]), set(system.boundaries[:-1])
    return Counts(len(a), len(b), len(a & b))
