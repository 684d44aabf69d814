"""Draw a recovery as SVG, with words as boxes and links as lines, or as HTML with reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from itertools import accumulate
from typing import Literal, get_args

from cijie.choices import unknown
from cijie.errors import UsageError
from cijie.pictures.layout import Arc, Layout, Recovered, Row, Word, lay_out
from cijie.pictures.likeness import Likeness
from cijie.pictures.reasons import SURE, reasons_by
from cijie.pictures.wording import decimal, visible
from cijie.templates import fill

Style = Literal["light", "dark", "auto"]
"""The colours of a picture: light, dark, or following the reader's system."""

# The colours of the pages (`viewer/page/base.css`), one pair (light, dark) per class of elements.
_COLOURS = {
    "paper": ("#fcfbf8", "#16181b"),
    "ink": ("#1d2023", "#e8e5de"),
    "soft": ("#5b6067", "#a3a7ac"),
    "box": ("#8ba7b8", "#4d6675"),
    "changed": ("#0a6a9c", "#6fb9e2"),
    "anchor": ("#8ba7b8", "#5d7786"),
    "residual": ("#8a4a78", "#d69bc6"),
    "crossing": ("#b3440a", "#f0975a"),
}
_FILLED = {"paper", "ink", "soft"}
_HAN = (  # programs that read only the first name usually run on Linux
    "'Noto Serif CJK SC', 'Source Han Serif SC', 'Noto Serif SC', 'Songti SC', STSong, SimSun, "
    "'Noto Color Emoji', serif"
)
_SANS = "'Helvetica Neue', 'Liberation Sans', Arial, 'PingFang SC', 'Noto Sans CJK SC', sans-serif"

_FULL, _HALF = 32, 20  # the width of a column
_HEIGHT = 34  # of a row
_GAP = 8  # between rows, and on either side of them
_REACH = 46  # between source and target
_LANE = 12  # more for each lane of arcs
_EDGE = 14


def to_svg(*pictures: Mapping[str, Recovered], style: Style = "auto", width: int = 820) -> str:
    """Draw the recoveries of a pair by several methods; several pairs one below the other.

    The picture needs no script and no other file, and its text can be selected.

    Args:
        pictures: for each pair the recoveries by name, see `cijie.pictures.layout.lay_out`.
        style: `"light"`, `"dark"`, or `"auto"`, which follows the reader's system.
        width: the maximum width in pixels; longer pictures continue on another line.

    Raises:
        UsageError: an unknown style, no recovery, or recoveries of different pairs in one picture.
    """
    if style not in get_args(Style):
        raise UsageError(unknown("style", style, get_args(Style)))
    layouts = [lay_out(recoveries) for recoveries in pictures]
    names = [row.name for layout in layouts for row in (layout.initial, *layout.recovered)]
    left = _EDGE + 14 + 8 * max((len(visible(name)) for name in names), default=0)
    paint = partial(_paint, style == "dark")
    parts: list[str] = []
    right, bottom = left, _EDGE
    for layout in layouts:
        widths = [
            _FULL if any(cell and _is_full(cell.text) for cell in layout.cells(k)) else _HALF
            for k in range(len(layout.columns))
        ]
        for first, end in layout.lines(widths, width - left - _EDGE):
            if first:  # a rule between lines of one sentence, not between sentences
                rule = f'd="M{_EDGE} {bottom - _GAP}H{right}" stroke-dasharray="2 4"'
                parts.append(f"<path {paint('box')} {rule}/>")
            line = _Line(layout, paint, widths, range(first, end), left, bottom)
            parts += line.parts()
            right, bottom = max(right, line.right), line.bottom + 2 * _GAP
        bottom += _GAP
    right, bottom = right + _EDGE, bottom + _EDGE - 3 * _GAP
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {bottom}" width="{right}" '
        f'height="{bottom}" class="cijie" lang="zh" font-size="22" text-anchor="middle" '
        f'font-family="{_HAN}">'
    )
    title = "; ".join(map(_title, layouts))
    paper = f'<rect width="{right}" height="{bottom}" {paint("paper")}/>'
    rules = [_DARK_RULES] if style == "auto" else []
    return "\n".join([start, f"<title>{escape(title)}</title>", *rules, paper, *parts, "</svg>\n"])


