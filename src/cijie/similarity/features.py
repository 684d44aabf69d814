"""Similarity features: what they are given, what they give, and those of characters and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cijie.errors import UsageError, describe

Ints = NDArray[np.intp]
CodePoints = NDArray[np.uint32]
Floats = NDArray[np.float64]

Rows = TypeVar("Rows", NDArray[np.float32], NDArray[np.float64])


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The characters that anchors left unlinked on one side of a batch of sentence pairs.

    All arrays have one element per character, in text order, sentence pair after sentence pair.

    Attributes:
        pair: index of the sentence pair in the batch.
        position: code-point offset in its text.
        char: its code point; a grapheme cluster of several has a number above Unicode's range,
            the same for equal clusters.
        size: how many code points it has.
        gap: number of the gap between anchors that it lies in, the same for both sides.
        gap_offset: how many leftover characters of the same gap precede it.
        gap_size: how many leftover characters the gap has on this side.
    """

    pair: Ints
    position: Ints
    char: CodePoints
    size: Ints
    gap: Ints
    gap_offset: Ints
    gap_size: Ints

    def __len__(self) -> int:
        return len(self.pair)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidate links: rows `source_rows[k]` and `target_rows[k]` of the two sides' leftovers.

    `texts` holds the sentence pairs of the batch.
    """

    texts: Sequence[tuple[str, str]]
    source: Leftovers
    target: Leftovers
    source_rows: Ints
    target_rows: Ints

    def __len__(self) -> int:
        return len(self.source_rows)

    def take(self, rows: Ints) -> Candidates:
        """Some of the candidates, by their numbers."""
        return replace(self, source_rows=self.source_rows[rows], target_rows=self.target_rows[rows])

    @property
    def chars(self) -> tuple[CodePoints, CodePoints]:
        """The two characters of each candidate."""
        return self.source.char[self.source_rows], self.target.char[self.target_rows]


def code_point(char: str) -> int:
    """The number of a character.

    Raises:
        UsageError: it is not a single code point.
    """
    if len(char) != 1:
        raise UsageError(f"not a single character: {describe(char)}")
    return ord(char)


def normalised(rows: Rows) -> Rows:
    """Rows of length 1 in the same directions; those of length 0 stay."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit


class Feature(Protocol):
    """Gives every candidate link a value, at most 1: 0 says nothing, less than 0 speaks against."""

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
