"""Character links between a source and its target; P1: as many identical characters as possible.

P1 links the largest possible number of identical characters in order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import starmap
from math import isfinite
from operator import itemgetter
from typing import Literal, NamedTuple

from rapidfuzz.distance import Indel, Postfix, Prefix

from cijie.errors import AlignmentError
from cijie.text.characters import Characters, characters, is_plain

Kind = Literal["anchor", "residual"]

AnchorRun = tuple[int, int, int]
"""`(source, target, size)`: `size` anchors in a row, `(source, target)` the first of them."""

LinkTuple = tuple[int, int, Kind, float | None]
"""The fields of a `Link`, `(source, target, kind, score)`."""

MOST_CELLS = 1 << 33
"""The maximum number of character pairs of two texts: RapidFuzz keeps one bit per pair, 1 GiB."""


class Link(NamedTuple):
    """A link from the source character at `source` to the target character at `target`.

    Both are code-point offsets. `kind` is `"anchor"` for identical characters linked in order
    (P1), or `"residual"` for other characters linked by similarity (P2). Only residual links have
    a `score`.
    """

    source: int
    target: int
    kind: Kind = "anchor"
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Alignment:
    """One-to-one links between the characters of a source and of a target.

    Args:
        source_length: length of the source in code points.
        target_length: length of the target in code points.
        anchors: the anchors as maximal blocks, ascending on both sides.
        residuals: the residual links, ascending by source offset.

    An aligner gives what holds by its making, and this checks nothing; `from_tuples` checks links
    from elsewhere.

    >>> alignment = Alignment(3, 4, ((0, 0, 2),), (Link(2, 3, "residual", 0.9),))
    >>> [(link.source, link.target) for link in alignment.links]
    [(0, 0), (1, 1), (2, 3)]
    >>> alignment.source_coverage, alignment.target_coverage, alignment.crossings
    (1.0, 0.75, 0)
    """

    source_length: int
    target_length: int
    anchors: tuple[AnchorRun, ...] = ()
    residuals: tuple[Link, ...] = ()

    @classmethod
    def from_tuples(
        cls, source_length: int, target_length: int, links: Iterable[LinkTuple]
    ) -> Alignment:
        """Build an alignment from links in the form of `as_tuples`, in any order.

        Args:
            source_length: length of the source in code points.
            target_length: length of the target in code points.
            links: `(source, target, kind, score)`; the score of an anchor is None.

        Raises:
            AlignmentError: an offset is out of range, a character is linked twice, anchors are not
                in order or have a score, or a residual link has no finite one.

        >>> Alignment.from_tuples(2, 2, [(1, 1, "anchor", None), (0, 0, "anchor", None)]).anchors
        ((0, 0, 2),)
        """
        anchors: list[AnchorRun] = []
        residuals: list[Link] = []
        sources: set[int] = set()
        targets: set[int] = set()
        for i, j, kind, score in sorted(links, key=itemgetter(0)):
            link = Link(i, j, kind, score)
            if not (0 <= i < source_length and 0 <= j < target_length):
                raise AlignmentError(f"{link} is out of range")
            if i in sources or j in targets:
                raise AlignmentError(f"{link} links a character that is already linked")
            sources.add(i)
            targets.add(j)
            if kind == "anchor":
                if score is not None:
                    raise AlignmentError(f"an anchor takes no score: {link}")
                if anchors and j < anchors[-1][1]:
                    raise AlignmentError(f"anchors are not ascending: {link}")
                anchors.append((i, j, 1))
            elif kind != "residual":
                raise AlignmentError(f"unknown kind of link: {kind!r}")
            elif score is None or not isfinite(score):
                raise AlignmentError(f"a residual link requires a score: {link}")
            else:
                residuals.append(link)
        return cls(source_length, target_length, tuple(maximal(anchors)), tuple(residuals))

    def __len__(self) -> int:
        """Return the number of links."""
        return sum(size for _, _, size in self.anchors) + len(self.residuals)

    @property
    def links(self) -> list[Link]:
        """All links, ascending by source offset."""
        return list(starmap(Link, self.as_tuples()))

    def as_tuples(self) -> list[LinkTuple]:
        """Return all links as `(source, target, kind, score)`, ascending by source offset."""
        links: list[LinkTuple] = [
            (i + k, j + k, "anchor", None) for i, j, size in self.anchors for k in range(size)
        ]
        if self.residuals:
            links += [(link.source, link.target, link.kind, link.score) for link in self.residuals]
            links.sort(key=itemgetter(0))
        return links

    @property
    def source_coverage(self) -> float:
        """The share of source characters that are linked; 0 for an empty source."""
        return len(self) / self.source_length if self.source_length else 0.0

    @property
    def target_coverage(self) -> float:
        """The share of target characters that are linked; 0 for an empty target."""
        return len(self) / self.target_length if self.target_length else 0.0

    @property
    def crossing_links(self) -> list[Link]:
        """The residual links that do not keep the order of the anchors.

        Such a link is before an anchor on one side and after it on the other. Without anchors, it
        crosses another residual link in the same way.

        >>> links = [Link(0, 1, "residual", 0.9), Link(1, 0, "residual", 0.9)]
        >>> Alignment(2, 2, (), tuple(links)).crossings
        2
        """
        if not self.anchors:
            return self._crossing_each_other()
        if not self.residuals:
            return []
        # Anchors are ordered, so a link crosses none of them if and only if the same number of
        # anchors precede it in source and target.
        source_starts = [i for i, _, _ in self.anchors]
        target_starts = [j for _, j, _ in self.anchors]
        return [
            link
            for link in self.residuals
            if bisect_right(source_starts, link.source) != bisect_right(target_starts, link.target)
        ]

    def _crossing_each_other(self) -> list[Link]:
        highest = -1
        crossing = []
        in_order = sorted(link.target for link in self.residuals)
        for link, in_its_place in zip(self.residuals, in_order, strict=True):
            highest = max(highest, link.target)
            # A link does not cross if the targets before it are exactly the lower ones.
            if not highest == link.target == in_its_place:
                crossing.append(link)
        return crossing

    @property
    def crossings(self) -> int:
        """The number of `crossing_links`."""
        return len(self.crossing_links)


def maximal(blocks: Iterable[AnchorRun]) -> list[AnchorRun]:
    """Merge ascending blocks that are contiguous on both sides.

    >>> maximal([(0, 0, 1), (1, 1, 2), (4, 3, 1)])
    [(0, 0, 3), (4, 3, 1)]
    """
    found: list[AnchorRun] = []
    for i, j, size in blocks:
        if found:
            i0, j0, before = found[-1]
            if (i, j) == (i0 + before, j0 + before):
                found[-1] = (i0, j0, before + size)
                continue
        found.append((i, j, size))
    return found


def anchors(source: str, target: str) -> Alignment:
    """Link identical characters of `source` and `target` by a longest common subsequence.

    The number of links is the maximum for links that keep the order (a Levenshtein alignment in
    which a substitution costs a deletion and an insertion). Among the alignments that reach it,
    one is chosen by this rule: link the common prefix, then the common suffix of the texts. In
    the rest, from the end backwards, leave a source character unlinked if that loses no link,
    else leave a target character unlinked if that loses no link, else link the two. Anchors
    therefore lie as early as possible.

    Characters are grapheme clusters: all code points of a cluster are linked, or none.

    The time is O(m · n).

    Raises:
        AlignmentError: the texts are too long: between their common prefix and suffix there are
            more than `MOST_CELLS` pairs of characters, about 90,000 characters on each side.

    >>> anchors("天天天见", "天天见").anchors
    ((0, 0, 2), (3, 2, 1))
    >>> anchors("我参加了旅行困", "我参加了旅行团").anchors
    ((0, 0, 6),)
    """
    m, n = len(source), len(target)
    if is_plain(source) and is_plain(target):
        return Alignment(m, n, common_blocks(source, target))
    left, right = characters(source), characters(target)
    blocks = [
        (left.cores[i + k] + offset, right.cores[j + k] + offset, 1)
        for i, j, size in common_blocks(*_numbered(left, right))
        for k in range(size)
        for offset in range(len(left.keys[i + k]))
    ]
    return Alignment(m, n, tuple(maximal(blocks)))


@dataclass(frozen=True, slots=True)
class AnchorAligner:
    """P1: anchors alone."""

    signature: str = "method:p1"

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """Align a batch of `(source, target)` pairs."""
        return [anchors(source, target) for source, target in texts]


def common_blocks(
    source: str | Sequence[int], target: str | Sequence[int]
) -> tuple[AnchorRun, ...]:
    """Return a longest common subsequence of two sequences as blocks, by the rule of `anchors`.

    Raises:
        AlignmentError: the sequences are too long.
    """
    if len(source) * len(target) > MOST_CELLS:
        _check_size(source, target)
    matches = Indel.editops(source, target).as_matching_blocks()
    return tuple([(match.a, match.b, match.size) for match in matches if match.size])


def _check_size(source: str | Sequence[int], target: str | Sequence[int]) -> None:
    # RapidFuzz strips the common prefix, then the common suffix of the rest.
    before = Prefix.similarity(source, target)
    after = Postfix.similarity(source[before:], target[before:])
    m, n = (len(side) - before - after for side in (source, target))
    if m * n > MOST_CELLS:
        raise AlignmentError(
            f"texts that differ over {m:,} and {n:,} characters cannot be aligned: "
            f"{m * n:,} pairs of characters, at most {MOST_CELLS:,}"
        )


def _numbered(source: Characters, target: Characters) -> tuple[list[int], list[int]]:
    # RapidFuzz compares elements that are not single characters by their hashes. Hashes of strings
    # differ from process to process; hashes of numbers do not.
    numbers: dict[str, int] = {}
    left, right = (
        [numbers.setdefault(key, len(numbers)) for key in side.keys] for side in (source, target)
    )
    return left, right
