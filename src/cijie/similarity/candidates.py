"""Pairs of leftover characters, as arrays that features score at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

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
