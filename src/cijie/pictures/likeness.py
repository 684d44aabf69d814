"""Explain why two characters are linked: by shape, by sound or by place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from cijie.choices import Language
from cijie.pictures.wording import decimal, message
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology

Means = Literal["moved", "shape", "sound", "place"]

ALIKE = 0.3
"""The lowest similarity at which two characters count as similar in shape or sound."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The feature by which a source character is linked to a target character.

    Attributes:
        source: the source character.
        target: the target character.
        by: `"moved"`: the characters are identical, but in different places; `"shape"` or
            `"sound"`: the more similar of the two features; `"place"`: neither is similar, so
            place or context links them.
        value: the similarity by this feature, in [0, 1]; for `"place"` the score of the link.
    """

    source: str
    target: str
    by: Means
    value: float

    def in_language(self, language: Language = "en") -> str:
        """Return the likeness as a clause of a sentence."""
        value = decimal(self.value)
        return message(f"alike.{self.by}", language, a=self.source, b=self.target, value=value)

    __str__ = in_language


def likeness(source: str, target: str, score: float | None) -> Likeness:
    """Find the feature that links two characters, by the tables that cijie ships.

    Args:
        source: the source character.
        target: the target character.
        score: the score of the link.

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
    # Half of all syllables sound somewhat similar, so sound counts by its square, as in P3.
    if max(shape, sound * sound) < ALIKE:
        return "place", 0.0
    return ("shape", shape) if shape >= sound * sound else ("sound", sound)


@cache
def _tables() -> tuple[GlyphTable, Phonology]:
    return GlyphTable.builtin(), Phonology()
