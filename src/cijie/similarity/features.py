"""What a similarity feature is; features of two characters by themselves, and of their places."""

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


@dataclass(frozen=True, slots=True)
class GlobalPosition:
    """The paper's position feature, 1 - |i - j| / max(m, n).

    `i` and `j` are code-point offsets, `m` and `n` the lengths of source and target.
    """

    name: str = "global"

    def __call__(self, candidates: Candidates) -> Floats:
        longer = np.array([max(map(len, pair)) for pair in candidates.texts], dtype=np.float64)
        i = candidates.source.position[candidates.source_rows]
        j = candidates.target.position[candidates.target_rows]
        scores: Floats = 1 - np.abs(i - j) / longer[candidates.source.pair[candidates.source_rows]]
        return scores


@dataclass(frozen=True, slots=True)
class LocalPosition:
    """Position within the gap between the neighbouring anchors.

    Between two anchors lie `a` source and `b` target characters that are not anchored. Those of one
    gap correspond in order: for the `u`-th of the former and the `v`-th of the latter the value is
    (min(a, b) / max(a, b)) · (1 - d / max(a, b)), where d is the difference of their distances from
    the same end of the gap, the end from which it is smaller. In a gap of equal length it is 1 for
    characters in the same place. Across gaps it is half of `GlobalPosition`.
    """

    name: str = "local"

    def __call__(self, candidates: Candidates) -> Floats:
        s, t = candidates.source_rows, candidates.target_rows
        source, target = candidates.source, candidates.target
        a, b = source.gap_size[s], target.gap_size[t]
        u, v = source.gap_offset[s], target.gap_offset[t]
        shift = np.minimum(np.abs(u - v), np.abs((a - u) - (b - v)))
        longer = np.maximum(a, b)
        scores: Floats = np.minimum(a, b) / longer * (1 - shift / longer)
        across = np.flatnonzero(source.gap[s] != target.gap[t])
        scores[across] = GlobalPosition()(candidates.take(across)) / 2
        return scores
