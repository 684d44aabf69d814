"""Similarity features of candidate links, and their weighted sum."""

from __future__ import annotations

from abc import ABC, abstractmethod
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
    """The characters outside the anchors on one side of a batch of sentence pairs.

    All arrays have one element per character, by sentence pair and then in text order.

    Attributes:
        pair: index of the sentence pair in the batch.
        position: code-point offset in the text.
        char: the code point; a grapheme cluster of several code points has a number above
            Unicode's range, the same for identical clusters.
        size: the number of code points.
        gap: number of the gap between anchors, the same on both sides.
        gap_offset: the number of leftover characters before it in the same gap.
        gap_size: the number of leftover characters in the gap on this side.
    """

    pair: Ints
    position: Ints
    char: CodePoints
    size: Ints
    gap: Ints
    gap_offset: Ints
    gap_size: Ints


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
        """Return the candidates with the given indices."""
        return replace(self, source_rows=self.source_rows[rows], target_rows=self.target_rows[rows])

    @property
    def chars(self) -> tuple[CodePoints, CodePoints]:
        """The two characters of each candidate."""
        return self.source.char[self.source_rows], self.target.char[self.target_rows]


def code_point(char: str) -> int:
    """Return the code point of a character.

    Raises:
        UsageError: `char` is not a single code point.
    """
    if len(char) != 1:
        raise UsageError(f"not a single character: {describe(char)}")
    return ord(char)


def normalised(rows: Rows) -> Rows:
    """Scale rows to length 1; rows of length 0 are unchanged."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Rows = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)
    return unit


class Feature(Protocol):
    """A score of candidate links, at most 1: 0 is neutral, negative values are evidence against."""

    @property
    def name(self) -> str:
        """The name and version of the feature, as part of signatures."""

    def __call__(self, candidates: Candidates) -> Floats:
        """Return the value of each candidate, in order."""


class CharacterSimilarity(ABC):
    """A similarity of two characters, such as a glyph table or a phonology: a `Feature`."""

    __slots__ = ()

    name: str

    @abstractmethod
    def similarities(self, a: CodePoints, b: CodePoints) -> Floats:
        """Return the similarities of two equally shaped arrays of code points, by element."""

    def similarity(self, a: str, b: str) -> float:
        """Return the similarity of two characters.

        Raises:
            UsageError: an argument is not a single code point.
        """
        codes = np.array([[code_point(a)], [code_point(b)]], dtype=np.uint32)
        return float(self.similarities(*codes)[0])

    def __call__(self, candidates: Candidates) -> Floats:
        """Return the similarity of the two characters of each candidate."""
        return self.similarities(*candidates.chars)


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

    A gap between two anchors has `a` source and `b` target characters. For the `u`-th source and
    the `v`-th target character of a gap, the value is
    (min(a, b) / max(a, b)) · (1 - d / max(a, b)), where d is the difference of their distances from
    the same end of the gap; the end with the smaller difference is used. If a = b, the value is 1
    for characters at the same place. Across gaps the value is half of `GlobalPosition`.
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
        if len(across):
            scores[across] = GlobalPosition()(candidates.take(across)) / 2
        return scores


DECIMALS = 9
"""Decimals of scores."""
_ROUNDED = 10.0**-DECIMALS  # the most that rounding changes a score
_BY_COST = ("pos", "glyph", "pinyin", "emb")


@dataclass(frozen=True, slots=True)
class Scorer:
    """A weighted sum of features as the score of candidates.

    A feature with weight 0 is not computed. An unavailable feature (without an entry in
    `features`) is omitted, and its weight is *not* redistributed: scores are lower, as if the
    feature were 0 everywhere.

    Args:
        weights: the weight of each feature.
        features: the features by the name of their weight: `emb`, `glyph`, `pinyin`, `pos`.
    """

    weights: Weights
    features: Mapping[str, Feature]

    def __call__(self, candidates: Candidates, threshold: float = -inf) -> Floats:
        """Return the score of each candidate, rounded to 9 decimals.

        Rounding makes comparisons with the threshold independent of the processor. The slowest
        feature comes last, and each feature sees only the candidates that can still exceed
        `threshold`. The score of any other candidate may be too low.
        """
        weights = asdict(self.weights)
        waiting = [name for name in _BY_COST if weights[name] and name in self.features]
        missing = sum(weights[name] for name in waiting)
        total = np.zeros(len(candidates))
        asked, rows = candidates, np.arange(len(candidates))
        for name in waiting:
            if not len(rows):
                break
            total[rows] += weights[name] * self.features[name](asked)
            missing -= weights[name]
            still = total[rows] + missing > threshold - _ROUNDED
            if not still.all():
                rows = rows[still]
                asked = candidates.take(rows)
        return np.round(total, DECIMALS)
