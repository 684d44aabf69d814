"""How alike two linked characters are, and in what: what a reason names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

from cijie.pictures.wording import decimal, visible
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology

Means = Literal["place", "shape", "sound", "link"]
MEANS: tuple[Means, ...] = get_args(Means)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Why a source character stands for a target character.

    Attributes:
        source, target: the two characters.
        by: `"place"`: they are identical, but stand elsewhere; `"shape"`, `"sound"`: in this they
            are most alike; `"link"`: they are alike in neither, but linked.
        value: how alike they are by that, in [0, 1]; for `"link"` the score of the link.
    """

    source: str
    target: str
    by: Means
    value: float

    def __str__(self) -> str:
        a, b = visible(self.source), visible(self.target)
        match self.by:
            case "place":
                return f"{a} is the same character in another place"
            case "shape":
                return f"{a} looks like {b} ({decimal(self.value)})"
            case "sound":
                return f"{a} sounds like {b} ({decimal(self.value)})"
            case "link":
                return f"{a} is linked to {b} ({decimal(self.value)})"


def likeness(source: str, target: str, score: float) -> Likeness:
    """In what two characters that are linked are most alike, by the tables that cijie ships.

    >>> print(likeness("困", "团", 0.6), likeness("做", "作", 0.6), sep="; ")
    困 looks like 团 (.89); 做 sounds like 作 (1)
    """
    if source == target:
        return Likeness(source, target, "place", 1.0)
    by, value = _most_alike(source, target) if len(source) == len(target) == 1 else ("link", 0.0)
    return Likeness(source, target, by, value or score)


_ALIKE = 0.3  # what is less alike is not called so


@lru_cache(maxsize=1 << 16)
def _most_alike(a: str, b: str) -> tuple[Means, float]:
    glyphs, sounds = _tables()
    shape, sound = glyphs.similarity(a, b), sounds.similarity(a, b)
    # Half of all syllables sound somewhat alike, so sound counts by its square, as in P3.
    if max(shape, sound * sound) < _ALIKE:
        return "link", 0.0
    return ("shape", shape) if shape >= sound * sound else ("sound", sound)


@cache
def _tables() -> tuple[GlyphTable, Phonology]:
    return GlyphTable.builtin(), Phonology()