def to_html(recoveries: Mapping[str, Recovered], *, style: Style = "auto", width: int = 820) -> str:
    """Return an HTML `figure` with the picture of `to_svg` and the reasons below it.

    Args:
        recoveries: recoveries of one pair, by name.
        style: `light`, `dark` or `auto`.
        width: the maximum width in pixels.
    """
    from markupsafe import Markup

    shown = {visible(name): recovery for name, recovery in recoveries.items()}
    return fill(
        "figure.html",
        files(__package__),
        picture=Markup(to_svg(recoveries, style=style, width=width)),
        named=len(recoveries) > 1,
        groups=reasons_by(shown),
    )


def _title(layout: Layout) -> str:
    return " → ".join(
        "".join(cell.text for cell in side) for side in (layout.source, layout.target)
    )


_Paint = Callable[[str], str]


def _paint(dark: bool, name: str) -> str:
    """Return the attributes of a class of elements, for programs that ignore styles."""
    colour = _COLOURS[name][dark]
    painted = f'fill="{colour}"' if name in _FILLED else f'fill="none" stroke="{colour}"'
    return f'class="{name}" {painted}'


class _Line:
    """One line of a picture: a range of its columns, drawn from (`left`, `top`)."""

    def __init__(
        self,
        layout: Layout,
        paint: _Paint,
        widths: Sequence[int],
        columns: range,
        left: int,
        top: int,
    ) -> None:
        self._layout, self._paint, self._columns = layout, paint, columns
        starts = accumulate((widths[k] for k in columns), initial=left)
        self._at = dict(enumerate(starts, start=columns.start))
        self._middle = {k: self._at[k] + widths[k] / 2 for k in columns}
        self._arcs = [
            arc for arc in layout.arcs if arc.source in self._middle or arc.target in self._middle
        ]
        lanes = max((arc.lane + 1 for arc in self._arcs), default=0)
        self._left, self.right = left, self._at[columns.stop]
        self._top, self._words = top, top + _HEIGHT + _REACH + _LANE * lanes
        self.bottom = self._words + _HEIGHT + len(layout.recovered) * (_HEIGHT + _GAP) + _GAP

    def parts(self) -> Iterator[str]:
        """Yield the elements of the line."""
        yield from self._links(self._top + _HEIGHT + 3, self._words - 3)
        yield from self._row(self._layout.initial, self._top)
        yield from self._row(self._layout.words, self._words)
        for number, row in enumerate(self._layout.recovered, start=1):
            yield from self._row(row, self._words + number * (_HEIGHT + _GAP) + _GAP)

    def _row(self, row: Row, y: int) -> Iterator[str]:
        yield (
            f'<text x="{self._left - 10}" y="{y + 22}" font-size="14" text-anchor="end" '
            f'font-family="{_SANS}" {self._paint("soft")}>{escape(visible(row.name))}</text>'
        )
        stop, start = self._columns.stop, self._columns.start
        here = [word for word in row.words if word.first < stop and word.last >= start]
        for name, wide in (("box", 1.2), ("changed", 2.2)):
            if words := [word for word in here if word.changed == (name == "changed")]:
                boxes = "".join(self._box(word, y) for word in words)
                yield f'<g {self._paint(name)} stroke-width="{wide}">{boxes}</g>'
        characters = "".join(
            f'<tspan x="{x:g}">{escape(cell.text)}</tspan>'
            for k, x in self._middle.items()
            if (cell := self._layout.cell(row.side, k))
        )
        yield f'<text y="{y + 25}" {self._paint("ink")}>{characters}</text>'
        marks = "".join(
            f"M{self._at[k] - 4} {y - 6}l4 5l4 -5"
            if kind == "insert"
            else f"M{self._at[k] - 6} {y - 1}q6 -8 12 0"
            for k, kind in row.changes.items()
            if k in self._middle and k > self._columns.start
        )
        if marks:
            yield f'<path {self._paint("changed")} stroke-width="2" d="{marks}"/>'

    def _box(self, word: Word, y: int) -> str:
        """Return the box of a word, open on the side where a line break divides the word."""
        begins, ends = word.first in self._middle, word.last in self._middle
        left = self._at[word.first] + 2 if begins else self._left
        right = self._at[word.last + 1] - 2 if ends else self.right
        if begins and ends:
            across, down = right - left - 10, _HEIGHT - 10
            shape = (
                f"M{left + 5} {y}h{across}q5 0 5 5v{down}q0 5 -5 5h-{across}q-5 0 -5 -5v-{down}"
                "q0 -5 5 -5z"
            )
        else:
            shape = f"M{left} {y}H{right}{f'v{_HEIGHT}' if ends else f'm0 {_HEIGHT}'}H{left}"
            shape += f"v-{_HEIGHT}" if begins else ""
        if word.confidence is None:
            return f'<path d="{shape}"/>'
        dots = ' stroke-dasharray="2 3"' if word.confidence < SURE else ""
        title = f"<title>confidence {decimal(word.confidence)}</title>"
        return f'<path d="{shape}"{dots}>{title}</path>'

    def _links(self, top: int, bottom: int) -> Iterator[str]:
        straight = [(x, self._layout.columns[k]) for k, x in self._middle.items()]
        anchors = "".join(
            f"M{x:g} {top}V{bottom}" for x, column in straight if column.kind == "anchor"
        )
        if anchors:
            yield f'<path {self._paint("anchor")} stroke-width="1.2" d="{anchors}"/>'
        for x, column in straight:
            if column.kind == "residual":
                yield self._link("residual", f"M{x:g} {top}V{bottom}", column.likeness)
        for arc in self._arcs:
            yield from self._arc(arc, top, bottom)

    def _arc(self, arc: Arc, top: int, bottom: int) -> Iterator[str]:
        """Yield a link between columns; an end in another line is at the edge, half-way down."""
        half = (top + bottom) / 2
        (x1, y1), (x2, y2) = (
            (self._middle[k], y)
            if k in self._middle
            else (self._left if k < self._columns.start else self.right, half)
            for k, y in ((arc.source, top), (arc.target, bottom))
        )
        bend = (y1 + y2) / 2
        path = f"M{x1:g} {y1:g}C{x1:g} {bend:g} {x2:g} {bend:g} {x2:g} {y2:g}"
        name = "crossing" if arc.crossing else "residual"
        yield self._link(name, path, arc.likeness)
        if arc.crossing:
            place = f'cx="{(x1 + x2) / 2:g}" cy="{bend:g}"'
            yield f'<circle {place} r="3.5" {self._paint(name)} stroke-width="1.6"/>'

    def _link(self, name: str, path: str, likeness: Likeness | None) -> str:
        title = f"<title>{escape(str(likeness))}</title>" if likeness else ""
        dots = "1.5 4" if likeness and likeness.by == "place" else "5 3"
        dashes = f'stroke-width="1.8" stroke-dasharray="{dots}"'
        return f'<path {self._paint(name)} {dashes} d="{path}">{title}</path>'


_DARK_RULES = "".join(
    [
        "<style>@media (prefers-color-scheme:dark){",
        *(
            f".cijie .{name}{{{'fill' if name in _FILLED else 'stroke'}:{dark}}}"
            for name, (_, dark) in _COLOURS.items()
        ),
        "}</style>",
    ]
)


def _is_full(text: str) -> bool:
    """Return whether a character is as wide as a Chinese one, at least in some fonts."""
    return text != "␣" and ord(text[0]) >= 0x1100 and not 0xFF61 <= ord(text[0]) <= 0xFFDC
