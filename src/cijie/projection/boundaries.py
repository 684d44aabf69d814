"""Π, the projection of the target's word boundaries onto the source, and a dictionary baseline.

Segmentations and links by character are the basis of every projection. Positions there count
characters (`cijie.text.characters`), not code points. Marks are bytes: `marks[k]` is 1 where a word
starts at character `k` or ends before it. White space has a mark on each side.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import itemgetter
from typing import Literal, NamedTuple

from cijie.alignment.links import Alignment, AnchorRun, maximal
from cijie.choices import JoinRule
from cijie.errors import AlignmentError
from cijie.text.characters import Characters
from cijie.text.segmentation import Segmentation, Span
from cijie.text.word_list import WordList, with_words


class Change(NamedTuple):
    """A boundary that the projection inserted or removed.

    Attributes:
        at: the source offset of the boundary, in code points.
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


class Doubt(NamedTuple):
    """A place where the source's own words and the target's disagree, with a confidence.

    Attributes:
        at: the source offset in question.
        boundary: whether a word ends there now.
        confidence: the probability that this is right, in [0, 1].
        by: the span of the target word that suggested a change.
        word: that target word.
        evidence: the name and value of each feature, and its contribution to the log-odds of the
            change (a positive one supports the change).
    """

    at: int
    boundary: bool
    confidence: float
    by: Span
    word: str
    evidence: tuple[tuple[str, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Projection:
    """The projected segmentation of the source, and the changes from the initial one.

    P3 also gives confidences: `confidences` has for each word the lowest probability that a
    boundary of it, or a decision against a boundary inside it, is right. `doubts` are the places
    decided by weighing evidence, in text order.
    """

    segmentation: Segmentation
    changes: tuple[Change, ...]
    confidences: tuple[float, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def project(
    initial: Segmentation,
    target: Segmentation,
    alignment: Alignment,
    *,
    join_rule: JoinRule = "equal-length",
) -> Projection:
    """Project the boundaries of `target` onto `initial`, the source's own segmentation.

    1. If two neighbouring target characters are linked to two neighbouring source characters, in
       the same order, and a target word ends between them, a source word ends there, too.
    2. If `join_rule` licenses it, the source characters that a target word of two or more
       characters is linked to form part of one source word: the boundaries between the first and
       the last of them are removed.

    All other boundaries are kept. White space still separates words, unless a target word that
    contains white space is linked to it. The text never changes; the time is linear.

    Args:
        initial: the source and its own words.
        target: the target and its words.
        alignment: links between the two texts.
        join_rule: the rule by which target words join source words; see docs/method.md.

    Raises:
        AlignmentError: the alignment belongs to other texts.

    >>> from cijie.alignment.links import Alignment, Link
    >>> source = Segmentation.from_tokens("旅行困难了", ["旅行", "困难", "了"])
    >>> target = Segmentation.from_tokens("旅行团难了", ["旅行团", "难", "了"])
    >>> links = Alignment(5, 5, ((0, 0, 2), (3, 3, 2)), (Link(2, 2, "residual", 0.9),))
    >>> result = project(source, target, links)
    >>> print(result.segmentation, *result.changes, sep="; ")
    旅行困 难 了; join at 2, as 旅行团; cut at 3, as 旅行团
    """
    before, words = marks_of(initial), marks_of(target)
    runs = runs_of(alignment, initial, target)
    joins = list(_joins(words, runs, join_rule, initial))
    after = _projected(before, words, runs, joins)
    if after == before:
        return Projection(initial, ())
    left, right = initial.characters, target.characters
    segmentation = Segmentation(initial.text, boundaries_of(after, left))
    by_source = sorted(runs)

    def licence(at: int) -> Span:
        k = changed_mark(at, left, before, after)
        start, end = _licence(k, bool(after[k]), words, by_source, joins, right)
        return right.starts[start], right.ends[end - 1]

    return Projection(segmentation, changes_between(initial, segmentation, target, licence))


def changes_between(
    initial: Segmentation,
    segmentation: Segmentation,
    target: Segmentation,
    licence: Callable[[int], Span],
) -> tuple[Change, ...]:
    """Return the boundaries inserted and removed by a projection, in text order.

    Args:
        initial: the source and its own words.
        segmentation: the source and its words after projection.
        target: the target and its words.
        licence: returns the span of the target word that licensed the change at a code-point
            offset.
    """
    ends = set(segmentation.boundaries)
    return tuple(
        Change(at, "insert" if at in ends else "remove", span, target.text[span[0] : span[1]])
        for at in sorted(ends.symmetric_difference(initial.boundaries))
        for span in [licence(at)]
    )


def look_up(initial: Segmentation, target: Segmentation) -> Projection:
    """Keep the target's words whole in `initial`, the source's own: the dictionary baseline.

    This is current practice without projection, included for comparison. Every change names the
    target word that was found, at its first occurrence in the target.

    >>> source = Segmentation.from_tokens("旅行团长了", ["旅行", "团长", "了"])
    >>> target = Segmentation.from_tokens("去旅行团了", ["去", "旅行团", "了"])
    >>> result = look_up(source, target)
    >>> print(result.segmentation, *result.changes, sep="; ")
    旅行团 长 了; join at 2, as 旅行团; cut at 3, as 旅行团
    """
    spans = dict(zip(reversed(target.tokens), reversed(target.spans), strict=True))
    found = WordList(target.tokens).occurrences(initial.text)
    segmentation = with_words(initial, found)
    starts = [occurrence.start for occurrence in found]

    def licence(at: int) -> Span:
        # The word that contains or ends at the boundary; else the word that begins there.
        k = bisect_left(starts, at) - 1
        if k < 0 or found[k].end < at:
            k += 1
        return spans[found[k].word]

    return Projection(segmentation, changes_between(initial, segmentation, target, licence))


# Below, positions count characters, and words are marks.


_Join = tuple[Span, Span]
"""A target word and the source characters that it keeps together."""


def _projected(
    before: bytearray, words: bytearray, runs: Sequence[AnchorRun], joins: Sequence[_Join]
) -> bytearray:
    """Return the source's marks after projecting the target's marks `words` along `runs`."""
    after = bytearray(before)
    for i, j, size in runs:
        # Target words that lie entirely in the run: both rules together copy the target's marks.
        # The marks at the edges of the run are not copied, because one of the two neighbouring
        # characters is outside the run.
        end = j + size
        if before[i + 1 : i + size] == words[j + 1 : end]:
            continue  # as nearly everywhere
        first = j + 1 if words[j] else words.find(1, j + 1, end)
        last = end - 1 if words[end] else words.rfind(1, j + 1, end)
        if 0 < first <= last:
            after[first + i - j : last + i - j + 1] = words[first : last + 1]
    for _, (low, high) in joins:
        after[low + 1 : high] = bytes(high - low - 1)
    return after


def _joins(
    words: bytearray, runs: Sequence[AnchorRun], join_rule: JoinRule, source: Segmentation
) -> Iterator[_Join]:
    """Yield the joins by target words that do not lie entirely in one run, in target order."""
    whole = join_rule == "equal-length"
    divided = divided_words(words, runs, whole=whole)
    images = images_of(runs, len(words) - 1) if divided else []
    for start, end in divided:
        linked = images[start:end]
        if whole and -1 in linked:
            continue
        low, high, links = extent(linked)
        licensed = high - low == links
        if not licensed and join_rule == "endpoints":
            blank = source.characters.blank
            licensed = not any(blank[i] for i in range(low, high) if i not in linked)
        if licensed and links > 1:
            yield (start, end), (low, high)


def _licence(
    k: int,
    inserted: bool,
    words: bytearray,
    runs: Sequence[AnchorRun],
    joins: Sequence[_Join],
    target: Characters,
) -> Span:
    """Return the target word that licensed the change of mark `k`; `runs` ascend by source."""
    if not inserted:
        for word, (low, high) in joins:
            if low < k < high:
                return word
    # Else both neighbouring characters are in one run, or the one after the mark begins a run.
    i, j, _ = runs[bisect_right(runs, k, key=itemgetter(0)) - 1]
    image = k - i + j
    if inserted and not target.blank[image - 1]:
        return words.rfind(1, 0, image), image
    return words.rfind(1, 0, image + 1), words.find(1, image + 1)


def marks_of(segmentation: Segmentation) -> bytearray:
    """Return the marks of a segmentation."""
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
    """Convert marks to boundaries: the code-point offset after each word."""
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
) -> list[AnchorRun]:
    """Return the links, or only the anchors, as maximal diagonal blocks, ascending by target.

    Args:
        alignment: links between the texts.
        source: the segmented source.
        target: the segmented target.
        residuals: whether to include residual links.

    Raises:
        AlignmentError: the alignment belongs to other texts.
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
    pairs: Iterable[AnchorRun] = [
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
        # White space corresponds only to white space.
        blanks = source_split.blank, target_split.blank
        pairs = (run for run in pairs if blanks[0][run[0]] == blanks[1][run[1]])
    return maximal(sorted(pairs, key=itemgetter(1)))


def images_of(runs: Iterable[AnchorRun], length: int) -> list[int]:
    """Return the source character linked to each of `length` target characters; -1 for none."""
    images = [-1] * length
    for i, j, size in runs:
        images[j : j + size] = range(i, i + size)
    return images


def extent(images: Iterable[int]) -> tuple[int, int, int]:
    """Return the first source character of `images`, the one after the last, and their number."""
    linked = [image for image in images if image >= 0]
    return (min(linked), max(linked) + 1, len(linked)) if linked else (0, 0, 0)


def divided_words(
    words: bytearray, runs: Sequence[AnchorRun], *, whole: bool = False
) -> dict[Span, None]:
    """Return the target words inside which a run begins or ends, in order.

    Args:
        words: the target's marks.
        runs: the linked blocks.
        whole: whether to return only words inside which one run begins where another ends. This
            holds for every divided word whose characters are all linked.
    """
    starts, ends = {j for _, j, _ in runs}, {j + size for _, j, size in runs}
    edges = sorted(starts & ends if whole else starts | ends)
    return {
        (words.rfind(1, 0, edge), words.find(1, edge)): None for edge in edges if not words[edge]
    }


def changed_mark(at: int, split: Characters, before: bytearray, after: bytearray) -> int:
    """Return the mark whose change inserted or removed the boundary at code-point offset `at`.

    Args:
        at: a code-point offset of the source.
        split: the characters of the source.
        before: marks of its words before projection.
        after: marks of its words after projection.
    """
    k = bisect_left(split.ends, at) + 1
    while before[k] == after[k]:  # white space has a mark on each side
        k += 1
    return k
