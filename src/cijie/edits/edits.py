"""Find and apply the edits between two sequences of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate, groupby, pairwise
from typing import Literal

from rapidfuzz.distance import Postfix, Prefix

from cijie.alignment.links import common_blocks
from cijie.errors import CijieError
from cijie.text.characters import is_punctuation

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


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of the source's words `start` to `end` (half-open, from 0) by `correction`.

    `type` is `"M"` (missing words), `"R"` (redundant words), `"S"` (a substitution) or `"W"` (word
    order); edits read from a file keep the type in the file.

    A `start` of -1 marks an edit about the whole sentence, such as `noop`.
    """

    start: int
    end: int
    correction: tuple[str, ...]
    type: str


def word_edits(source: Sequence[str], target: Sequence[str]) -> list[Edit]:
    """Return the edits that turn `source` into `target`, ascending and non-overlapping.

    They follow ChERRANT's definition, as far as words alone determine it:

    - The words to keep are chosen by lowest cost; see `operations`.
    - Each reordering is an edit, and each substitution in a run of substitutions, too. Otherwise
      everything between two kept words is one edit.
    - Two neighbouring edits that only move words, other than punctuation, from one place to the
      other form one reordering, with the words between them. Other words may be added to or lost
      from the moved ones, if they have fewer characters.
    - Where source and target have the same characters in different words, there is no edit.

    Applied to `source`, the edits therefore give the text of `target`. They also give its words,
    except where only the segmentation differs from the source's.

    Raises:
        AlignmentError: there are too many words.
        TypeError: an argument is a string instead of a list of words.

    >>> for edit in word_edits("学生 大概 去 做 飞机".split(), "大概 学生 去 坐 飞机 的".split()):
    ...     print(edit.start, edit.end, edit.type, *edit.correction)
    0 2 W 大概 学生
    3 4 S 坐
    5 5 M 的
    >>> word_edits("不用 说 了".split(), "不用说 了".split())
    []
    """
    for name, words in (("source", source), ("target", target)):
        if isinstance(words, str | bytes) or not isinstance(words, Iterable):
            raise TypeError(f"{name} must be a list of words, not {words!r}")
    return _edits(source, _cut_alike(target, source), apart=True)


def character_edits(source: Sequence[str], target: Sequence[str]) -> list[Edit]:
    """Return the edits between two sequences of characters.

    As in `word_edits`, except that neighbouring substitutions are one edit.

    >>> [edit.correction for edit in character_edits("我再北平", "我在北京")]
    [('在',), ('京',)]
    >>> [edit.correction for edit in character_edits("他非长好", "他菲常好")]
    [('菲', '常')]
    """
    return _edits(source, target, apart=False)


def apply_edits(source: Sequence[str], edits: Iterable[Edit]) -> list[str]:
    """Apply `edits` to `source`; return the new words.

    Raises:
        CijieError: edits are out of order or range, or overlap.

    >>> apply_edits(["去", "学较"], [Edit(1, 2, ("学校",), "S"), Edit(2, 2, ("了",), "M")])
    ['去', '学校', '了']
    """
    words: list[str] = []
    at = 0
    for edit in edits:
        if edit.start < 0:
            continue
        if not at <= edit.start <= edit.end <= len(source):
            raise CijieError(
                f"an edit overlaps the one before it, or is out of order or range: {edit.start} "
                f"{edit.end} {' '.join(edit.correction)!r}"
            )
        words += source[at : edit.start]
        words += edit.correction
        at = edit.end
    words += source[at:]
    return words


def _cut_alike(target: Sequence[str], source: Sequence[str]) -> Sequence[str]:
    """Return the target's words, or the source's for shared text with the same outer boundaries."""

    ends, others = ({0, *accumulate(map(len, words))} for words in (source, target))
    text = "".join(target)
    cuts = set(others)
    for i, j, size in common_blocks("".join(source), text):
        common = [k for k in range(size + 1) if i + k in ends and j + k in others]
        for k in range(common[0] + 1, common[-1]) if common else ():
            (cuts.add if i + k in ends else cuts.discard)(j + k)
    return target if cuts == others else [text[a:b] for a, b in pairwise(sorted(cuts))]


def _edits(source: Sequence[str], target: Sequence[str], *, apart: bool) -> list[Edit]:
    found = (
        _edit(group, target)
        for gap in _gaps(operations(source, target))
        for group in _groups(gap, apart=apart)
    )
    edits: list[Edit] = []
    for edit in found:
        if "".join(source[edit.start : edit.end]) == "".join(edit.correction):
            continue
        move = _move(source, edits[-1], edit) if edits else None
        if move is None:
            edits.append(edit)
        else:
            edits[-1] = move
    return edits


def _gaps(steps: Sequence[Operation]) -> Iterator[Sequence[Operation]]:
    """Split operations into groups without kept words between them."""
    between = (
        number
        for number, (one, other) in enumerate(pairwise(steps), start=1)
        if (one.end, one.target_end) != (other.start, other.target_start)
    )
    return (steps[start:end] for start, end in pairwise([0, *between, len(steps)]))


def _groups(gap: Sequence[Operation], *, apart: bool) -> Iterator[list[Operation]]:
    """Yield the operations of each edit in a gap."""
    for reordered, steps in groupby(gap, key=lambda step: step.kind == "reorder"):
        group = list(steps)
        if reordered or (apart and all(step.kind == "substitute" for step in group)):
            yield from ([step] for step in group)
        else:
            yield group


def _edit(group: Sequence[Operation], target: Sequence[str]) -> Edit:
    first, last = group[0], group[-1]
    correction = tuple(target[first.target_start : last.target_end])
    if first.kind == "reorder":
        type = "W"
    else:
        type = "M" if first.start == last.end else "S" if correction else "R"
    return Edit(first.start, last.end, correction, type)


def _move(source: Sequence[str], one: Edit, other: Edit) -> Edit | None:
    """Merge two neighbouring edits and the words between them, if they only move words."""
    if one.end == other.start:
        return None
    between = source[one.end : other.start]
    correction = (*one.correction, *between, *other.correction)
    lost, found = Counter(source[one.start : one.end]), Counter(one.correction)
    if lost != found and Counter(source[one.start : other.end]) == Counter(correction):
        what = "".join([*(lost - found), *(found - lost)])
    elif {one.type, other.type} == {"M", "R"}:
        what = _common(*("".join([*source[e.start : e.end], *e.correction]) for e in (one, other)))
    else:
        return None
    if not what or is_punctuation(what):
        return None
    return Edit(one.start, other.end, correction, "W")


def _common(here: str, there: str) -> str:
    """Return the shorter text if the longer one contains it and is less than twice as long."""
    shorter, longer = sorted((here, there), key=len)
    return shorter if shorter in longer and 2 * len(shorter) > len(longer) else ""
