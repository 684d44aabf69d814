"""Longest common subsequences of long texts, in memory that stays small.

RapidFuzz keeps a bit for each pair of characters, 125 GB for two texts of a million. Here the rows
of that matrix are computed with the same recurrence (Hyyrö, AWOCA 2004), each a long integer, but
only every so many of them are kept; the others are computed again, a block at a time, when the
links are read off from the end. The links are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from cijie.alignment.links import Block
from cijie.errors import AlignmentError

Codes = NDArray[np.uint32]

MOST_CELLS = 1 << 40
"""The longest texts: what remains of source and target without their common prefix and suffix may
have this many pairs of characters, about a million characters on either side."""

_MASK_BYTES = 1 << 26


def long_blocks(
    source: str | Sequence[int], target: str | Sequence[int], at_once: int
) -> tuple[Block, ...]:
    """The links of a longest common subsequence as maximal blocks.

    Which subsequence it is, is what the rule of `cijie.alignment.anchors` says. For m source and n
    target characters between common prefix and suffix the time is O(m · n), and the memory
    m / 4 · √n bytes and 64 MiB.

    Args:
        source, target: texts, or numbers, one a character.
        at_once: how many pairs of characters are given to RapidFuzz.

    Raises:
        AlignmentError: texts that are longer than `MOST_CELLS` allows.
    """
    left, right = _codes(source), _codes(target)
    before = _common_prefix(left, right)
    left, right = left[before:], right[before:]
    after = _common_prefix(left[::-1], right[::-1])
    left, right = left[: len(left) - after], right[: len(right) - after]
    m, n = len(left), len(right)
    if m * n > MOST_CELLS:
        raise AlignmentError(
            f"texts that differ over {m:,} and {n:,} characters are too long to be aligned: "
            f"{m * n:,} pairs of characters, at most {MOST_CELLS:,}"
        )
    inner: Iterable[Block]
    if m * n > at_once:
        inner = ((i, j, 1) for i, j in reversed(list(_links(left, right))))
    else:
        matches = Indel.editops(left.tolist(), right.tolist()).as_matching_blocks()
        inner = ((match.a, match.b, match.size) for match in matches)
    shifted = ((i + before, j + before, size) for i, j, size in inner)
    return _merged(chain([(0, 0, before)], shifted, [(m + before, n + before, after)]))


def _merged(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """The same links as maximal blocks."""
    merged: list[Block] = []
    for i, j, size in blocks:
        i0, j0, before = merged[-1] if merged else (0, 0, 0)
        if before and (i, j) == (i0 + before, j0 + before):
            merged[-1] = (i0, j0, before + size)
        elif size:
            merged.append((i, j, size))
    return tuple(merged)


def _codes(text: str | Sequence[int]) -> Codes:
    if isinstance(text, str):
        return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.array(text, dtype=np.uint32)


def _common_prefix(source: Codes, target: Codes) -> int:
    shorter = min(len(source), len(target))
    different = np.flatnonzero(source[:shorter] != target[:shorter])
    return int(different[0]) if len(different) else shorter


def _links(source: Codes, target: Codes) -> Iterator[tuple[int, int]]:
    """The links of texts without common prefix or suffix, the last one first."""
    m, n = len(source), len(target)
    places = _places(source)
    height = isqrt(n) + 1
    kept = [(1 << m) - 1]  # each row that a block starts from
    for start in range(0, n - height, height):
        *_, row = _rows(kept[-1], target[start : start + height], places)
        kept.append(row & kept[0])
    i = m
    for block in reversed(range(len(kept))):
        start = block * height
        # Bits beyond i play no part: a row's bits depend only on those to their right.
        row = kept.pop() & ((1 << i) - 1)
        rows = chain([row], _rows(row, target[start : start + height], places))
        packed = [row.to_bytes(m // 8 + height // 8 + 2, "little") for row in rows]
        k = len(packed) - 1
        while k and i:
            if _bit(packed[k], i - 1):
                i -= 1
            elif (start or k > 1) and not _bit(packed[k - 1], i - 1):
                k -= 1
            else:
                i, k = i - 1, k - 1
                yield i, start + k


def _rows(row: int, target: Codes, places: Callable[[int], int]) -> Iterator[int]:
    """The rows below `row`; a bit is 0 where a longer subsequence ends."""
    for code in target.tolist():
        matching = row & places(code)
        row = (row + matching) | (row - matching)
        yield row


def _bit(packed: bytes, k: int) -> int:
    return packed[k >> 3] >> (k & 7) & 1


def _places(source: Codes) -> Callable[[int], int]:
    """Where a character occurs, as the bits of an integer; as many as memory allows are kept."""

    @lru_cache(maxsize=max(1, _MASK_BYTES * 8 // len(source)))
    def places(code: int) -> int:
        return int.from_bytes(np.packbits(source == code, bitorder="little").tobytes(), "little")

    return places
