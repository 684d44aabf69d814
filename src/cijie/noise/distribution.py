"""Divide edits into substitutions, deletions and insertions."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Literal, get_args

from rapidfuzz.distance import Levenshtein

from cijie.errors import UsageError
from cijie.noise.randomness import RandomStream
from cijie.text.characters import characters

EditKind = Literal["substitution", "deletion", "insertion"]
"""The effect on a character of the target: it is replaced, it is missing, or another character is
inserted beside it."""

KINDS: tuple[EditKind, ...] = get_args(EditKind)

_TAGS: dict[str, EditKind] = {
    "replace": "substitution",
    "delete": "deletion",
    "insert": "insertion",
}


@dataclass(frozen=True, slots=True)
class EditDistribution:
    """The shares of the kinds of edits; the defaults are the paper's.

    Raises:
        UsageError: a share below 0, or shares that do not add up to 1.
    """

    substitution: Fraction = Fraction(483, 1000)
    deletion: Fraction = Fraction(318, 1000)
    insertion: Fraction = Fraction(199, 1000)

    def __post_init__(self) -> None:
        if any(share < 0 for share in self.shares) or sum(self.shares) != 1:
            raise UsageError(f"shares must be >= 0 and add up to 1: {self}")

    @property
    def shares(self) -> tuple[Fraction, ...]:
        """The shares in the order of `KINDS`."""
        return self.substitution, self.deletion, self.insertion

    @classmethod
    def parse(cls, text: str) -> EditDistribution:
        """Parse `.483,.318,.199`; shares that add up to 1 except for rounding are scaled.

        >>> print(EditDistribution.parse(".333,.333,.333"))
        substitution 1/3, deletion 1/3, insertion 1/3
        """
        try:
            shares = [Fraction(Decimal(part)) for part in text.split(",")]
        except (InvalidOperation, ValueError, OverflowError) as error:
            raise UsageError(f"expected three shares, got {text!r}") from error
        total = sum(shares, Fraction())
        if len(shares) != len(KINDS) or abs(total - 1) > Fraction(1, 100):
            raise UsageError(f"expected three shares that add up to 1, got {text!r}")
        return cls(*(share / total for share in shares))

    @classmethod
    def estimate(cls, pairs: Iterable[tuple[str, str]]) -> EditDistribution:
        """Estimate the distribution of the edits in `(source, target)` pairs.

        Edits are the operations of a Levenshtein alignment of each target with its source,
        character by character, ignoring white space. If several alignments have the smallest
        distance, RapidFuzz's choice decides which edits count as substitutions.

        Raises:
            UsageError: no source differs from its target.

        >>> pairs = ("旅行困", "旅行团"), ("好", "好的"), ("我要去", "我去")
        >>> print(EditDistribution.estimate(pairs))
        substitution 1/3, deletion 1/3, insertion 1/3
        """
        counts: Counter[str] = Counter()
        for source, target in pairs:
            right, wrong = (x.visible(x.keys) for x in map(characters, (target, source)))
            counts.update(_TAGS[edit.tag] for edit in Levenshtein.editops(right, wrong))
        total = counts.total()
        if not total:
            raise UsageError("the pairs contain no edit")
        return cls(*(Fraction(counts[kind], total) for kind in KINDS))

    def apportion(self, edits: int) -> dict[EditKind, int]:
        """Divide a number of edits among the kinds, by the largest-remainder (Hamilton) method.

        Shares are rounded down; the remaining edits go, one each, to the kinds with the largest
        remainders, ties to the first kind.

        >>> EditDistribution().apportion(10)
        {'substitution': 5, 'deletion': 3, 'insertion': 2}
        """
        exact = [share * edits for share in self.shares]
        counts = [int(count) for count in exact]
        by_rest = sorted(range(len(KINDS)), key=lambda k: counts[k] - exact[k])
        for k in by_rest[: edits - sum(counts)]:
            counts[k] += 1
        return dict(zip(KINDS, counts, strict=True))

    def draw(self, edits: int, stream: RandomStream) -> list[EditKind]:
        """Draw the kinds of a number of edits independently, with the shares as probabilities.

        >>> EditDistribution().draw(4, RandomStream("example"))
        ['deletion', 'deletion', 'insertion', 'insertion']
        """
        whole = lcm(*(share.denominator for share in self.shares))
        ends = list(accumulate(int(share * whole) for share in self.shares))
        return [KINDS[bisect_right(ends, stream.below(whole))] for _ in range(edits)]

    def __str__(self) -> str:
        return ", ".join(f"{kind} {share}" for kind, share in zip(KINDS, self.shares, strict=True))
