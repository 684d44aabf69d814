"""Find the cheapest operations that turn one sequence of words into another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from typing import Literal

from rapidfuzz.distance import Postfix, Prefix

from cijie.alignment.links import common_blocks

_MOST_CELLS = 1 << 16  # the most pairs of words compared one by one

# The costs of a missing or redundant word, and of a substitution. A substitution costs more than
# one of the former but less than two: words are substituted rather than deleted and inserted.
_GAP, _SUBSTITUTION = 2, 3

# The step that leads to a cell of the table; a reordering is _REORDER plus the number of words.
_KEEP, _SUBSTITUTE, _DELETE, _INSERT, _REORDER = range(5)
_LONGEST = 255 - _REORDER  # the most words in a reordering; one byte per cell

_Kind = Literal["delete", "insert", "substitute", "reorder"]

# For each other step: the operation, and the numbers of source and target words.
_STEPS: dict[int, tuple[_Kind | None, int, int]] = {
    _KEEP: (None, 1, 1),
    _SUBSTITUTE: ("substitute", 1, 1),
    _DELETE: ("delete", 1, 0),
    _INSERT: ("insert", 0, 1),
}


_Step = tuple[_Kind, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Operation:
    """A change of source words `start` to `end` to target words `target_start` to `target_end`.

    A `"delete"`, `"insert"` or `"substitute"` concerns one word. A `"reorder"` has the same words
    on both sides, none of them in its original place.
    """

    kind: _Kind
    start: int
    end: int
    target_start: int
    target_end: int


def operations(source: Sequence[str], target: Sequence[str]) -> list[Operation]:
    """Return the operations that turn `source` into `target`; all other words are kept.

    A deletion or insertion costs 2, a substitution 3, the reordering of *k* words 2(*k* - 1).
    Among solutions of minimum cost, the choice is made from the end: keep a word if possible,
    else prefer to reorder, substitute, delete or insert, in this order.

    The time is O(m · n). If the texts differ over more than 65,536 pairs of words, the words of
    a longest common subsequence are kept, and all others are deleted and inserted.

    Raises:
        AlignmentError: there are too many words for a longest common subsequence.

    >>> for operation in operations("他 昨天 去 坐 飞机".split(), "昨天 他 坐 飞机 了".split()):
    ...     print(operation.kind, operation.start, operation.end)
    reorder 0 2
    delete 2 3
    insert 5 5
    """
    numbers: dict[str, int] = {}  # as in `anchors`: hashes of strings differ between processes
    left, right = ([numbers.setdefault(w, len(numbers)) for w in side] for side in (source, target))
    before, after = _same_ends(left, right)
    left, right = left[before : len(left) - after], right[before : len(right) - after]
    if len(left) * len(right) > _MOST_CELLS:
        found = _by_common_words(left, right)
    else:
        found = _trace(_table(left, right))
    return [Operation(kind, *(at + before for at in places)) for kind, *places in found]


def _same_ends(source: Sequence[int], target: Sequence[int]) -> tuple[int, int]:
    """Return the numbers of words at the start and at the end that are kept in every solution."""
    after = Postfix.similarity(source, target)
    before = Prefix.similarity(source[: len(source) - after], target[: len(target) - after])
    # A word that recurs in the differing part may be kept there instead.
    again = {*source[before : len(source) - after], *target[before : len(target) - after]}
    while before and source[before - 1] in again:
        before -= 1
    return before, after


def _by_common_words(source: Sequence[int], target: Sequence[int]) -> list[_Step]:
    steps: list[_Step] = []
    i = j = 0
    for start, other, size in (*common_blocks(source, target), (len(source), len(target), 0)):
        steps += [("delete", k, k + 1, j, j) for k in range(i, start)]
        steps += [("insert", start, start, k, k + 1) for k in range(j, other)]
        i, j = start + size, other + size
    return steps


def _table(source: Sequence[int], target: Sequence[int]) -> list[bytearray]:
    """Return the last step of the best solution for each pair of prefixes of the two sequences."""
    shared = set(source) & set(target)
    # Stretches of a diagonal with the same words on both sides have the same sum of weights.
    sums, others = ([0, *accumulate(map(_weight, side))] for side in (source, target))
    starts: list[dict[int, int]] = [{} for _ in range(len(source) + len(target))]
    costs = [list(range(0, _GAP * len(target) + 1, _GAP))]
    table = [bytearray([_INSERT]) * (len(target) + 1)]
    for i, word in enumerate(source):
        above, row, steps = costs[-1], [_GAP * (i + 1)], bytearray([_DELETE])
        is_shared = word in shared
        for j, other in enumerate(target):
            if word == other:
                row.append(above[j])
                steps.append(_KEEP)
                starts[j - i].clear()
                continue
            cost, step = above[j] + _SUBSTITUTION, _SUBSTITUTE
            if above[j + 1] + _GAP < cost:
                cost, step = above[j + 1] + _GAP, _DELETE
            if row[j] + _GAP < cost:
                cost, step = row[j] + _GAP, _INSERT
            # The starts of possible reorderings that end here; none of their words is in place.
            begun = starts[j - i]
            if is_shared and other in shared:
                begun[sums[i] - others[j]] = i
                start = begun.get(sums[i + 1] - others[j + 1])
                if start is not None:
                    size = i + 1 - start
                    reordered = costs[start][j + 1 - size] + _GAP * (size - 1)
                    if reordered <= cost and size <= _LONGEST:
                        cost, step = reordered, _REORDER + size
            elif begun:
                begun.clear()
            row.append(cost)
            steps.append(step)
        costs.append(row)
        table.append(steps)
    return table


def _weight(number: int) -> int:
    """Return a weight for a word, such that sums for different words almost never collide."""
    return int.from_bytes(blake2b(number.to_bytes(4, "big"), digest_size=8).digest(), "big")


def _trace(table: Sequence[bytearray]) -> list[_Step]:
    found: list[_Step] = []
    i, j = len(table) - 1, len(table[0]) - 1
    while i or j:
        step = table[i][j]
        kind, words, others = _STEPS.get(step) or ("reorder", step - _REORDER, step - _REORDER)
        i, j = i - words, j - others
        if kind:
            found.append((kind, i, i + words, j, j + others))
    return found[::-1]
