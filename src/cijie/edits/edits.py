"""Find and apply the edits between two sequences of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise

from cijie.alignment.links import common_blocks
from cijie.edits.operations import Operation, operations
from cijie.errors import CijieError
from cijie.text.characters import is_punctuation


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

    - The words to keep are chosen by lowest cost; see `cijie.edits.operations.operations`.
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
