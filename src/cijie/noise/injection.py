"""Draw the kinds of edits and wrong characters, any or similar to the right one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import Literal, NamedTuple, get_args

import numpy as np
from rapidfuzz.distance import Levenshtein

from cijie.errors import CijieError, UsageError, describe
from cijie.noise.randomness import RandomStream
from cijie.similarity.features import CharacterSimilarity
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology
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

GLYPH_ALIKE = 0.8
"""The lowest similarity in the glyph table at which two characters look similar."""
SOUND_ALIKE = 0.85
"""The lowest tone-aware similarity at which two characters sound similar: the same syllable in any
tone, or an easily confused syllable in the same tone."""


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


@dataclass(frozen=True, slots=True)
class Pool:
    """Characters to draw from, weighted by their frequency.

    Args:
        name: the origin of the characters.
        counts: the characters with their numbers of occurrences, in code-point order.

    >>> pool = Pool.of(["我 去", "我们"], "example")
    >>> pool.counts, pool.total
    ((('们', 1), ('去', 1), ('我', 2)), 4)
    """

    name: str
    counts: tuple[tuple[str, int], ...]
    _ends: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ends", tuple(accumulate(count for _, count in self.counts)))

    @classmethod
    def of(cls, texts: Iterable[str], name: str) -> Pool:
        """Collect all characters of `texts` except white space."""
        counts: Counter[str] = Counter()
        for split in map(characters, texts):
            counts.update(split.visible(split.keys))
        return cls(name, tuple(sorted(counts.items())))

    @property
    def total(self) -> int:
        """The total number of occurrences."""
        return self._ends[-1] if self._ends else 0

    def draw(self, stream: RandomStream, *, but: str = "") -> str:
        """Draw a character other than `but`.

        Raises:
            CijieError: the pool has no other character.
        """
        place = bisect_right(self.counts, (but, -1))
        start = self._ends[place - 1] if place else 0
        skipped = 0
        if place < len(self.counts) and self.counts[place][0] == but:
            skipped = self.counts[place][1]
        if self.total == skipped:
            raise CijieError(f"the pool ({self.name}) has no character other than {describe(but)}")
        drawn = stream.below(self.total - skipped)
        if drawn >= start:
            drawn += skipped
        return self.counts[bisect_right(self._ends, drawn)][0]


class Alike(NamedTuple):
    """A similarity of characters, and the least of it at which two count as similar."""

    similarity: CharacterSimilarity
    least: float


@dataclass(frozen=True, slots=True)
class Noise:
    """Draws wrong characters. Uniform noise, as in the paper, draws from the whole pool, whatever
    is replaced.

    In similar noise, like learners' errors, a substitute looks or sounds like the right character.
    A coin toss decides between shape and sound. If the pool has no such character, the other
    feature is tried; failing both, as for punctuation, the whole pool is used. Insertions are
    always drawn from the whole pool.

    Args:
        pool: the characters to draw from.
        alike: the features by which substitutes are similar; none for uniform noise.
    """

    pool: Pool
    alike: Mapping[str, Alike] = field(default_factory=dict)
    _found: dict[tuple[str, str], Pool] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def similar(cls, pool: Pool) -> Noise:
        """Return similar noise by the shipped glyph table and what learners confuse."""
        sounds = Phonology("tone-aware")
        glyph, sound = Alike(GlyphTable.builtin(), GLYPH_ALIKE), Alike(sounds, SOUND_ALIKE)
        return cls(pool, {"glyph": glyph, "sound": sound})

    @property
    def name(self) -> str:
        """The kind of noise, with the versions of its tables."""
        features = [f"{x}={its.similarity.name}>={its.least}" for x, its in self.alike.items()]
        return ":".join(["similar", *features]) if features else "uniform"

    def substitution(self, char: str, stream: RandomStream) -> str:
        """Draw a character to replace `char`, never `char` itself."""
        features = list(self.alike)
        if features and stream.below(2):
            features.reverse()
        for feature in features:
            alike = self._like(char, feature)
            if alike.counts:
                return alike.draw(stream)
        return self.pool.draw(stream, but=char)

    def _like(self, char: str, feature: str) -> Pool:
        """Return the characters of the pool that are similar to `char`, without `char`."""
        if (char, feature) not in self._found:
            similarity, least = self.alike[feature]
            # Neither table has clusters of several code points.
            others = [x for x, _ in self.pool.counts if len(x) == len(char) == 1 and x != char]
            pairs = np.array([(ord(char), ord(x)) for x in others], dtype=np.uint32)
            values = similarity.similarities(*pairs.reshape(-1, 2).T)
            like = {x for x, value in zip(others, values, strict=True) if value >= least}
            counts = tuple(item for item in self.pool.counts if item[0] in like)
            self._found[char, feature] = Pool(self.pool.name, counts)
        return self._found[char, feature]
