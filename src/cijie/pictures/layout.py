"""Lay out the picture of a recovery: source and target in shared columns.

Positions here are numbers of characters and of columns; see `cijie.text.characters`.
"""

from __future__ import annotations

from bisect import bisect, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from operator import itemgetter
from typing import Literal, Protocol
from unicodedata import category

from cijie.alignment.links import Alignment, Kind
from cijie.choices import Language
from cijie.errors import UsageError
from cijie.pictures.likeness import Likeness, likeness
from cijie.pictures.wording import message, visible
from cijie.projection.boundaries import Change, Doubt
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

_CLOSING = {"Pe", "Pf", "Po"}  # general categories of characters that may not begin a line
_LEGEND = {  # the messages about signs, in order
    **{sign: f"sign.{sign}" for sign in ("same", "similar", "place", "moved", "crossing")},
    "insert": "change.cut",
    "remove": "change.joined",
    "edited": "sign.edited",
}


class Recovered(Protocol):
    """The parts of a recovery that a picture shows; `cijie.Recovery` has them."""

    @property
    def initial(self) -> Segmentation:
        """The source and its own words."""

    @property
    def target_segmentation(self) -> Segmentation:
        """The target and its words."""

    @property
    def alignment(self) -> Alignment:
        """The links."""

    @property
    def segmentation(self) -> Segmentation:
        """The source and its recovered words."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The cuts and joins."""

    @property
    def confidences(self) -> tuple[float, ...]:
        """The confidence of each word; empty if the method gives none."""

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The contested places."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One character of a text.

    Attributes:
        text: the character in visible form.
        start: the start of its half-open span, in code points.
        end: the end of its half-open span, in code points.
        blank: whether it is white space.
        edited: whether the links show that the other text does not have it.
    """

    text: str
    start: int
    end: int
    blank: bool
    edited: bool


@dataclass(frozen=True, slots=True)
class Stack:
    """The content of one column: a source character over a target character, or one of them.

    A `sign` is drawn for a link between the two: `"same"`, `"similar"` or `"place"`.

    Attributes:
        source: the number of the source character, or None.
        target: the number of the target character, or None.
        kind: the kind of the link between the two, None if they are not linked.
        likeness: the feature behind a residual link between the two.
    """

    source: int | None
    target: int | None
    kind: Kind | None = None
    likeness: Likeness | None = None

    @property
    def sign(self) -> Literal["same", "similar", "place"] | None:
        if self.kind is None:
            return None
        by = self.likeness.by if self.likeness else "moved"
        return "same" if by == "moved" else "place" if by == "place" else "similar"


@dataclass(frozen=True, slots=True)
class Arc:
    """A link between characters in different columns.

    Attributes:
        source: the column of the source character.
        target: the column of the target character.
        likeness: the feature behind the link, None for an anchor.
        crossing: whether the link is one of `Alignment.crossing_links`.
        lane: the number of lanes between the source and the arc; arcs of one lane do not overlap.
    """

    source: int
    target: int
    likeness: Likeness | None
    crossing: bool
    lane: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a row.

    Attributes:
        first: its first column.
        last: its last column.
        text: the word.
        changed: whether it is not a word of the initial segmentation.
        confidence: its confidence, if the method gives one.
    """

    first: int
    last: int
    text: str
    changed: bool = False
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One segmentation of source or target.

    Attributes:
        name: its label.
        side: the text that it segments.
        words: its words, in order.
        changes: the columns before which a boundary was inserted or removed.
    """

    name: str
    side: Literal["source", "target"]
    words: tuple[Word, ...]
    changes: Mapping[int, Literal["insert", "remove"]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The picture of one pair, by one or several methods.

    Attributes:
        source: the characters of the source.
        target: the characters of the target.
        columns: the columns, from left to right.
        arcs: the links between different columns.
        initial: the words of the source before recovery.
        words: the words of the target.
        recovered: the words of the source by each method.
    """

    source: tuple[Cell, ...]
    target: tuple[Cell, ...]
    columns: tuple[Stack, ...]
    arcs: tuple[Arc, ...]
    initial: Row
    words: Row
    recovered: tuple[Row, ...]

    def cell(self, side: Literal["source", "target"], column: int) -> Cell | None:
        """Return the character of one text in a column, or None."""
        number = getattr(self.columns[column], side)
        return None if number is None else getattr(self, side)[number]

    def cells(self, column: int) -> tuple[Cell | None, Cell | None]:
        """Return the characters of source and target in a column."""
        return self.cell("source", column), self.cell("target", column)

    def legend(self, language: Language) -> dict[str, str]:
        """Return the meaning of each sign that occurs in the picture, and of edited characters."""
        signs: set[str | None] = {column.sign for column in self.columns}
        signs |= {kind for row in self.recovered for kind in row.changes.values()}
        signs |= {"moved" for _ in self.arcs} | {"crossing" for arc in self.arcs if arc.crossing}
        signs |= {"edited" for cell in (*self.source, *self.target) if cell.edited}
        return {sign: message(key, language) for sign, key in _LEGEND.items() if sign in signs}

    def lines(self, widths: Sequence[int], width: int) -> Iterator[tuple[int, int]]:
        """Break the columns into lines of at most `width`, if possible before a word of the source
        that is also one of the recovered words.

        `widths` has the width of each column. Yields half-open ranges of columns.
        """
        starts = {
            word.first for word in self.initial.words if category(word.text[0]) not in _CLOSING
        }.intersection(*({word.first for word in row.words} for row in self.recovered))
        first, used, best = 0, 0, 0
        for k, wide in enumerate(widths):
            if k in starts:
                best = k
            while used + wide > width and k > first:
                end = best if best > first else k
                yield first, end
                first, used = end, sum(widths[end:k])
            used += wide
        if first < len(widths):
            yield first, len(widths)


