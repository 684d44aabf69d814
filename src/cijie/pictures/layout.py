"""Lay out the picture of a recovery: source and target in shared columns.

Positions here are numbers of characters and of columns; see `cijie.text.characters`.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, Protocol
from unicodedata import category

from cijie.alignment.links import Alignment, Link
from cijie.choices import Language
from cijie.errors import UsageError
from cijie.pictures.likeness import Likeness, likeness
from cijie.pictures.wording import message, visible
from cijie.projection.boundaries import Change, Doubt
from cijie.text.characters import Characters, characters
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
        blank: whether it is white space.
        edited: whether the links show that the other text does not have it.
    """

    text: str
    blank: bool
    edited: bool


@dataclass(frozen=True, slots=True)
class Stroke:
    """A link as it is drawn: straight down within a column, or as an arc to another one.

    Attributes:
        source: the column of the source character.
        target: the column of the target character.
        likeness: the feature behind the link, None for an anchor.
        crossing: whether the link is one of `Alignment.crossing_links`.
        lane: the number of lanes between the source and an arc; arcs of one lane do not overlap.
    """

    source: int
    target: int
    likeness: Likeness | None
    crossing: bool
    lane: int

    @property
    def sign(self) -> Literal["same", "similar", "place", "moved"]:
        """The sign that the legend explains."""
        if self.source != self.target:
            return "moved"
        by = self.likeness.by if self.likeness else "moved"
        return "same" if by == "moved" else "place" if by == "place" else "similar"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a row.

    Attributes:
        first: its first column.
        last: its last column.
        changed: whether it is not a word of the initial segmentation.
        confidence: its confidence, if the method gives one.
    """

    first: int
    last: int
    changed: bool
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One segmentation of source or target.

    Attributes:
        name: its label.
        cells: the characters of its text, by column.
        words: its words, in order.
        changes: the columns before which a boundary was inserted or removed.
    """

    name: str
    cells: Mapping[int, Cell]
    words: tuple[Word, ...]
    changes: Mapping[int, Literal["insert", "remove"]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The picture of one pair, by one or several methods.

    Attributes:
        strokes: the links, straight ones first, then arcs from the shortest to the longest.
        initial: the words of the source before recovery.
        words: the words of the target.
        recovered: the words of the source by each method.
    """

    strokes: tuple[Stroke, ...]
    initial: Row
    words: Row
    recovered: tuple[Row, ...]

    @property
    def columns(self) -> list[list[Cell]]:
        """The characters in each column: of the source, of the target, or of both."""
        sides = self.initial.cells, self.words.cells
        numbers = range(len({*sides[0], *sides[1]}))
        return [[side[k] for side in sides if k in side] for k in numbers]

    def legend(self, language: Language) -> dict[str, str]:
        """Return the meaning of each sign that occurs in the picture, and of edited characters."""
        signs: set[str] = {stroke.sign for stroke in self.strokes}
        signs |= {kind for row in self.recovered for kind in row.changes.values()}
        signs |= {"crossing" for stroke in self.strokes if stroke.crossing}
        signs |= {"edited" for column in self.columns for cell in column if cell.edited}
        return {sign: message(key, language) for sign, key in _LEGEND.items() if sign in signs}

    def lines(self, widths: Sequence[int], width: int) -> Iterator[tuple[int, int]]:
        """Break the columns into lines of at most `width`, if possible before a word of the source
        that is also one of the recovered words.

        `widths` has the width of each column. Yields half-open ranges of columns.
        """
        starts = {word.first for word in self.initial.words}
        starts.intersection_update(*({word.first for word in row.words} for row in self.recovered))
        first, used, best = 0, 0, 0
        for k, wide in enumerate(widths):
            if k in starts and category(self.initial.cells[k].text[0]) not in _CLOSING:
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
    sides = characters(initial.text), characters(target.text)
    links = _by_character(last.alignment, *sides)
    columns = _columns(links, *map(len, sides))
    same = [x for x in last.alignment.links if initial.text[x.source] == target.text[x.target]]
    above = _Side(initial.text, sides[0], columns[0], {link.source for link in same})
    below = _Side(target.text, sides[1], columns[1], {link.target for link in same})
    return Layout(
        tuple(_strokes(links, last.alignment, above, below)),
        above.row("S", initial),
        below.row("T", target),
        tuple(above.row(name, each.segmentation, each) for name, each in recoveries.items()),
    )


class _Side:
    """Source or target: its characters and their columns; `same` is where both texts are alike."""

    def __init__(
        self, text: str, split: Characters, columns: Sequence[int], same: Collection[int]
    ) -> None:
        self.columns, self._starts = columns, split.starts
        self.cells = {
            column: Cell(
                "␣" if blank else visible(text[start:end]),
                bool(blank),
                bool(same) and not blank and start not in same,
            )
            for column, start, end, blank in zip(
                columns, split.starts, split.ends, split.blank, strict=True
            )
        }

    def row(self, name: str, words: Segmentation, of: Recovered | None = None) -> Row:
        """Build a row of `words`; for a recovery (`of`) with its changes and confidences."""
        before = {*(of.initial if of else words).spans}
        sure = of.confidences if of else ()
        shown = tuple(
            Word(
                self._column(start),
                self._column(end - 1),
                (start, end) not in before,
                sure[k] if sure else None,
            )
            for k, (start, end) in enumerate(words.spans)
        )
        changes = {
            self._column(change.at): change.kind
            for change in (of.changes if of else ())
            if change.at < len(words.text)
        }
        return Row(name, self.cells, shown, changes)

    def _column(self, offset: int) -> int:
        return self.columns[bisect(self._starts, offset) - 1]


def _by_character(
    alignment: Alignment, source: Characters, target: Characters
) -> dict[tuple[int, int], Link]:
    """Return the links by the numbers of their characters, at most one link per character."""
    found: dict[tuple[int, int], Link] = {}
    seen: tuple[set[int], set[int]] = set(), set()
    for link in alignment.links:
        i, j = bisect(source.starts, link.source) - 1, bisect(target.starts, link.target) - 1
        if i not in seen[0] and j not in seen[1]:
            seen[0].add(i)
            seen[1].add(j)
            found[i, j] = link
    return found


def _columns(
    links: Mapping[tuple[int, int], Link], source: int, target: int
) -> tuple[list[int], list[int]]:
    """Return the columns of the `source` and `target` characters; links in order share a column."""
    straight: list[tuple[int, int]] = []
    # Anchors never cross each other; residual links are added if they cross nothing.
    for i, j in sorted(links, key=lambda each: links[each].kind == "residual"):
        k = bisect(straight, (i, j))
        if (k == 0 or straight[k - 1][1] < j) and (k == len(straight) or j < straight[k][1]):
            straight.insert(k, (i, j))
    linked = {i for i, _ in links}, {j for _, j in links}
    columns: tuple[list[int], list[int]] = [], []
    number = count()
    for to_i, to_j in (*straight, (source, target)):
        while len(columns[0]) < to_i or len(columns[1]) < to_j:
            above, below = len(columns[0]) < to_i, len(columns[1]) < to_j
            # Unlinked neighbours share a column. The end of an arc has a column of its own, so
            # that no two arcs share a column.
            if above and len(columns[0]) in linked[0]:
                below = False
            elif below and len(columns[1]) in linked[1]:
                above = False
            column = next(number)
            columns[0].extend([column] * above)
            columns[1].extend([column] * below)
        if (to_i, to_j) in links:
            column = next(number)
            columns[0].append(column)
            columns[1].append(column)
    return columns


def _strokes(
    links: Mapping[tuple[int, int], Link], alignment: Alignment, above: _Side, below: _Side
) -> Iterator[Stroke]:
    """Yield the links, shortest first, each arc in the first lane from the source with room."""
    crossing = set(alignment.crossing_links)
    lanes = defaultdict[int, list[tuple[int, int]]](list)
    placed = [(above.columns[i], below.columns[j], link) for (i, j), link in links.items()]
    for source, target, link in sorted(placed, key=lambda each: (abs(each[0] - each[1]), each[:2])):
        low, high = sorted((source, target))
        lane = 0
        if low < high:
            lane = next(k for k in count() if all(high < a or b < low for a, b in lanes[k]))
            lanes[lane].append((low, high))
        alike = None
        if link.kind == "residual":
            alike = likeness(above.cells[source].text, below.cells[target].text, link.score)
        yield Stroke(source, target, alike, link in crossing, lane)
