"""Slow, obvious versions of the algorithms, to compare the fast ones with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from cijie.choices import JoinRule
from cijie.projection.suggestions import Suggestion, may_change
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


def suggestions(  # noqa: PLR0915
    initial: Segmentation,
    target: Segmentation,
    links: Sequence[tuple[int, int]],
    alike: Callable[[str, str], float],
) -> list[Suggestion]:
    """What P3 weighs, read off its definition: cuts, cuts at gaps, joins."""
    left, right = characters(initial.text), characters(target.text)
    source_number = {core: k for k, core in enumerate(left.cores)}
    target_number = {core: k for k, core in enumerate(right.cores)}
    image = {
        target_number[j]: source_number[i]
        for i, j in links
        if i in source_number and j in target_number
    }
    image = {j: i for j, i in image.items() if left.blank[i] == right.blank[j]}
    back = {i: j for j, i in image.items()}
    cuts = {0, len(left)} | _cuts(initial)
    edges = sorted({0, len(right)} | _cuts(target))
    words = list(pairwise(edges))

    def text(start: int, end: int) -> str:
        return initial.text[left.starts[start] : left.ends[end - 1]]

    def similarity(word: tuple[int, int]) -> float:
        values = []
        for j in range(*word):
            if j not in image:
                return 0.0
            a, b = left.keys[image[j]], right.keys[j]
            one = len(a) == len(b) == 1
            values.append(1.0 if a == b else alike(a, b) if one else 0.0)
        return min(values)

    def identical(word: tuple[int, int]) -> bool:
        images = [image.get(j, -1) for j in range(*word)]
        return images == list(range(images[0], images[0] + len(images))) and all(
            left.keys[i] == right.keys[j] for i, j in zip(images, range(*word), strict=True)
        )

    def cut(at: int, before: tuple[int, int], after: tuple[int, int], meet: bool) -> None:
        by = after if right.blank[before[1] - 1] else before
        first = max(k for k in cuts if k < at)
        last = min(k for k in cuts if k > at)
        values = similarity(before), similarity(after)
        if not right.blank[by[1] - 1] and may_change("insert", left.keys[at - 1], left.keys[at]):
            word = target.text[right.starts[by[0]] : right.ends[by[1] - 1]]
            same = meet and identical(before) and identical(after)
            pieces = text(first, at), text(at, last)
            least = min(values) if meet else 0.0
            found.append(
                Suggestion(
                    *("insert", at, at, by, word, text(first, last), pieces),
                    *(same, least, max(values)),
                )
            )

    found: list[Suggestion] = []
    for before, after in pairwise(words):
        j = after[0]
        if j - 1 in image and image.get(j) == image[j - 1] + 1 and image[j] not in cuts:
            cut(image[j], before, after, True)
    for at in sorted(set(range(1, len(left))) - cuts):
        if at - 1 in back and at in back and back[at - 1] + 1 < back[at]:
            before = next(word for word in words if word[0] <= back[at - 1] < word[1])
            after = next(word for word in words if word[0] <= back[at] < word[1])
            ends, starts = ([image.get(j) for j in range(*word)] for word in (before, after))
            if before[1] == back[at - 1] + 1 and after[0] == back[at] and None not in ends + starts:
                whole = sorted(ends) == list(range(at - len(ends), at))
                if whole and sorted(starts) == list(range(at, at + len(starts))):
                    cut(at, before, after, False)
    for word in words:
        images = sorted(image[j] for j in range(*word) if j in image)
        if not images or images != list(range(images[0], images[-1] + 1)):
            continue
        low, high = images[0], images[-1] + 1
        inside = sorted(k for k in cuts if low < k < high)
        if inside and all(may_change("remove", left.keys[k - 1], left.keys[k]) for k in inside):
            around = [max(k for k in cuts if k <= low), *inside, min(k for k in cuts if k >= high)]
            pieces = tuple(text(*piece) for piece in pairwise(around))
            by = target.text[right.starts[word[0]] : right.ends[word[1] - 1]]
            found.append(
                Suggestion(
                    *("remove", low, high, word, by, text(low, high), pieces),
                    *(identical(word), similarity(word)),
                )
            )
    return found


def weigh(
    initial: Segmentation, found: Sequence[Suggestion], follow: Callable[[Suggestion], bool]
) -> Segmentation:
    """Π of P3: what is followed is done in turn; a join must have its ends cut by then."""
    left = characters(initial.text)
    cuts = {0, len(left)} | _cuts(initial)
    for one in found:
        if one.kind == "insert" and follow(one):
            cuts.add(one.start)
        if one.kind == "remove" and {one.start, one.end} <= cuts and follow(one):
            cuts -= set(range(one.start + 1, one.end))
    ends = []
    for k in range(1, len(left) + 1):
        visible = [x for x in range(k) if not left.blank[x]]
        if k in cuts and visible and left.ends[visible[-1]] not in ends:
            ends.append(left.ends[visible[-1]])
    return Segmentation(initial.text, tuple(ends))