def lay_out(recoveries: Mapping[str, Recovered]) -> Layout:
    """Lay out the recoveries of one pair by one or several methods, by name.

    Linked characters share a column as far as their order allows it; the other links are arcs. The
    links are taken from the last method that has any.

    Raises:
        UsageError: no recovery, or recoveries of different pairs.
    """
    if not recoveries:
        raise UsageError("no recovery to show")
    shown = list(recoveries.values())
    last = next((each for each in reversed(shown) if len(each.alignment)), shown[-1])
    initial, target = last.initial, last.target_segmentation
    pairs = {(each.initial.text, each.target_segmentation.text) for each in shown}
    if len(pairs) > 1:
        raise UsageError(f"expected recoveries of one pair, got those of {len(pairs)} pairs")
    same = [x for x in last.alignment.links if initial.text[x.source] == target.text[x.target]]
    cells = (
        _cells(initial.text, {link.source for link in same}),
        _cells(target.text, {link.target for link in same}),
    )
    links = list(_cell_links(last.alignment, *cells))
    columns = tuple(_columns(links, *map(len, cells)))
    place = {
        side: {getattr(column, side): k for k, column in enumerate(columns)}
        for side in ("source", "target")
    }
    straight = {(column.source, column.target) for column in columns if column.kind}
    moved = [
        (place["source"][i], place["target"][j], alike, crossing)
        for i, j, _, alike, crossing in links
        if (i, j) not in straight
    ]
    row = partial(_row, side="source", cells=cells[0], place=place["source"])
    return Layout(
        *cells,
        columns,
        tuple(_with_lanes(moved)),
        row("S", initial),
        _row("T", target, side="target", cells=cells[1], place=place["target"]),
        tuple(row(name, each.segmentation, of=each) for name, each in recoveries.items()),
    )


def _cells(text: str, same: Collection[int]) -> tuple[Cell, ...]:
    """Return the characters of a text; `same` is where the other text has the same character."""
    split = characters(text)
    return tuple(
        Cell(
            "␣" if blank else visible(text[start:end]),
            start,
            end,
            bool(blank),
            bool(same) and not blank and start not in same,
        )
        for start, end, blank in zip(split.starts, split.ends, split.blank, strict=True)
    )


