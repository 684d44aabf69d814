"""The cheapest way to make one sequence of words of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from typing import Literal

from rapidfuzz.distance import Postfix, Prefix

from cijie.alignment.anchors import common_blocks

_MOST_CELLS = 1 << 20  # pairs of words that are compared one by one

# Costs of a missing or redundant word, and of a substitution, which costs more than one of them but
# less than both: words are substituted rather than deleted and inserted.
_GAP, _SUBSTITUTION = 2, 3

# What a cell of the table came from; from _REORDER on, with the number of words.
_KEEP, _SUBSTITUTE, _DELETE, _INSERT, _REORDER = range(5)
_LONGEST = 255 - _REORDER  # of the words that are reordered; a byte a cell

_Kind = Literal["delete", "insert", "substitute", "reorder"]

# For each of the others: the operation, and how many words of source and target it takes.
_STEPS: dict[int, tuple[_Kind | None, int, int]] = {
    _KEEP: (None, 1, 1),
    _SUBSTITUTE: ("substitute", 1, 1),
    _DELETE: ("delete", 1, 0),
    _INSERT: ("insert", 0, 1),
}


_Step = tuple[_Kind, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Operation:
    """Source words `start` to `end` give target words `target_start` to `target_end`.

    A `"delete"`, `"insert"` or `"substitute"` concerns one word. A `"reorder"` has the same words
    on both sides, none of them in its place.
    """

    kind: _Kind
    start: int
    end: int
    target_start: int
    target_end: int


def operations(source: Sequence[str], target: Sequence[str]) -> list[Operation]:
    """The operations that turn `source` into `target`; other words stay.

    A deletion or insertion costs 2, a substitution 3, the reordering of *k* words 2(*k* - 1).
    Of the ways that cost the least it is the one which, looked at from the end, keeps a word
    wherever it can, and else rather reorders than substitutes, deletes or inserts, in this order.

    The time is O(m · n). Where the texts differ over more than a million pairs of words, those of a
    longest common subsequence stay, and the others go and come.

    Raises:
        AlignmentError: there are too many words even for that.

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
    """How many words at the beginning and at the end stay, whatever is done between."""
    after = Postfix.similarity(source, target)
    before = Prefix.similarity(source[: len(source) - after], target[: len(target) - after])
    # A word that comes again in what differs may rather be kept there.
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
    """How each pair of beginnings of the two sequences is best reached."""
    shared = set(source) & set(target)
    # The same words on both sides of a diagonal, from one place to another, have the same sum.
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
            # Where words began that may be reordered up to here; none of them is in its place.
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
    """A number for a word, such that the sums of different words almost never collide."""
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
