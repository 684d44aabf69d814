"""Why two characters are linked: by shape, by sound, or by their place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from cijie.pictures.wording import Language, decimal, message
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology

Means = Literal["moved", "shape", "sound", "place"]

ALIKE = 0.3
"""From this likeness on, two characters look or sound alike."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Why a source character stands for a target character.

    Attributes:
        source, target: the two characters.
        by: `"moved"`: they are identical, but stand elsewhere; `"shape"`, `"sound"`: in this they
            are most alike; `"place"`: they are alike in neither, so that place or context links
            them.
        value: how alike they are by that, in [0, 1]; for `"place"` the score of the link.
    """

    source: str
    target: str
    by: Means
    value: float

    def __str__(self) -> str:
        return self.in_language("en")

    def in_language(self, language: Language) -> str:
        """The likeness as a part of a sentence."""
        value = decimal(self.value)
        return message(self.by, language, a=self.source, b=self.target, value=value)


def likeness(source: str, target: str, score: float | None) -> Likeness:
    """What links two characters, by the tables that cijie ships.

    Args:
        source, target: the characters.
        score: that of the link.

    >>> print(likeness("困", "团", 0.6), likeness("做", "作", 0.6), sep="; ")
    困 looks like 团 (similarity .89); 做 sounds like 作 (similarity 1)
    >>> print(likeness("有", "感", 0.56))
    有 is linked to 感 by place or context (score .56)
    """
    if source == target:
        return Likeness(source, target, "moved", 1.0)
    by, value = _most_alike(source, target) if len(source) == len(target) == 1 else ("place", 0.0)
    return Likeness(source, target, by, score or 0.0 if by == "place" else value)


@lru_cache(maxsize=1 << 16)
def _most_alike(a: str, b: str) -> tuple[Means, float]:
    glyphs, sounds = _tables()
    shape, sound = glyphs.similarity(a, b), sounds.similarity(a, b)
    # Half of all syllables sound somewhat alike, so sound counts by its square, as in P3.
    if max(shape, sound * sound) < ALIKE:
        return "place", 0.0
    return ("shape", shape) if shape >= sound * sound else ("sound", sound)


@cache
def _tables() -> tuple[GlyphTable, Phonology]:
    return GlyphTable.builtin(), Phonology()
