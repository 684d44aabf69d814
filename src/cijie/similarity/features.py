"""Similarity features: what they are given, those of characters and places, and their sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from cijie.errors import UsageError, describe
from cijie.similarity.weights import Weights

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
    """Scores candidate links, at most 1: 0 is neutral, negative is evidence against."""

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


_DECIMALS = 9
_ROUNDED = 10.0**-_DECIMALS  # by no more is a score changed
_BY_COST = ("pos", "glyph", "pinyin", "emb")


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores candidates by a weighted sum of features.

    A feature with weight 0 is not computed. One that is not available (no entry in `features`) is
    left out and its weight is *not* given to the others: scores then are lower, as they would be
    were the feature 0 everywhere.

    Args:
        weights: the weight of each feature.
        features: the features by their weight's name: `emb`, `glyph`, `pinyin`, `pos`.
    """

    weights: Weights
    features: Mapping[str, Feature]

    def __call__(self, candidates: Candidates, threshold: float = -inf) -> Floats:
        """The score of each candidate, rounded to 9 decimals.

        Rounding makes "greater than the threshold" mean the same on every processor. The slowest
        feature comes last, and each one sees only the candidates that can still exceed
        `threshold`. The score of any other candidate may be too low.
        """
        size = len(candidates)
        values: dict[str, Floats] = {}
        sums, asked, rows = np.zeros(size), candidates, np.arange(size)
        weights = asdict(self.weights)
        waiting = {n: weights[n] for n in _BY_COST if weights[n] and n in self.features}
        while waiting and len(rows):
            name = next(iter(waiting))
            found = self.features[name](asked)
            sums += waiting.pop(name) * found
            if len(rows) == size:
                values[name] = found
            else:
                values[name] = np.zeros(size)
                values[name][rows] = found
            still = sums + sum(waiting.values()) > threshold - _ROUNDED
            if waiting and not still.all():
                rows, sums = rows[still], sums[still]
                asked = candidates.take(rows)
        return weighted_sum(self.weights, values, size)

    @property
    def signature(self) -> str:
        """Weights and what the features are, as `emb=0.1:absent,glyph=0.6:identity,…`."""
        names = {name: feature.name for name, feature in self.features.items()}
        return ",".join(
            f"{name}={weight:g}" + (f":{names.get(name, 'absent')}" if weight else "")
            for name, weight in asdict(self.weights).items()
        )


def weighted_sum(weights: Weights, values: Mapping[str, Floats], size: int) -> Floats:
    """Σ λ_f · f over the features in `values`, in the order of `Weights`.

    Args:
        weights: one for each feature.
        values: of the features, one for each candidate.
        size: the number of candidates.
    """
    total = np.zeros(size)
    for name, weight in asdict(weights).items():
        if weight and name in values:
            total += weight * values[name]
    return np.round(total, _DECIMALS)
