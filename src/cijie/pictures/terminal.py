"""Draw a recovery for a terminal: character under character, links as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cijie.choices import Language
from cijie.pictures.layout import Layout, Recovered, Row, Stroke, lay_out
from cijie.pictures.reasons import Line, explain
from cijie.pictures.wording import visible

_ANCHOR, _RESIDUAL, _CROSSING = "bright_black", "magenta", "red"
CHANGED, LEFT_ALONE, DETAIL = "green", "yellow", "bright_black"
_SIGNS = {  # links, then changed boundaries
    "same": "│",
    "similar": "┊",
    "place": ":",
    "moved": "╰┄╮",
    "crossing": "┼",
    "insert": "┃",
    "remove": "‿",
}


def draw(
    recoveries: Mapping[str, Recovered], width: int, language: Language = "en"
) -> Iterator[Text]:
    """Yield the lines of a picture: the recoveries of one pair by name, and their reasons.

    Args:
        recoveries: recoveries by name, see `cijie.pictures.layout.lay_out`.
        width: the maximum width of a line in cells; a line has at least one character.
        language: the language of the legend and the reasons.
    """
    layout = lay_out(recoveries)
    # A column has room for a boundary and for the wider of its two characters.
    widths = [1 + max(cell_len(cell.text) for cell in column) for column in layout.columns]
    rows = [layout.initial, layout.words, *layout.recovered]
    indent = max(cell_len(visible(row.name)) for row in rows) + 2
    for number, line in enumerate(layout.lines(widths, width - indent)):
        if number:
            yield Text()
        drawing = _Line(layout, widths, *line)
        for row in rows:
            name = visible(row.name)
            text = Text(name + " " * (indent - cell_len(name)), style="bold")
            yield text.append_text(drawing.row(row))
            if row is layout.initial:
                yield from (Text(" " * indent).append_text(links) for links in drawing.links())
    meanings = layout.legend(language)
    if legend := "   ".join(f"{_SIGNS[x]} {meanings[x]}" for x in meanings if x in _SIGNS):
        yield from (Text(), Text(" " * indent + legend, DETAIL))
    if reasons := [_explained(line) for line in explain(recoveries, language)]:
        yield from (Text(), *reasons)


def print_lines(
    lines: Callable[[int], Iterable[Text]],
    width: int | None = None,
    *,
    console: Console | None = None,
) -> None:
    """Print lines made for a width, in colours if the terminal supports and allows them.

    Args:
        lines: returns the lines for a width in cells.
        width: the width in cells; None for the width of the terminal.
        console: the console; None for standard output.
    """
    console = console or Console(highlight=False)
    for line in lines(width or console.width):
        console.print(line, soft_wrap=True)


def _explained(line: Line) -> Text:
    if line.kind in ("sure", "weighed"):
        return Text(f"    {line.name and f'{line.name}: '}{line.text}", DETAIL)
    colour = CHANGED if line.kind == "changed" else LEFT_ALONE
    return Text.assemble((line.name and f"{line.name}  ", "bold"), (line.text, colour))


class _Line:
    """One line of a picture: the columns from `first` up to `end`, half-open."""

    def __init__(self, layout: Layout, widths: list[int], first: int, end: int) -> None:
        self._layout, self._widths, self._first, self._end = layout, widths, first, end
        self._at = dict(enumerate(accumulate(widths[first:end], initial=1), start=first))

    def row(self, row: Row) -> Text:
        """Return the characters of a row, with its boundaries between them."""
        text = Text()
        begun = {word.first: word for word in row.words}
        changed = ""
        for k in range(self._first, self._end):
            cell = row.cells.get(k)
            mark = row.changes.get(k)
            if k in begun:
                changed = CHANGED if begun[k].changed else ""
            between = _SIGNS[mark] if mark else "│" if k in begun and k > self._first else " "
            text.append(between, CHANGED if mark else _ANCHOR)
            shown = cell.text if cell else ""
            edited = cell is not None and cell.edited
            style = _ANCHOR if cell and cell.blank else _RESIDUAL if edited else changed
            text.append(shown + " " * (self._widths[k] - 1 - cell_len(shown)), style)
        text.rstrip()
        return text

    def links(self) -> Iterator[Text]:
        """Yield the links below the source: straight down within a column, arcs in lanes."""
        touching = [each for each in self._layout.strokes if self._touches(each)]
        straight = [each for each in touching if each.sign != "moved"]
        arcs = [each for each in touching if each.sign == "moved"]
        for lane in sorted({arc.lane for arc in arcs}) or [0]:
            signs = {
                self._at[each.source]: (
                    _SIGNS[each.sign],
                    _RESIDUAL if each.likeness else _ANCHOR,
                )
                for each in straight
            }
            # Vertical lines first, then the arcs that cross them.
            for arc in arcs:
                k = arc.source if lane < arc.lane else arc.target
                if lane != arc.lane and self._first <= k < self._end:
                    signs[self._at[k]] = "┊", _style(arc)
            for arc in arcs:
                if lane == arc.lane:
                    self._across(arc, signs)
            width = max(signs, default=-1) + 1
            yield Text.assemble(*(signs.get(x, (" ", "")) for x in range(width)))

    def _touches(self, stroke: Stroke) -> bool:
        low, high = sorted((stroke.source, stroke.target))
        return low < self._end and high >= self._first

    def _across(self, arc: Stroke, signs: dict[int, tuple[str, str]]) -> None:
        """Draw one arc from its source to its target, or to the edge of the line."""
        style = _style(arc)
        low, high = sorted((arc.source, arc.target))
        start = self._at.get(low, 0) if low >= self._first else 0
        stop = self._at[high] if high < self._end else self._at[self._end] - 2
        for x in range(start, stop + 1):
            signs[x] = ("┼" if x in signs else "┄"), style
        right = arc.source < arc.target
        signs[start] = ("◂" if low < self._first else "╰" if right else "╭"), style
        signs[stop] = ("▸" if high >= self._end else "╮" if right else "╯"), style


def _style(arc: Stroke) -> str:
    return _CROSSING if arc.crossing else _RESIDUAL
