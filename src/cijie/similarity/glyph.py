"""Visual similarity of two characters, from a table of pairs.

This is the glyph feature of the score (Wang et al.; the idea of a table is from Gu et al., COLING
2025). `scripts/build_glyph_table.py` builds the table shipped with cijie. `GlyphTable.from_csv`
reads the paper's table, for users who have it.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from importlib import resources
from operator import methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cijie.bounds import content_of
from cijie.errors import FormatError, located
from cijie.similarity.features import CharacterSimilarity, code_point

HEADER = ("CharA", "CharB", "similarity")
"""The first line of a table in the paper's format."""

_BUILTIN = "builtin-1"
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class GlyphTable(CharacterSimilarity):
    """An immutable, symmetric table of glyph similarities in [0, 1].

    Pairs missing from the table have similarity 0. A character is a single code point.
    Tables are equal if their names are; the name of a table read from a file contains a hash.

    Args:
        name: the name of the table in signatures.
        keys: one number per pair, smaller code point * 2**32 + larger code point, ascending.
        values: the similarity of each pair.
        identical: the similarity of a character and itself, regardless of the table.

    >>> table = GlyphTable.builtin()
    >>> table.similarity("困", "团") > 0.8 > 0.5 > table.similarity("困", "鸟")
    True
    >>> table.similarity("困", "困"), table.similarity("3", "三"), table.similarity("學", "学")
    (1.0, 1.0, 0.97)
    """

    name: str
    keys: NDArray[np.uint64] = field(repr=False, compare=False)
    values: NDArray[np.float64] = field(repr=False, compare=False)
    identical: float = 1.0

    def __reduce__(self) -> tuple[Callable[..., GlyphTable], tuple[Any, ...]]:
        if self.name.startswith(_BUILTIN) and self.identical == 1:
            return methodcaller("builtin"), (GlyphTable,)
        return GlyphTable, (self.name, self.keys, self.values, self.identical)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.keys)

    @classmethod
    def identity(cls) -> GlyphTable:
        """Return the table without pairs: identical characters 1, all others 0.

        >>> GlyphTable.identity().similarity("困", "团")
        0.0
        """
        return cls("identity", np.empty(0, np.uint64), np.empty(0))

    @classmethod
    def builtin(cls) -> GlyphTable:
        """Read the table shipped with cijie, anew at every call.

        It has visually similar pairs among the characters of GB2312 and the frequent ones of Big5,
        by rank: the fewer pairs look more alike, the higher the similarity. Simplified,
        traditional and regional forms of a character have .97, full and half width and
        compatibility characters .98, digits and their Han numerals 1.
        """
        data = (resources.files(__package__) / "data" / "glyph-1.npz").read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            characters = archive["characters"].astype(np.uint64)
            counts = archive["counts"]
            low, middle, high = archive["gaps"].astype(np.int32)
            values = archive["values"] / np.float64(archive["steps"][0])
        # `scripts/build_glyph_table.py` tells the layout.
        first = np.repeat(np.arange(len(characters), dtype=np.int32), counts)
        places = np.cumsum(low | middle << 8 | high << 16, dtype=np.int64)
        second = places - first * np.int64(len(characters))
        keys = (characters[first] << _HALF) | characters[second]
        return cls(f"{_BUILTIN}/{sha256(data).hexdigest()[:8]}", keys, values)

    def literal(self) -> GlyphTable:
        """Return the same table under a literal reading of the paper: identical characters are 0.

        >>> GlyphTable.identity().literal().similarity("困", "困")
        0.0
        """
        return replace(self, name=f"{self.name}-literal", identical=0.0)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str]) -> GlyphTable:
        """Read a table with the columns `CharA,CharB,similarity` (UTF-8, with or without BOM).

        A pair counts in both directions and may be repeated with the same similarity; a character
        paired with itself must have 1. Blank lines are skipped.

        Raises:
            FormatError: the header is different, a row is not two single characters and a number
                in [0, 1], or a pair has two similarities; the error names the line.
        """
        data = content_of(path)
        with located(path=path):
            return cls(f"csv/{sha256(data).hexdigest()[:8]}", *_read_csv(data))

    def similarities(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Return the similarities of two equally shaped arrays of code points, by element.

        >>> a, b = (np.array([ord(c) for c in text], np.uint32) for text in ("困人", "困人"))
        >>> GlyphTable.identity().similarities(a, b[::-1]), GlyphTable.identity().similarities(a, b)
        (array([0., 0.]), array([1., 1.]))
        """
        a = np.asarray(a, dtype=np.uint64)
        b = np.asarray(b, dtype=np.uint64)
        same = np.where(a == b, self.identical, 0.0)
        if not len(self.keys):
            return same
        pairs = (np.minimum(a, b) << _HALF) | np.maximum(a, b)
        place = np.searchsorted(self.keys, pairs).clip(max=len(self.keys) - 1)
        # An identical pair is never in the table: at most one of the two terms is not 0.
        same += np.where(self.keys[place] == pairs, self.values[place], 0.0)
        return same

    def nearest(self, char: str, n: int = 10) -> list[tuple[str, float]]:
        """Return the `n` characters most similar to `char`, best first; ties by code point.

        >>> [near for near, _ in GlyphTable.builtin().nearest("人", 2)]
        ['入', '⼈']
        """
        code = np.uint64(code_point(char))
        first, second = self.keys >> _HALF, self.keys & _LOW
        others = np.concatenate((second[first == code], first[second == code]))
        values = np.concatenate((self.values[first == code], self.values[second == code]))
        best = np.lexsort((others, -values))[: max(n, 0)]
        return [(chr(int(others[i])), float(values[i])) for i in best]


def _read_csv(data: bytes) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Read the keys and values of the rows, without rows that say nothing."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"not UTF-8: {error.reason}", line=line) from error
    known: dict[int, float] = {}
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    row: list[str] = []
    try:
        if tuple(next(reader, [])) != HEADER:
            raise FormatError(f"expected the header {','.join(HEADER)!r}", line=1)
        for row in filter(None, reader):
            key, value = _parse_row(row)
            if known.setdefault(key, value) != value:
                raise ValueError(f"the pair has the similarity {known[key]:g} in a row above")
    except csv.Error as error:
        raise FormatError(f"not CSV: {error}", line=reader.line_num) from error
    except ValueError as error:
        raise FormatError(f"{error}: {','.join(row)!r}", line=reader.line_num) from None
    pairs = sorted(
        (key, value)
        for key, value in known.items()
        if value > 0 and key >> 32 != key & 0xFFFFFFFF  # what is left out says nothing
    )
    keys, values = zip(*pairs, strict=True) if pairs else ((), ())
    return np.array(keys, np.uint64), np.array(values, np.float64)


def _parse_row(row: list[str]) -> tuple[int, float]:
    if len(row) != len(HEADER):
        raise ValueError(f"expected {len(HEADER)} columns, got {len(row)}")
    a, b, text = row
    first, second = sorted((code_point(a), code_point(b)))
    try:
        value = float(text)
    except ValueError:
        raise ValueError("the similarity is not a number") from None
    if not 0 <= value <= 1:
        raise ValueError("the similarity must be in [0, 1]")
    if first == second and value != 1:
        raise ValueError("the similarity of a character with itself must be 1")
    return first << 32 | second, value
