"""Segmentations and links in characters: what every projection works on.

Positions here count characters (`cijie.characters`), not code points. Marks are bytes: `marks[k]`
is 1 where a word starts at character `k` or ends before it. White space has one on either side.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import chain, compress
from operator import itemgetter

from cijie.alignment.links import Alignment, Block
from cijie.characters import Characters
from cijie.segmentation import Segmentation


def marks_of(segmentation: Segmentation, split: Characters) -> bytearray:
    """The marks of a segmentation whose text has the characters `split`."""
    marks = bytearray(len(split) + 1)
    marks[0] = marks[-1] = 1
    if split.is_plain:
        for end in segmentation.boundaries:
            marks[end] = 1
        return marks
    at = {offset: k for k, offset in enumerate([*split.starts, len(segmentation.text)])}
    for start, end in segmentation.spans:
        marks[at[start]] = marks[at[end]] = 1
    return marks


def boundaries_of(marks: bytearray, split: Characters) -> tuple[int, ...]:
    """The word-final positions, in code points, that marks stand for."""
    if split.is_plain:
        return tuple(compress(split.ends, marks[1:]))
    boundaries: list[int] = []
    last = 0  # the end of the last visible character
    for k, blank in enumerate(split.blank):
        if not blank:
            last = split.ends[k]
        if marks[k + 1] and last > (boundaries[-1] if boundaries else 0):
            boundaries.append(last)
    return tuple(boundaries)


def runs_of(
    alignment: Alignment, source: Characters, target: Characters, *, residuals: bool = True
) -> list[Block]:
    """The links, or the anchors alone, as maximal diagonal blocks, ascending by target."""
    plain = source.is_plain and target.is_plain
    others = alignment.residuals if residuals else ()
    if plain and not others:
        return list(alignment.anchors)
    pairs: Iterable[Block] = chain(
        alignment.anchors, ((link.source, link.target, 1) for link in others)
    )
    if not plain:
        left = {offset: k for k, offset in enumerate(source.cores)}
        right = {offset: k for k, offset in enumerate(target.cores)}
        pairs = (
            (left[i + k], right[j + k], 1)
            for i, j, size in pairs
            for k in range(size)
            if i + k in left and j + k in right
        )
        # White space corresponds to nothing but white space.
        pairs = (run for run in pairs if source.blank[run[0]] == target.blank[run[1]])
    runs: list[Block] = []
    for i, j, size in sorted(pairs, key=itemgetter(1)):
        if runs:
            i0, j0, before = runs[-1]
            if (i, j) == (i0 + before, j0 + before):
                runs[-1] = (i0, j0, before + size)
                continue
        runs.append((i, j, size))
    return runs


def agreed_marks(
    alignment: Alignment, words: bytearray, source: Characters, target: Characters
) -> bytearray:
    """The target's marks `words` between source characters that both are anchored, side by side."""
    agreed = bytearray(len(source) + 1)
    for i, j, size in runs_of(alignment, source, target, residuals=False):
        agreed[i + 1 : i + size] = words[j + 1 : j + size]
    return agreed


def changed_mark(at: int, split: Characters, before: bytearray, after: bytearray) -> int:
    """The mark by whose change the boundary at code-point offset `at` came or went."""
    k = at if split.is_plain else bisect_left(split.ends, at) + 1
    while before[k] == after[k]:  # white space has a mark on either side
        k += 1
    return k
