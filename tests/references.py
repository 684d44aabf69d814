"""Slow, obvious versions of the algorithms, to compare the fast ones with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from cijie.choices import JoinRule
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation


def lcs_table(source: Sequence[object], target: Sequence[object]) -> list[list[int]]:
    """`table[i][j]` is the length of a longest common subsequence of the first i and j items."""
    table = [[0] * (len(target) + 1) for _ in range(len(source) + 1)]
    for i, a in enumerate(source):
        for j, b in enumerate(target):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
            )
    return table


def lcs_links(source: Sequence[object], target: Sequence[object]) -> list[tuple[int, int]]:
    """The links that the documented tie rule picks; see `cijie.alignment.anchors`."""
    start = 0
    while start < min(len(source), len(target)) and source[start] == target[start]:
        start += 1
    end = 0
    while end < min(len(source), len(target)) - start and source[-1 - end] == target[-1 - end]:
        end += 1
    links = [(k, k) for k in range(start)]
    links += [(len(source) - 1 - k, len(target) - 1 - k) for k in range(end)]
    table = lcs_table(source[start : len(source) - end], target[start : len(target) - end])
    i, j = len(table) - 1, len(table[0]) - 1
    while i and j:
        if table[i][j] == table[i - 1][j]:
            i -= 1
        elif table[i][j] == table[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            links.append((start + i, start + j))
    return sorted(links)


def greedy_links(
    source: Sequence[int],
    target: Sequence[int],
    score: Callable[[int, int], float],
    threshold: float,
) -> list[tuple[int, int]]:
    """P2's rule, read off its definition: source and target are the unlinked positions."""
    links: list[tuple[int, int]] = []
    free = list(source)
    for j in target:
        best = max(free, key=lambda i: (score(i, j), -i), default=None)
        if best is not None and score(best, j) > threshold:
            links.append((best, j))
            free.remove(best)
    return sorted(links)


def project(
    initial: Segmentation,
    target: Segmentation,
    links: Sequence[tuple[int, int]],
    join_rule: JoinRule = "equal-length",
) -> Segmentation:
    """Π as it is defined, over sets of positions; links join the starts of characters.

    A cut is a position between two characters; around white space there always are cuts, save
    inside a word that was given with it.
    """
    left, right = characters(initial.text), characters(target.text)
    source_number = {core: k for k, core in enumerate(left.cores)}
    target_number = {core: k for k, core in enumerate(right.cores)}
    image = {
        target_number[j]: source_number[i]
        for i, j in links
        if i in source_number and j in target_number
    }
    image = {j: i for j, i in image.items() if left.blank[i] == right.blank[j]}
    cuts = _cuts(initial)
    target_cuts = _cuts(target)
    for j in range(1, len(right)):
        if j in target_cuts and j in image and j - 1 in image and image[j] == image[j - 1] + 1:
            cuts.add(image[j])
    edges = sorted({0, len(right)} | target_cuts)
    for start, end in pairwise(edges):
        images = sorted(image[j] for j in range(start, end) if j in image)
        if len(images) < 2:
            continue
        between = set(range(images[0], images[-1] + 1)) - set(images)
        if {
            "equal-length": not between and len(images) == end - start,
            "contiguous": not between,
            "endpoints": not any(left.blank[i] for i in between),
        }[join_rule]:
            cuts -= set(range(images[0] + 1, images[-1] + 1))
    ends = []
    for k in range(1, len(left) + 1):
        if k in cuts or k == len(left):
            visible = [x for x in range(k) if not left.blank[x]]
            if visible and left.ends[visible[-1]] not in ends:
                ends.append(left.ends[visible[-1]])
    return Segmentation(initial.text, tuple(ends))


def _cuts(segmentation: Segmentation) -> set[int]:
    split = characters(segmentation.text)
    number = {start: k for k, start in enumerate([*split.starts, len(segmentation.text)])}
    return {number[offset] for span in segmentation.spans for offset in span}
