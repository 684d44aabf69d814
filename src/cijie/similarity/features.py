"""What a similarity feature is, and features of two characters whatever their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cijie.similarity.candidates import Candidates, CodePoints, Floats


class Feature(Protocol):
    """Gives every candidate link a value in [0, 1]."""

    @property
    def name(self) -> str:
        """What it is, with its version: part of the signature of every score."""

    def __call__(self, candidates: Candidates) -> Floats:
        """The value of each candidate, in their order."""


class CharacterSimilarity(Protocol):
    """A similarity of two characters, such as a glyph table or a phonology."""

    @property
    def name(self) -> str: ...

    def similarities(self, a: CodePoints, b: CodePoints) -> Floats:
        """Element by element, over code points."""


@dataclass(frozen=True, slots=True)
class OfCharacters:
    """A similarity of two characters as a feature of candidates."""

    similarity: CharacterSimilarity

    @property
    def name(self) -> str:
        return self.similarity.name

    def __call__(self, candidates: Candidates) -> Floats:
        left, rows = np.unique(candidates.source.char, return_inverse=True)
        right, columns = np.unique(candidates.target.char, return_inverse=True)
        if len(left) * len(right) >= len(candidates):
            return self.similarity.similarities(*candidates.chars)
        # Where the same characters meet again and again, each two are compared once.
        grid = self.similarity.similarities(*np.broadcast_arrays(left[:, None], right[None, :]))
        values: Floats = grid[rows[candidates.source_rows], columns[candidates.target_rows]]
        return values
