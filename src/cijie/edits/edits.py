"""Edits between two sequences of words, and their application."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cijie.alignment.anchors import common_blocks
from cijie.errors import CijieError

_LONGEST_MOVE = 12  # in words; beyond it one edit would hide what stayed in place


@dataclass(frozen=True, slots=True)
class Edit:
    """Words `start` to `end` of the source (half-open, from 0) become the words `correction`.

    `type` is `"M"` (missing words), `"R"` (redundant ones), `"S"` (a substitution) or `"W"` (the
    same words in another order); edits read from a file have the type they have there. `required`
    and `comment` are fields of the M2 format that nobody fills. `alternatives` are corrections that
    would do as well: `高兴||开心` in M2.

    A `start` of -1 marks an edit that says something about the whole sentence, such as `noop`.
    """

    start: int
    end: int
    correction: tuple[str, ...]
    type: str
    required: str = "REQUIRED"
    comment: str = "-NONE-"
    alternatives: tuple[tuple[str, ...], ...] = ()


def word_edits(source: Sequence[str], target: Sequence[str]) -> list[Edit]:
    """The edits that make `target` of `source`, ascending, without overlap.

    Words of a longest common subsequence stay; what lies between two of them is one edit. Two
    edits and the words between them are one move where they are the same words in another order,
    and no more than 12; words that come with a move, at one of its ends, keep an edit of their own.

    `apply_edits(source, word_edits(source, target)) == target`, always.

    Raises:
        AlignmentError: there are too many words.

    >>> for edit in word_edits("学生 大概 去 做 飞机".split(), "大概 学生 去 坐 飞机 的".split()):
    ...     print(edit.start, edit.end, edit.type, *edit.correction)
    0 2 W 大概 学生
    3 4 S 坐
    5 5 M 的
    """
    numbers: dict[str, int] = {}  # as in `anchors`: hashes of strings differ between processes
    left, right = ([numbers.setdefault(w, len(numbers)) for w in side] for side in (source, target))
    gaps: list[_Gap] = []
    i = j = 0
    for start, target_start, size in (*common_blocks(left, right), (len(left), len(right), 0)):
        if start > i or target_start > j:
            gaps.append((i, start, j, target_start))
        i, j = start + size, target_start + size
    return list(_edits(source, target, gaps))


def apply_edits(source: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """The words that `edits` make of `source`.

    Raises:
        CijieError: edits out of order or range, or that overlap.

    >>> apply_edits(["去", "学较"], [Edit(1, 2, ("学校",), "S"), Edit(2, 2, ("了",), "M")])
    ['去', '学校', '了']
    """
    words: list[str] = []
    at = 0
    for edit in edits:
        if edit.start < 0:
            continue
        if not at <= edit.start <= edit.end <= len(source):
            raise CijieError(f"an edit is out of order or range: {edit}")
        words += source[at : edit.start]
        words += edit.correction
        at = edit.end
    words += source[at:]
    return words


_Gap = tuple[int, int, int, int]  # source start and end, target start and end


def _edits(source: Sequence[str], target: Sequence[str], gaps: Sequence[_Gap]) -> Iterator[Edit]:
    first = 0
    while first < len(gaps):
        move, last = _next_move(source, target, gaps, first)
        if move is None:
            yield from _edit(gaps[first], target)
        else:
            start, end, target_start, target_end = move
            yield from _edit((gaps[first][0], start, gaps[first][2], target_start), target)
            yield Edit(start, end, tuple(target[target_start:target_end]), "W")
            yield from _edit((end, gaps[last][1], target_end, gaps[last][3]), target)
        first = last + 1


def _edit(gap: _Gap, target: Sequence[str]) -> Iterator[Edit]:
    start, end, target_start, target_end = gap
    if start < end or target_start < target_end:
        type = "M" if start == end else "R" if target_start == target_end else "S"
        yield Edit(start, end, tuple(target[target_start:target_end]), type)


def _next_move(
    source: Sequence[str], target: Sequence[str], gaps: Sequence[_Gap], first: int
) -> tuple[_Gap | None, int]:
    """The shortest move that begins in the gap `first`, if there is one, and the gap it ends in."""
    for last in range(first + 1, len(gaps)):
        if gaps[last][0] - gaps[first][1] > _LONGEST_MOVE:
            break
        for start, end, target_start, target_end in _windows(gaps[first], gaps[last]):
            if end - start <= _LONGEST_MOVE and (
                Counter(source[start:end]) == Counter(target[target_start:target_end])
            ):
                return (start, end, target_start, target_end), last
    return None, first


def _windows(first: _Gap, last: _Gap) -> Iterator[_Gap]:
    """From one gap to another with as many words on both sides: the longer side is cut short."""
    start, end, target_start, target_end = first[0], last[1], first[2], last[3]
    extra = (target_end - target_start) - (end - start)
    if extra == 0:
        yield start, end, target_start, target_end
    elif extra > 0:
        if last[2] < target_end - extra:
            yield start, end, target_start, target_end - extra
        if target_start + extra < first[3]:
            yield start, end, target_start + extra, target_end
    else:
        if last[0] < end + extra:
            yield start, end + extra, target_start, target_end
        if start - extra < first[1]:
            yield start - extra, end, target_start, target_end