_CellLink = tuple[int, int, Kind, Likeness | None, bool]
"""The numbers of source and target character, kind and likeness of the link, and whether it
crosses."""


def _cell_links(
    alignment: Alignment, source: Sequence[Cell], target: Sequence[Cell]
) -> Iterator[_CellLink]:
    """Yield the links between characters by source, at most one link per character."""
    starts = [[cell.start for cell in side] for side in (source, target)]
    crossing = set(alignment.crossing_links)
    seen: tuple[set[int], set[int]] = set(), set()
    for link in alignment.links:
        i, j = (bisect(starts[0], link.source) - 1, bisect(starts[1], link.target) - 1)
        if i not in seen[0] and j not in seen[1]:
            seen[0].add(i)
            seen[1].add(j)
            alike = None
            if link.kind == "residual":
                alike = likeness(source[i].text, target[j].text, link.score)
            yield i, j, link.kind, alike, link in crossing


def _columns(links: Sequence[_CellLink], source: int, target: int) -> Iterator[Stack]:
    """Yield the columns of `source` and `target` characters; links in order share a column."""
    straight: list[tuple[int, int, Stack | None]] = []
    # Anchors never cross each other; residual links are added if they cross nothing.
    for i, j, kind, alike, _ in sorted(links, key=lambda each: each[2] == "residual"):
        k = bisect_right(straight, i, key=itemgetter(0))
        if (k == 0 or straight[k - 1][1] < j) and (k == len(straight) or j < straight[k][1]):
            straight.insert(k, (i, j, Stack(i, j, kind, alike)))
    linked = {i for i, *_ in links}, {j for _, j, *_ in links}
    i = j = 0
    for to_i, to_j, stack in (*straight, (source, target, None)):
        while i < to_i or j < to_j:
            # Unlinked neighbours share a column. The end of an arc has a column of its own, so
            # that no two arcs share a column.
            above = i < to_i and (i in linked[0] or j == to_j or j not in linked[1])
            below = j < to_j and (j in linked[1] or i == to_i or i not in linked[0])
            if above and below and (i in linked[0] or j in linked[1]):
                below = False
            yield Stack(i if above else None, j if below else None)
            i, j = i + above, j + below
        if stack is not None:
            yield stack
            i, j = i + 1, j + 1


def _with_lanes(arcs: Sequence[tuple[int, int, Likeness | None, bool]]) -> Iterator[Arc]:
    """Yield the arcs, shortest first, each in the first lane from the source with room for it."""
    lanes = defaultdict[int, list[tuple[int, int]]](list)
    for source, target, alike, crossing in sorted(
        arcs, key=lambda arc: (abs(arc[0] - arc[1]), arc[:2])
    ):
        low, high = sorted((source, target))
        lane = next(k for k in count() if all(high < a or b < low for a, b in lanes[k]))
        lanes[lane].append((low, high))
        yield Arc(source, target, alike, crossing, lane)


def _row(
    name: str,
    words: Segmentation,
    *,
    side: Literal["source", "target"],
    cells: Sequence[Cell],
    place: Mapping[int, int],
    of: Recovered | None = None,
) -> Row:
    """Build a row of `words`; for a recovery (`of`) with its changes and confidences."""
    starts = [cell.start for cell in cells]
    before = set(of.initial.spans if of else words.spans)
    sure = of.confidences if of else ()
    changes = of.changes if of else ()

    def column(offset: int) -> int:
        return place[bisect(starts, offset) - 1]

    shown = tuple(
        Word(
            column(start),
            column(end - 1),
            words.text[start:end],
            (start, end) not in before,
            sure[k] if sure else None,
        )
        for k, (start, end) in enumerate(words.spans)
    )
    within = (change for change in changes if change.at < len(words.text))
    return Row(name, side, shown, {column(change.at): change.kind for change in within})
