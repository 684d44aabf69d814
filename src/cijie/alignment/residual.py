"""P2: links among the characters that anchors left over, by similarity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, isfinite
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from cijie.alignment.anchors import anchors
from cijie.alignment.links import Alignment, Link
from cijie.errors import UsageError
from cijie.similarity.features import Candidates, CodePoints, Floats, Ints, Leftovers, Scorer
from cijie.text.characters import characters, is_plain

Score = Callable[[Candidates], Floats]

WINDOW = 128
"""With how many unlinked source characters an unlinked target character is compared at most: with
the nearest in the order of the unlinked ones. So time grows no faster than texts do."""

_MOST_AT_ONCE = 1 << 18  # candidates scored at once, so that memory stays bounded


def link_residuals(
    texts: Sequence[tuple[str, str]],
    anchored: Sequence[Alignment],
    score: Score,
    threshold: float,
) -> list[Alignment]:
    """Add residual links to the anchors of a batch of sentence pairs.

    In each pair, in target order, an unlinked target character is linked to the unlinked source
    character with the highest score, if that is greater than `threshold`; of equal scores the
    leftmost source character wins. White space takes no part. A grapheme cluster takes part as one
    character and is linked only to a cluster of as many code points. Where a pair has more than
    `WINDOW` unlinked source characters, each target character is compared with the nearest ones.

    Args:
        texts: `(source, target)` of each pair.
        anchored: the anchors of each pair, from `cijie.alignment.anchors`.
        score: gives each candidate its score.
        threshold: τ.

    Returns:
        One alignment for each pair, with the same anchors.
    """
    links: dict[int, list[Link]] = {}
    used: NDArray[np.bool_] | None = None
    for candidates in candidate_batches(texts, anchored):
        if used is None:
            used = np.zeros(len(candidates.source), dtype=bool)
        scores = score(candidates)
        chosen = select(candidates, scores, threshold, used)
        for pair, link in candidate_links(candidates, chosen, scores):
            links.setdefault(pair, []).append(link)
    return [
        with_residuals(anchors, links[pair]) if pair in links else anchors
        for pair, anchors in enumerate(anchored)
    ]


def candidate_batches(
    texts: Sequence[tuple[str, str]], anchored: Sequence[Alignment]
) -> Iterator[Candidates]:
    """The candidate links of sentence pairs, as many at once as memory allows for.

    They are the unlinked source characters of a pair, the nearest `WINDOW` of them, with every
    unlinked target character, in target order; all candidates of a target character are in one
    batch.
    """
    numbers: dict[str, int] = {}
    blocks = np.array(
        [block for alignment in anchored for block in alignment.anchors], dtype=np.intp
    ).reshape(-1, 3)
    counts = [len(alignment.anchors) for alignment in anchored]
    source, target = (
        _leftovers([pair[side] for pair in texts], blocks[:, side], blocks[:, 2], counts, numbers)
        for side in (0, 1)
    )
    return _candidates(texts, source, target)


def select(
    candidates: Candidates, scores: Floats, threshold: float, used: NDArray[np.bool_] | None = None
) -> list[int]:
    """Which candidates become links, by the rule of `link_residuals`; in target order.

    `used` says of each source leftover whether a batch before this one linked it; those linked now
    are added to it.

    Args:
        candidates: pairs of leftovers, grouped by target.
        scores: one for each candidate.
        threshold: a score must exceed it.
        used: for each source leftover, whether an earlier batch linked it; those linked now are
            added.
    """
    if used is None:
        used = np.zeros(len(candidates.source), dtype=bool)
    source_rows, target_rows = candidates.source_rows, candidates.target_rows
    eligible = scores > threshold
    eligible &= candidates.source.size[source_rows] == candidates.target.size[target_rows]
    kept = np.flatnonzero(eligible)
    if not len(kept):
        return []
    # Candidates are in target order, and those of a target character in source order.
    sources, values = source_rows[kept], scores[kept]
    starts = np.flatnonzero(np.diff(target_rows[kept], prepend=-1))
    counts = np.diff(starts, append=len(kept))
    best = np.flatnonzero(values == np.repeat(np.maximum.reduceat(values, starts), counts))
    leftmost = best[np.searchsorted(best, starts)]
    chosen: list[int] = []
    for k, source, start, count in zip(
        *(column.tolist() for column in (leftmost, sources[leftmost], starts, counts)), strict=True
    ):
        if used[source]:
            some = slice(start, start + count)
            free = np.where(used[sources[some]], -inf, values[some])
            k = start + int(free.argmax())  # noqa: PLW2901
            source = int(sources[k])  # noqa: PLW2901
            if used[source]:
                continue
        used[source] = True
        chosen.append(int(kept[k]))
    return chosen


def candidate_links(
    candidates: Candidates, chosen: Sequence[int], scores: Floats
) -> Iterator[tuple[int, Link]]:
    """The chosen candidates as links, one for each code point, each with its sentence pair.

    Args:
        candidates: pairs of leftovers.
        chosen: the numbers of those that become links.
        scores: one for each candidate.
    """
    source, target = candidates.source, candidates.target
    rows = np.array(chosen, dtype=np.intp)
    s, t = candidates.source_rows[rows], candidates.target_rows[rows]
    columns = source.pair[s], source.position[s], target.position[t], source.size[s], scores[rows]
    for pair, i, j, size, score in zip(*(column.tolist() for column in columns), strict=True):
        for offset in range(size):
            yield pair, Link(i + offset, j + offset, "residual", score)


def with_residuals(anchors: Alignment, links: Iterable[Link]) -> Alignment:
    """An alignment of anchors alone, with residual links added."""
    return Alignment.unchecked(
        anchors.source_length,
        anchors.target_length,
        anchors.anchors,
        tuple(sorted(links, key=attrgetter("source"))),
    )


def _leftovers(
    texts: Sequence[str], starts: Ints, sizes: Ints, counts: Sequence[int], numbers: dict[str, int]
) -> Leftovers:
    """The characters of `texts` outside the anchors.

    The anchors are blocks by start and size, `counts` of them in each text; `numbers` gives
    clusters their numbers.
    """
    lengths = np.array([len(text) for text in texts], dtype=np.intp)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    starts = starts + np.repeat(offsets[:-1], counts)
    joined = "".join(texts)
    char = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    char = char.astype(np.uint32)
    begun, ended = np.zeros((2, len(char) + 1), dtype=np.intp)
    begun[starts] = ended[starts + sizes] = 1  # two blocks never end, nor start, at one place
    blocks = np.cumsum(begun[:-1])
    free = blocks == np.cumsum(ended[:-1])
    size = np.ones(len(char), dtype=np.intp)
    all_plain = is_plain(joined)
    for offset, text in zip(offsets.tolist(), texts, strict=False):
        if not (all_plain or is_plain(text)):
            part = slice(offset, offset + len(text))
            _mark_characters(text, numbers, free[part], char[part], size[part])
    rows = np.flatnonzero(free)
    pair = np.repeat(np.arange(len(texts)), lengths)[rows]
    # Anchors split both texts into equally many gaps, so counting them numbers the gaps alike; the
    # pair's number sets a pair's first gap apart from the last one of the pair before it.
    gap = blocks[rows] + pair
    first, gap_size = _groups(gap)
    return Leftovers(
        pair=pair,
        position=rows - offsets[pair],
        char=char[rows],
        size=size[rows],
        gap=gap,
        gap_offset=np.arange(len(rows)) - first,
        gap_size=gap_size,
    )


def _mark_characters(
    text: str,
    numbers: dict[str, int],
    free: NDArray[np.bool_],
    char: CodePoints,
    size: Ints,
) -> None:
    """Leave one place a character, none for white space, in the arrays of one text."""
    split = characters(text)
    place = np.zeros(len(text), dtype=bool)
    for key, core, blank in zip(split.keys, split.cores, split.blank, strict=True):
        if blank:
            continue
        place[core] = True
        if len(key) > 1:
            char[core] = 0x110000 + numbers.setdefault(key, len(numbers))
            size[core] = len(key)
    free &= place


def _groups(values: Ints) -> tuple[Ints, Ints]:
    """For each element of an ascending array, where its value starts and how often it occurs."""
    _, first, group, count = np.unique(
        values, return_index=True, return_inverse=True, return_counts=True
    )
    return first[group], count[group]


def _candidates(
    texts: Sequence[tuple[str, str]], source: Leftovers, target: Leftovers
) -> Iterator[Candidates]:
    """The source leftovers of each target leftover's window, in target order.

    Of m source leftovers in a pair and n target leftovers, the one before which r of the latter
    stand has its window about the one before which r · m / n of the former stand.
    """
    sizes, targets = (np.bincount(side.pair, minlength=len(texts)) for side in (source, target))
    before = np.arange(len(target)) - (np.cumsum(targets) - targets)[target.pair]
    middle = before * sizes[target.pair] // targets[target.pair]
    room = np.maximum(sizes - WINDOW, 0)[target.pair]
    counts = np.minimum(sizes, WINDOW)[target.pair]
    starts = (np.cumsum(sizes) - sizes)[target.pair] + np.clip(middle - WINDOW // 2, 0, room)
    totals = np.cumsum(counts)
    row = 0
    while row < len(target):
        done = totals[row - 1] if row else 0
        stop = max(row + 1, int(np.searchsorted(totals, done + _MOST_AT_ONCE, side="right")))
        some = slice(row, stop)
        target_rows = np.repeat(np.arange(row, stop), counts[some])
        before = totals[some] - counts[some] - done  # candidates of the rows above each row
        source_rows = np.arange(len(target_rows)) + np.repeat(starts[some] - before, counts[some])
        if len(source_rows):
            yield Candidates(texts, source, target, source_rows, target_rows)
        row = stop


@dataclass(frozen=True, slots=True)
class ResidualAligner:
    """P2: anchors, then residual links by `scorer` above `threshold` (τ).

    P3 links in the same way with other weights; `method` is what the signature calls it.

    Raises:
        UsageError: a threshold that is not a finite number.
    """

    scorer: Scorer
    threshold: float = 0.85
    method: str = "p2"

    def __post_init__(self) -> None:
        if not isfinite(self.threshold):
            raise UsageError(f"the threshold must be a finite number, not {self.threshold!r}")

    @property
    def signature(self) -> str:
        return f"method:{self.method}|weights:{self.scorer.signature}|threshold:{self.threshold:g}"

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """Align a batch of `(source, target)` pairs."""
        anchored = [anchors(source, target) for source, target in texts]
        score = partial(self.scorer, threshold=self.threshold)
        return link_residuals(texts, anchored, score, self.threshold)
