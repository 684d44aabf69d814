"""Draw wrong characters: from a pool, or among characters similar to the right one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal, NamedTuple

import numpy as np

from cijie.errors import CijieError, describe
from cijie.noise.randomness import RandomStream
from cijie.similarity.features import CharacterSimilarity
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology
from cijie.text.characters import characters

Origin = Literal["pool", "glyph", "sound"]

GLYPH_ALIKE = 0.8
"""The lowest similarity in the glyph table at which two characters look similar."""
SOUND_ALIKE = 0.85
"""The lowest tone-aware similarity at which two characters sound similar: the same syllable in any
tone, or an easily confused syllable in the same tone."""


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

    def only(self, chosen: Iterable[str]) -> Pool:
        """Return the pool restricted to the chosen characters."""
        kept = frozenset(chosen)
        return Pool(self.name, tuple(item for item in self.counts if item[0] in kept))

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
    alike: Mapping[Origin, Alike] = field(default_factory=dict)
    _found: dict[tuple[str, Origin], Pool] = field(
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

    def substitution(self, char: str, stream: RandomStream) -> tuple[str, Origin]:
        """Draw a character to replace `char`, never `char` itself; return it with its origin."""
        origins = list(self.alike)
        if origins and stream.below(2):
            origins.reverse()
        for origin in origins:
            alike = self._like(char, origin)
            if alike.counts:
                return alike.draw(stream), origin
        return self.pool.draw(stream, but=char), "pool"

    def _like(self, char: str, origin: Origin) -> Pool:
        """Return the characters of the pool that are similar to `char`, without `char`."""
        if (char, origin) not in self._found:
            similarity, least = self.alike[origin]
            # Neither table has clusters of several code points.
            others = [x for x, _ in self.pool.counts if len(x) == len(char) == 1 and x != char]
            pairs = np.array([(ord(char), ord(x)) for x in others], dtype=np.uint32)
            values = similarity.similarities(*pairs.reshape(-1, 2).T)
            like = self.pool.only(x for x, v in zip(others, values, strict=True) if v >= least)
            self._found[char, origin] = like
        return self._found[char, origin]
