"""How many of the edits are substitutions, deletions and insertions."""

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
"""What becomes of a character of the target: another one stands in its place, it is missing, or
there is another one beside it."""

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
        """Read `.483,.318,.199`; shares that add up to 1 but for their rounding are scaled.

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
        """The distribution of the edits that make the sources of `(source, target)` pairs.

        They are the operations of a Levenshtein alignment of each target with its source,
        character by character, white space aside. Where several alignments have the smallest
        distance, RapidFuzz's choice decides whether two edits are substitutions or not.

        Raises:
            UsageError: no source differs from its target.

        >>> pairs = ("旅行困", "旅行团"), ("好", "好的"), ("我要去", "我去")
        >>> print(EditDistribution.estimate(pairs))
        substitution 1/3, deletion 1/3, insertion 1/3
        """
        counts: Counter[str] = Counter()
        for source, target in pairs:
            operations = Levenshtein.editops(*_numbered(target, source))
            counts.update(_TAGS[operation.tag] for operation in operations)
        total = counts.total()
        if not total:
            raise UsageError("the pairs contain no edit")
        return cls(*(Fraction(counts[kind], total) for kind in KINDS))

    def apportion(self, edits: int) -> dict[EditKind, int]:
        """How many of so many edits are of which kind: as near to the shares as whole numbers are.

        The parts after the point are given, one each, to the kinds where they are largest, the
        first of equals (Hamilton's method).

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
        """So many kinds, each drawn by itself with the shares as probabilities.

        >>> EditDistribution().draw(4, RandomStream("example"))
        ['deletion', 'deletion', 'insertion', 'insertion']
        """
        whole = lcm(*(share.denominator for share in self.shares))
        ends = list(accumulate(int(share * whole) for share in self.shares))
        return [KINDS[bisect_right(ends, stream.below(whole))] for _ in range(edits)]

    def __str__(self) -> str:
        return ", ".join(f"{kind} {share}" for kind, share in zip(KINDS, self.shares, strict=True))


def _numbered(*texts: str) -> list[list[int]]:
    """The visible characters of texts as numbers; RapidFuzz compares clusters by their hashes."""
    numbers: dict[str, int] = {}
    return [
        [numbers.setdefault(key, len(numbers)) for key in split.visible(split.keys)]
        for split in map(characters, texts)
    ]
