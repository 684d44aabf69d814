"""Segmentations and links by character, the basis of every projection.

Positions here count characters (`cijie.text.characters`), not code points. Marks are bytes:
`marks[k]` is 1 where a word starts at character `k` or ends before it. White space has a mark on
each side.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import compress
from operator import itemgetter

from cijie.alignment.links import Alignment, AnchorRun, maximal
from cijie.errors import AlignmentError
from cijie.text.characters import Characters
from cijie.text.segmentation import Segmentation, Span


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


def agreed_marks(
    alignment: Alignment,
    before: bytearray,
    words: bytearray,
    source: Segmentation,
    target: Segmentation,
) -> bytearray:
    """Return the target's marks `words` between adjacent source characters in the same anchor run.

    Args:
        alignment: links between the texts.
        before: marks of the source's own words.
        words: marks of the target's words.
        source: the segmented source.
        target: the segmented target.
    """
    agreed = bytearray(len(before))
    for i, j, size in runs_of(alignment, source, target, residuals=False):
        agreed[i + 1 : i + size] = words[j + 1 : j + size]
    return agreed


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
