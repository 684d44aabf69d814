"""P2: link the characters outside the anchors by similarity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from cijie.alignment.links import Alignment, Link, anchors
from cijie.errors import UsageError
from cijie.similarity.features import Candidates, CodePoints, Floats, Ints, Leftovers, Scorer
from cijie.text.characters import characters, is_plain

WINDOW = 128
"""The maximum number of unlinked source characters that an unlinked target character is compared
with: the nearest ones, in the order of unlinked characters. This keeps the time linear."""

_MOST_AT_ONCE = 1 << 18  # candidates scored at once, so that memory stays bounded


def candidate_batches(
    texts: Sequence[tuple[str, str]], anchored: Sequence[Alignment]
) -> Iterator[Candidates]:
    """Yield the candidate links of sentence pairs in batches of bounded size.

    Candidates combine each unlinked target character of a pair with the nearest `WINDOW` unlinked
    source characters. They are in target order, and all candidates of a target character are in
    one batch. In a pair with m unlinked source and n unlinked target characters, the window of the
    target character number r (from 0) is centred on the source character number r · m / n.
    """
    numbers: dict[str, int] = {}
    blocks = np.array(
        [block for alignment in anchored for block in alignment.anchors], dtype=np.intp
    ).reshape(-1, 3)
    numbered = [len(alignment.anchors) for alignment in anchored]
    source, target = (
        _leftovers([pair[side] for pair in texts], blocks[:, side], blocks[:, 2], numbered, numbers)
        for side in (0, 1)
    )
    sizes, targets = (np.bincount(side.pair, minlength=len(texts)) for side in (source, target))
    size = len(target.pair)
    before = np.arange(size) - (np.cumsum(targets) - targets)[target.pair]
    middle = before * sizes[target.pair] // targets[target.pair]
    room = np.maximum(sizes - WINDOW, 0)[target.pair]
    counts = np.minimum(sizes, WINDOW)[target.pair]
    starts = (np.cumsum(sizes) - sizes)[target.pair] + np.clip(middle - WINDOW // 2, 0, room)
    totals = np.cumsum(counts)
    row = 0
    while row < size:
        done = totals[row - 1] if row else 0
        stop = max(row + 1, int(np.searchsorted(totals, done + _MOST_AT_ONCE, side="right")))
        some = slice(row, stop)
        target_rows = np.repeat(np.arange(row, stop), counts[some])
        above = totals[some] - counts[some] - done  # candidates of the rows above each row
        source_rows = np.arange(len(target_rows)) + np.repeat(starts[some] - above, counts[some])
        if len(source_rows):
            yield Candidates(texts, source, target, source_rows, target_rows)
        row = stop


def select(candidates: Candidates, scores: Floats, threshold: float, used: set[int]) -> list[int]:
    """Return the candidates that become links, by the rule of `ResidualAligner`, in target order.

    Args:
        candidates: pairs of leftovers, grouped by target.
        scores: the score of each candidate.
        threshold: a score must exceed it.
        used: the source leftovers that are linked; updated in place.
    """
    source_rows, target_rows = candidates.source_rows, candidates.target_rows
    eligible = scores > threshold
    eligible &= candidates.source.size[source_rows] == candidates.target.size[target_rows]
    kept = np.flatnonzero(eligible)
    # Candidates are in target order, then in source order, which decides ties.
    ranked = kept[np.lexsort((-scores[kept], target_rows[kept]))]
    chosen: list[int] = []
    linked = -1
    columns = ranked, source_rows[ranked], target_rows[ranked]
    for k, source, target in zip(*(column.tolist() for column in columns), strict=True):
        if target != linked and source not in used:
            used.add(source)
            chosen.append(k)
            linked = target
    return chosen


def candidate_links(
    candidates: Candidates, chosen: Sequence[int], scores: Floats
) -> Iterator[tuple[int, Link]]:
    """Yield the chosen candidates as links, one per code point, each with its sentence pair.

    Args:
        candidates: pairs of leftovers.
        chosen: the indices of the candidates that become links.
        scores: the score of each candidate.
    """
    source, target = candidates.source, candidates.target
    rows = np.array(chosen, dtype=np.intp)
    s, t = candidates.source_rows[rows], candidates.target_rows[rows]
    columns = source.pair[s], source.position[s], target.position[t], source.size[s], scores[rows]
    for pair, i, j, size, score in zip(*(column.tolist() for column in columns), strict=True):
        for offset in range(size):
            yield pair, Link(i + offset, j + offset, "residual", score)


def _leftovers(
    texts: Sequence[str], starts: Ints, sizes: Ints, counts: Sequence[int], numbers: dict[str, int]
) -> Leftovers:
    """Return the characters of `texts` outside the anchors.

    The anchors are blocks with start and size, `counts` of them per text; `numbers` maps clusters
    to their numbers.
    """
    lengths = np.array([len(text) for text in texts], dtype=np.intp)
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    starts = starts + np.repeat(offsets[:-1], counts)
    joined = "".join(texts)
    char = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    char = char.astype(np.uint32)
    begun, ended = np.zeros((2, len(char) + 1), dtype=np.intp)
    begun[starts] = ended[starts + sizes] = 1  # no two blocks start or end at the same place
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
    # Anchors split both texts into the same number of gaps, so counting anchors numbers the gaps
    # the same way; the pair's number separates its first gap from the last gap of the pair before.
    gap = blocks[rows] + pair
    _, first, group, gap_size = np.unique(
        gap, return_index=True, return_inverse=True, return_counts=True
    )
    return Leftovers(
        pair=pair,
        position=rows - offsets[pair],
        char=char[rows],
        size=size[rows],
        gap=gap,
        gap_offset=np.arange(len(rows)) - first[group],
        gap_size=gap_size[group],
    )


def _mark_characters(
    text: str,
    numbers: dict[str, int],
    free: NDArray[np.bool_],
    char: CodePoints,
    size: Ints,
) -> None:
    """Keep one position per character, and none for white space, in the arrays of one text."""
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


@dataclass(frozen=True, slots=True)
class ResidualAligner:
    """P2: anchors, then residual links by `scorer` above `threshold` (τ).

    In each pair, in target order, an unlinked target character is linked to the unlinked source
    character with the highest score, if that is greater than the threshold; on a tie, the leftmost
    source character wins. White space is never linked. A grapheme cluster is treated as one
    character and linked only to a cluster with the same number of code points. If a pair has more
    than `WINDOW` unlinked source characters, each target character is compared with the nearest
    ones.

    P3 works the same way with other weights; `method` is its name in the signature.

    Raises:
        UsageError: the threshold is not a finite number.

    """

    scorer: Scorer
    threshold: float = 0.85
    method: str = "p2"

    def __post_init__(self) -> None:
        if not isfinite(self.threshold):
            raise UsageError(f"the threshold must be a finite number, not {self.threshold!r}")

    @property
    def signature(self) -> str:
        names = {name: feature.name for name, feature in self.scorer.features.items()}
        weights = ",".join(
            f"{name}={weight:g}" + (f":{names.get(name, 'absent')}" if weight else "")
            for name, weight in asdict(self.scorer.weights).items()
        )
        return f"method:{self.method}|weights:{weights}|threshold:{self.threshold:g}"

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """Align a batch of `(source, target)` pairs."""
        anchored = [anchors(source, target) for source, target in texts]
        links: dict[int, list[Link]] = {}
        used: set[int] = set()
        for candidates in candidate_batches(texts, anchored):
            scores = self.scorer(candidates, self.threshold)
            chosen = select(candidates, scores, self.threshold, used)
            for pair, link in candidate_links(candidates, chosen, scores):
                links.setdefault(pair, []).append(link)
        return [
            replace(anchors, residuals=tuple(sorted(links[pair]))) if pair in links else anchors
            for pair, anchors in enumerate(anchored)
        ]
