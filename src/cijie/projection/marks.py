"""Segmentations and links in characters: what every projection works on.

Positions here count characters (`cijie.text.characters`), not code points. Marks are bytes:
`marks[k]` is 1 where a word starts at character `k` or ends before it. White space has one on
either side.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import compress
from operator import itemgetter

from cijie.alignment.links import Alignment, Block, maximal
from cijie.errors import AlignmentError
from cijie.text.characters import Characters
from cijie.text.segmentation import Segmentation, Span

_BY_TARGET = itemgetter(1)


def marks_of(segmentation: Segmentation) -> bytearray:
    """The marks of a segmentation."""
    if segmentation.is_plain:
        marks = bytearray(len(segmentation.text) + 1)
        marks[0] = marks[-1] = 1
        for end in segmentation.boundaries:
            marks[end] = 1
        return marks
    split = segmentation.characters
    marks = bytearray(len(split) + 1)
    marks[0] = marks[-1] = 1
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
    alignment: Alignment, source: Segmentation, target: Segmentation, *, residuals: bool = True
) -> list[Block]:
    """The links, or the anchors alone, as maximal diagonal blocks, ascending by target.

    Raises:
        AlignmentError: the alignment is not one of these two texts.
    """
    lengths = len(source.text), len(target.text)
    if (alignment.source_length, alignment.target_length) != lengths:
        raise AlignmentError(
            f"an alignment of {alignment.source_length} x {alignment.target_length} characters "
            f"does not fit texts of {lengths[0]} x {lengths[1]}"
        )
    plain = source.is_plain and target.is_plain
    others = alignment.residuals if residuals else ()
    if plain and not others:
        return list(alignment.anchors)
    pairs: Iterable[Block] = [
        *alignment.anchors,
        *[(link.source, link.target, 1) for link in others],
    ]
    if not plain:
        source_split, target_split = source.characters, target.characters
        left = {offset: k for k, offset in enumerate(source_split.cores)}
        right = {offset: k for k, offset in enumerate(target_split.cores)}
        pairs = (
            (left[i + k], right[j + k], 1)
            for i, j, size in pairs
            for k in range(size)
            if i + k in left and j + k in right
        )
        # White space corresponds to nothing but white space.
        blanks = source_split.blank, target_split.blank
        pairs = (run for run in pairs if blanks[0][run[0]] == blanks[1][run[1]])
    return maximal(sorted(pairs, key=_BY_TARGET))


def agreed_marks(
    alignment: Alignment,
    before: bytearray,
    words: bytearray,
    source: Segmentation,
    target: Segmentation,
) -> bytearray:
    """The target's marks `words` between source characters that both are anchored, side by side."""
    agreed = bytearray(len(before))
    for i, j, size in runs_of(alignment, source, target, residuals=False):
        agreed[i + 1 : i + size] = words[j + 1 : j + size]
    return agreed


def linked(runs: Sequence[Block], start: int, end: int) -> list[Block]:
    """What of the runs lies in the target span from `start` to `end`, in target order."""
    first = max(0, bisect_right(runs, start, key=_BY_TARGET) - 1)
    pieces = []
    for i, j, size in runs[first : bisect_left(runs, end, first, key=_BY_TARGET)]:
        low, high = max(start, j), min(end, j + size)
        if low < high:
            pieces.append((i + low - j, low, high - low))
    return pieces


def image_of(pieces: Sequence[Block]) -> tuple[int, int, int]:
    """First source character of linked pieces, the one after the last, and how many are linked."""
    if not pieces:
        return 0, 0, 0
    low, _, links = pieces[0]
    high = low + links
    for i, _, size in pieces[1:]:
        low, high, links = min(low, i), max(high, i + size), links + size
    return low, high, links


def divided_words(words: bytearray, runs: Iterable[Block]) -> dict[Span, list[Block]]:
    """The target words in whose middle a run begins or ends, in order, each with its pieces.

    They are as `linked` gives them. Runs ascend by target.
    """
    found: dict[Span, list[Block]] = {}
    for i, j, size in runs:
        last = j + size
        if not words[j]:
            span = words.rfind(1, 0, j), words.find(1, j)
            found.setdefault(span, []).append((i, j, min(last, span[1]) - j))
        if not words[last] and (start := words.rfind(1, 0, last)) >= j:
            span = start, words.find(1, last)
            found[span] = [(i + start - j, start, last - start)]
    return found


def changed_mark(at: int, split: Characters, before: bytearray, after: bytearray) -> int:
    """The mark by whose change the boundary at code-point offset `at` came or went."""
    k = bisect_left(split.ends, at) + 1
    while before[k] == after[k]:  # white space has a mark on either side
        k += 1
    return k
