"""Slow, obvious versions of the algorithms, to compare the fast ones with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from cijie.choices import JoinRule
from cijie.projection.suggestions import Kind, Suggestion, may_change
from cijie.text.characters import Characters, characters
from cijie.text.segmentation import Segmentation, Span


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
    """The links that the documented tie rule picks; see `cijie.alignment.links`."""
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
    image = _image(left, right, links)
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


def _image(left: Characters, right: Characters, links: Sequence[tuple[int, int]]) -> dict[int, int]:
    """The source character that each linked target character is linked to."""
    sources, targets = ({core: k for k, core in enumerate(side.cores)} for side in (left, right))
    pairs = [(targets[j], sources[i]) for i, j in links if i in sources and j in targets]
    return {j: i for j, i in pairs if left.blank[i] == right.blank[j]}


def suggestions(
    initial: Segmentation,
    target: Segmentation,
    links: Sequence[tuple[int, int]],
    alike: Callable[[str, str], float],
    anchors: Sequence[tuple[int, int]],
) -> list[Suggestion]:
    """What P3 weighs.

    - A cut, where a target word ends at the one of two linked neighbours and one begins at the
      other: if the two words meet in the target; or if they do not, but each has its characters
      side by side up to there.
    - A join, where the linked characters of a target word are side by side in several words.

    Cuts come first: those where words meet, by the target, then the others, by the source.
    """
    left, right = characters(initial.text), characters(target.text)
    image = _image(left, right, links)
    back = {i: j for j, i in image.items()}
    anchored = {i: j for j, i in _image(left, right, anchors).items()}
    texts = len(left), len(right)
    cuts = sorted({0, len(left)} | _cuts(initial))
    words = list(pairwise(sorted({0, len(right)} | _cuts(target))))
    word_of = {j: word for word in words for j in range(*word)}

    def images(word: Span) -> list[int]:
        return [image[j] for j in range(*word) if j in image]

    def similarity(word: Span) -> float:
        pairs = [(left.keys[image[j]], right.keys[j]) for j in range(*word) if j in image]
        values = [1 if a == b else len(a) == len(b) == 1 and alike(a, b) for a, b in pairs]
        return float(min(values)) if len(values) == word[1] - word[0] else 0.0

    def identical(word: Span) -> bool:
        found = images(word)
        return found == list(range(found[0], found[0] + word[1] - word[0])) and all(
            left.keys[i] == right.keys[j] for i, j in zip(found, range(*word), strict=True)
        )

    def source(start: int, end: int) -> str:
        return initial.text[left.starts[start] : left.ends[end - 1]]

    def word_text(word: Span) -> str:
        return target.text[right.starts[word[0]] : right.ends[word[1] - 1]]

    def changeable(kind: Kind, at: int) -> bool:
        return may_change(kind, left.keys[at - 1], left.keys[at])

    found: list[tuple[bool, int, Suggestion]] = []
    for at in sorted({*range(1, len(left))} - {*cuts}):
        if at - 1 not in back or at not in back or not changeable("insert", at):
            continue
        before, after = word_of[back[at - 1]], word_of[back[at]]
        meet = before[1] == after[0]
        whole = [*sorted(images(before)), *sorted(images(after))]
        first, last = at - before[1] + before[0], at + after[1] - after[0]
        side_by_side = before[1] < after[0] and whole == list(range(first, last))
        if (back[at - 1] + 1, back[at]) != (before[1], after[0]) or not (meet or side_by_side):
            continue
        by = after if right.blank[before[1] - 1] else before
        if right.blank[by[1] - 1]:
            continue
        values = similarity(before), similarity(after)
        start, end = max(k for k in cuts if k < at), min(k for k in cuts if k > at)
        same = meet and identical(before) and identical(after)
        one = Suggestion(
            *("insert", at, at, (at,), by, word_text(by)),
            *(source(start, end), (source(start, at), source(at, end))),
            identical=same,
            likeness=min(values) if meet else 0.0,
            nearer=max(values),
            nearness=_nearness(start, end, anchored, texts) if same else 0.0,
        )
        found.append((not meet, back[at] if meet else at, one))
    joins = []
    for word in words:
        low, high = min(images(word), default=0), max(images(word), default=-1) + 1
        inside = [k for k in cuts if low < k < high]
        if high - low != len(images(word)) or not inside:
            continue
        if all(changeable("remove", k) for k in inside):
            start, end = max(k for k in cuts if k <= low), min(k for k in cuts if k >= high)
            joins.append(
                Suggestion(
                    *("remove", low, high, tuple(inside), word, word_text(word), source(low, high)),
                    tuple(source(*piece) for piece in pairwise([start, *inside, end])),
                    identical=identical(word),
                    likeness=similarity(word),
                    nearness=_nearness(low, high, anchored, texts) if identical(word) else 0.0,
                )
            )
    return [one for *_, one in sorted(found)] + joins


def _nearness(start: int, end: int, anchored: Mapping[int, int], lengths: Span) -> float:
    """1 / (1 + the characters between a source span and the nearest difference of the texts)."""

    def follows(i: int) -> bool:
        return i in anchored and anchored.get(i - 1) == anchored[i] - 1

    if start not in anchored or not all(map(follows, range(start + 1, end))):
        return 1.0
    first, last = start, end - 1
    while follows(first):
        first -= 1
    while follows(last + 1):
        last += 1
    between = []
    if (first, anchored[first]) != (0, 0):
        between.append(start - first)
    if (last + 1, anchored[last] + 1) != lengths:
        between.append(last + 1 - end)
    return 1 / (1 + min(between)) if between else 0.0


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
