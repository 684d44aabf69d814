"""How much two characters look alike, looked up in a table of pairs.

The score's glyph feature (Wang et al.; the idea of a table is Gu et al.'s, COLING 2025). The table
that cijie ships is built by `scripts/build_glyph_table.py`; the paper's own, where a user has it,
is read by `GlyphTable.from_csv`.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
from array import array
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cijie.errors import FormatError, describe, located
from cijie.shipped import Shipped
from cijie.similarity.features import code_point

HEADER = ("CharA", "CharB", "similarity")
"""First line of a table in the paper's format."""

_BUILTIN = "builtin-1"
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class GlyphTable(Shipped):
    """An immutable, symmetric table of glyph similarities in [0, 1].

    Pairs that are not in the table have similarity 0. A character is a single code point.
    Tables are equal if their names are: those read from a file carry a hash.

    Args:
        name: what the table is, as it stands in the signature of a score.
        keys: one number a pair, smaller code point * 2**32 + larger code point, ascending.
        values: the similarity of each pair.
        identical: the similarity of a character and itself, whatever the table has.

    Raises:
        ValueError: arrays that do not fit together, keys out of order, values outside [0, 1].

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

    def __post_init__(self) -> None:
        keys = np.array(self.keys, dtype=np.uint64)
        values = np.array(self.values, dtype=np.float64)
        if keys.ndim != 1 or keys.shape != values.shape:
            raise ValueError(f"{len(keys)} keys do not fit {len(values)} values")
        if not bool(np.all(keys[1:] > keys[:-1])):
            raise ValueError("keys are not ascending")
        if not bool(np.all(keys >> _HALF < keys & _LOW)):
            raise ValueError("a key whose first code point is not the smaller one")
        if not bool(np.all((values >= 0) & (values <= 1))):
            raise ValueError("a similarity is not in [0, 1]")
        keys.flags.writeable = values.flags.writeable = False
        object.__setattr__(self, "keys", keys)
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        """The number of pairs."""
        return len(self.keys)

    @classmethod
    def identity(cls) -> GlyphTable:
        """The table without pairs: identical characters 1, all others 0.

        >>> GlyphTable.identity().similarity("困", "团")
        0.0
        """
        return cls("identity", np.empty(0, np.uint64), np.empty(0))

    @classmethod
    def builtin(cls) -> GlyphTable:
        """The table that comes with cijie, read anew at every call.

        Look-alikes among the characters of GB2312 and the frequent ones of Big5, by rank: the
        similarity says how few pairs look more alike. Simplified, traditional and regional forms
        of a character have .97, full and half width and compatibility characters .98, digits and
        their Han numerals 1.
        """
        data = (resources.files(__package__) / "data" / "glyph-1.npz").read_bytes()
        return cls(f"{_BUILTIN}/{_digest(data)}", *decode(data))._as_builtin()

    def literal(self) -> GlyphTable:
        """The same table read as the paper's words have it: it has no pair of identical characters.

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
            FormatError: another header, a row that is not two single characters and a number in
                [0, 1], or a pair with two similarities; the error names the line.
        """
        data = Path(path).read_bytes()
        with located(path=path):
            return cls(f"csv/{_digest(data)}", *_merge(*_read_csv(data)))

    def similarities(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Similarity, element by element, of two equally shaped arrays of code points.

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
        # Asked for in order, neighbours lie in the same part of the table, which then is at hand.
        order = np.argsort(pairs, axis=None)
        place = np.empty(pairs.shape, dtype=np.intp)
        place.ravel()[order] = np.searchsorted(self.keys, pairs.ravel()[order])
        np.minimum(place, len(self.keys) - 1, out=place)
        # An identical pair is never in the table: at most one of the two terms is not 0.
        same += np.where(self.keys[place] == pairs, self.values[place], 0.0)
        return same

    def similarity(self, a: str, b: str) -> float:
        """Similarity of two characters.

        Raises:
            UsageError: an argument that is not a single code point.
        """
        codes = np.array([[code_point(a)], [code_point(b)]], dtype=np.uint32)
        return float(self.similarities(*codes)[0])

    def nearest(self, char: str, n: int = 10) -> list[tuple[str, float]]:
        """The `n` characters most like `char`, best first, in code-point order where equal.

        >>> [near for near, _ in GlyphTable.builtin().nearest("人", 2)]
        ['入', '⼈']
        """
        code = np.uint64(code_point(char))
        first, second = self.keys >> _HALF, self.keys & _LOW
        others = np.concatenate((second[first == code], first[second == code]))
        values = np.concatenate((self.values[first == code], self.values[second == code]))
        best = np.lexsort((others, -values))[: max(n, 0)]
        return [(chr(int(others[i])), float(values[i])) for i in best]


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:8]


def decode(data: bytes) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Keys and values of a data file; its layout is described where it is written, in scripts/."""
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        characters = archive["characters"].astype(np.uint64)
        counts = archive["counts"]
        low, middle, high = archive["gaps"].astype(np.int32)
        values = archive["values"] / np.float64(archive["steps"][0])
    first = np.repeat(np.arange(len(characters), dtype=np.int32), counts)
    second = np.cumsum(low | middle << 8 | high << 16, dtype=np.int64) - first * np.int64(
        len(characters)
    )
    return (characters[first] << _HALF) | characters[second], values


_Rows = tuple[NDArray[np.uint64], NDArray[np.float64], NDArray[np.uint64]]


def _read_csv(data: bytes) -> _Rows:
    """Key, similarity and line of each row."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(f"not UTF-8: {error.reason}", line=line) from error
    keys, values, lines = array("Q"), array("d"), array("Q")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = ",".join(next(reader, []))
        if header != ",".join(HEADER):
            raise FormatError(f"expected the header {','.join(HEADER)!r}, got {header!r}", line=1)
        for row in filter(None, reader):
            key, value = _parse_row(row)
            keys.append(key)
            values.append(value)
            lines.append(reader.line_num)
    except csv.Error as error:
        raise FormatError(f"not CSV: {error}", line=reader.line_num) from error
    except ValueError as error:
        message = f"{error}: {','.join(row)!r}"
        raise FormatError(message, line=reader.line_num) from None
    return np.array(keys, np.uint64), np.array(values, np.float64), np.array(lines, np.uint64)


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


def _merge(
    keys: NDArray[np.uint64], values: NDArray[np.float64], lines: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Rows in the order of their keys, each pair once, those that say nothing left out."""
    order = np.argsort(keys, kind="stable")
    keys, values, lines = keys[order], values[order], lines[order]
    repeated = keys[1:] == keys[:-1]
    conflicts = np.flatnonzero(repeated & (values[1:] != values[:-1]))
    if len(conflicts):
        at = conflicts[np.argmin(lines[conflicts + 1])]
        pair = [describe(chr(int(code))) for code in (keys[at] >> _HALF, keys[at] & _LOW)]
        message = (
            f"{' and '.join(pair)} have similarity {values[at + 1]:g}, "
            f"but {values[at]:g} in line {lines[at]}"
        )
        raise FormatError(message, line=int(lines[at + 1]))
    kept = (values > 0) & (keys >> _HALF != keys & _LOW)
    kept[1:] &= ~repeated
    return keys[kept], values[kept]
