"""The context feature without an encoder: static character vectors and neighbouring characters.

It replaces the hidden states of an encoder (`cijie.similarity.bert`) where none is available. It
is not equivalent: a character has the same vector everywhere, and its context is its four
neighbours.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from operator import methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cijie.similarity.features import (
    Candidates,
    CharacterSimilarity,
    CodePoints,
    Floats,
    Ints,
    Leftovers,
    normalised,
)

# The nearer neighbours have twice the weight of the farther ones.
_NEIGHBOURS = ((-2, 1), (-1, 2), (1, 2), (2, 1))

_BUILTIN = "vectors-1"


@dataclass(frozen=True, slots=True)
class CharacterVectors(CharacterSimilarity):
    """A table of static character vectors.

    Args:
        name: the name of the table in signatures.
        characters: code points, ascending.
        vectors: one row per character; only the directions matter.

    >>> vectors = CharacterVectors.builtin()
    >>> vectors.similarity("吃", "喝") > vectors.similarity("吃", "部")
    True
    """

    name: str
    characters: CodePoints = field(repr=False, compare=False)
    vectors: NDArray[np.float32] = field(repr=False, compare=False)

    @classmethod
    def builtin(cls) -> CharacterVectors:
        """Return the vectors shipped with cijie; see `scripts/build_character_vectors.py`."""
        content = (resources.files(__package__) / "data" / f"{_BUILTIN}.npz").read_bytes()
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            vectors = normalised(archive["vectors"].astype(np.float32))
            characters = archive["characters"].astype(np.uint32)
        name = f"{_BUILTIN}/{hashlib.sha256(content).hexdigest()[:8]}"
        return cls(name, characters, vectors)

    def __reduce__(self) -> tuple[Callable[..., CharacterVectors], tuple[Any, ...]]:
        if self.name.startswith(_BUILTIN):
            return methodcaller("builtin"), (CharacterVectors,)
        return CharacterVectors, (self.name, self.characters, self.vectors)

    def similarities(self, a: CodePoints, b: CodePoints) -> Floats:
        """Return the cosines of the vectors, element by element, clipped at 0.

        The value is 1 for identical characters, and 0 where one of the two has no vector.
        """
        (left, left_known), (right, right_known) = map(self._find, (a, b))
        products = np.einsum("ij,ij->i", self.vectors[left], self.vectors[right])
        known = left_known & right_known
        cosines: Floats = np.where(known, products.clip(0, 1), 0).astype(np.float64)
        cosines[a == b] = 1.0
        return cosines

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the vectors of each text, one row per code point; zeros for a missing vector.

        >>> [rows] = CharacterVectors.builtin().encode(["吃。"])
        >>> rows.any(axis=1).tolist()
        [True, False]
        """
        vectors = []
        for text in texts:
            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
            rows, known = self._find(codes)
            vectors.append(self.vectors[rows] * known[:, np.newaxis].astype(np.float32))
        return vectors

    def _find(self, codes: CodePoints) -> tuple[Ints, NDArray[np.bool_]]:
        """Return a row for each code point, and whether the row belongs to the code point."""
        rows = np.searchsorted(self.characters, codes).clip(max=len(self.characters) - 1)
        return rows, self.characters[rows] == codes


@dataclass(frozen=True, slots=True)
class EmbeddedContext:
    """The mean of the cosine of two characters' vectors and the share of identical neighbours.

    The neighbours are the two characters on each side, the nearer one with twice the weight. The
    edge of a text counts as a character of its own.
    """

    vectors: CharacterVectors

    @property
    def name(self) -> str:
        return f"embedded:{self.vectors.name}"

    def __call__(self, candidates: Candidates) -> Floats:
        leftovers = candidates.source, candidates.target
        around = [
            _neighbours(texts, side)
            for texts, side in zip(zip(*candidates.texts, strict=True), leftovers, strict=True)
        ]
        same = np.zeros(len(candidates))
        for column, (_, weight) in enumerate(_NEIGHBOURS):
            left = around[0][candidates.source_rows, column]
            right = around[1][candidates.target_rows, column]
            same += weight * (left == right)
        same /= sum(weight for _, weight in _NEIGHBOURS)
        scores: Floats = (self.vectors(candidates) + same) / 2
        return scores


def _neighbours(texts: Sequence[str], leftovers: Leftovers) -> CodePoints:
    """Return the neighbours of each leftover character of one side, one column per neighbour."""
    edge = "\0\0"  # as wide as neighbours reach
    joined = edge + edge.join(texts) + edge
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    starts = np.cumsum([len(edge)] + [len(text) + len(edge) for text in texts])[:-1]
    places = starts[leftovers.pair] + leftovers.position
    around: CodePoints = codes[places[:, None] + [reach for reach, _ in _NEIGHBOURS]]
    return around
