"""Π: the target's word boundaries projected onto the source."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, compress, pairwise
from operator import itemgetter
from typing import Literal

from cijie.alignment.links import Alignment, Block
from cijie.characters import Characters, characters
from cijie.errors import AlignmentError
from cijie.segmentation import Segmentation, Span

JoinRule = Literal["equal-length", "contiguous"]
"""When a target word joins source characters: `"equal-length"` wants all its characters linked, to
a contiguous source span as long as the word (the paper's appendix); `"contiguous"` wants only that
those of its characters that are linked, two or more, cover a contiguous source span (the looser
reading of the paper's Algorithm 1)."""


@dataclass(frozen=True, slots=True)
class Change:
    """A boundary that the projection inserted or removed.

    Args:
        at: the source offset before which the boundary stands.
        kind: `"insert"` or `"remove"`.
        by: the span of the target word that licensed the change: the word that ends at the
            projected boundary, or the word whose characters were kept together.
        word: that target word.
    """

    at: int
    kind: Literal["insert", "remove"]
    by: Span
    word: str

    def __str__(self) -> str:
        verb = "cut" if self.kind == "insert" else "join"
        return f"{verb} at {self.at}, as {self.word}"


@dataclass(frozen=True, slots=True)
class Projection:
    """The projected segmentation of the source, and what changed in the initial one."""

    segmentation: Segmentation
    changes: tuple[Change, ...]


def project(
    initial: Segmentation,
    target: Segmentation,
    alignment: Alignment,
    *,
    join_rule: JoinRule = "equal-length",
) -> Projection:
    """Project the boundaries of `target` onto `initial`, the source's own segmentation.

    1. Where two neighbouring target characters are linked to two neighbouring source characters,
       in this order, and a target word ends between them, a source word ends there as well.
    2. Where `join_rule` licenses it, the characters that a target word of two or more characters
       is linked to are in one source word: the boundaries among them are removed.

    All other boundaries stay. White space keeps separating words, unless a target word that was
    given with white space in it licenses the join. The text never changes; the time is linear.

    Raises:
        AlignmentError: the alignment is not one of these two texts.

    >>> from cijie.alignment.links import Alignment, Link
    >>> source = Segmentation.from_tokens("旅行困难了", ["旅行", "困难", "了"])
    >>> target = Segmentation.from_tokens("旅行团难了", ["旅行团", "难", "了"])
    >>> links = Alignment(5, 5, ((0, 0, 2), (3, 3, 2)), (Link(2, 2, "residual", 0.9),))
    >>> result = project(source, target, links)
    >>> print(result.segmentation, *result.changes, sep="; ")
    旅行困 难 了; join at 2, as 旅行团; cut at 3, as 旅行团
    """
    source_text, target_text = initial.text, target.text
    if (alignment.source_length, alignment.target_length) != (len(source_text), len(target_text)):
        raise AlignmentError(
            f"an alignment of {alignment.source_length} x {alignment.target_length} characters "
            f"does not fit texts of {len(source_text)} x {len(target_text)}"
        )
    left, right = characters(source_text), characters(target_text)
    before, words = _marks(initial, left), _marks(target, right)
    runs = _runs(alignment, left, right)
    after = _projected(before, words, runs, join_rule)
    if after == before:
        return Projection(initial, ())
    segmentation = Segmentation(source_text, _boundaries(after, left))
    changes = tuple(
        Change(at, kind, span, target_text[span[0] : span[1]])
        for at in sorted(set(initial.boundaries).symmetric_difference(segmentation.boundaries))
        for kind, start, end in [_licence(at, before, after, words, runs, left, right)]
        for span in [(right.starts[start], right.ends[end - 1])]
    )
    return Projection(segmentation, changes)


# From here on positions count characters, and marks are bytes: marks[k] is 1 where a word starts
# at character k or ends before it. Runs are blocks of links of either kind.


def _marks(segmentation: Segmentation, split: Characters) -> bytearray:
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


def _boundaries(marks: bytearray, split: Characters) -> tuple[int, ...]:
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


def _runs(alignment: Alignment, source: Characters, target: Characters) -> list[Block]:
    """The links as maximal diagonal blocks, ascending by target."""
    plain = source.is_plain and target.is_plain
    if plain and not alignment.residuals:
        return list(alignment.anchors)
    pairs: Iterable[Block] = chain(
        alignment.anchors, ((link.source, link.target, 1) for link in alignment.residuals)
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


def _projected(
    before: bytearray, words: bytearray, runs: Sequence[Block], join_rule: JoinRule
) -> bytearray:
    after = bytearray(before)
    for i, j, size in runs:
        # The target words that lie whole in the run are cut in the source as in the target: there
        # both rules together copy the target's marks. The edges of the run are not its to decide,
        # for one of the two neighbours is not in it.
        end = j + size
        first = j + 1 if words[j] else words.find(1, j + 1, end)
        last = end - 1 if words[end] else words.rfind(1, j + 1, end)
        if 0 < first <= last:
            after[first + i - j : last + i - j + 1] = words[first : last + 1]
    for start, end in _divided_words(words, runs, join_rule):
        images = sorted(
            i + k - j for i, j, size in runs for k in range(max(start, j), min(end, j + size))
        )
        if join_rule == "equal-length" and len(images) < end - start:
            continue
        if images[-1] - images[0] + 1 == len(images):
            after[images[0] + 1 : images[-1] + 1] = bytes(len(images) - 1)
    return after


def _divided_words(words: bytearray, runs: Sequence[Block], join_rule: JoinRule) -> list[Span]:
    """The target words that a run enters or leaves in their middle."""
    if join_rule == "equal-length":
        # Only a word that passes from one run straight into the next can be linked as a whole.
        edges = [j for (_, j0, size), (_, j, _) in pairwise(runs) if j0 + size == j]
    else:
        edges = [edge for _, j, size in runs for edge in (j, j + size)]
    found = {words.rfind(1, 0, edge): edge for edge in edges if not words[edge]}
    return [(start, words.find(1, edge)) for start, edge in sorted(found.items())]


def _licence(
    at: int,
    before: bytearray,
    after: bytearray,
    words: bytearray,
    runs: Sequence[Block],
    source: Characters,
    target: Characters,
) -> tuple[Literal["insert", "remove"], int, int]:
    """How the boundary at offset `at` changed, and the target word that licensed it."""
    k = at if source.is_plain else bisect_left(source.ends, at) + 1
    while before[k] == after[k]:  # white space has a mark on either side
        k += 1
    i, j, _ = max(run for run in runs if run[0] <= k)
    image = k - i + j
    if after[k] and not target.blank[image - 1]:
        return "insert", words.rfind(1, 0, image), image
    kind: Literal["insert", "remove"] = "insert" if after[k] else "remove"
    return kind, words.rfind(1, 0, image + 1), words.find(1, image + 1)
