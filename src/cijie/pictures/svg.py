"""Draw a recovery as SVG, with words as boxes, links as lines, and reasons; or as HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from itertools import accumulate
from typing import Literal, get_args

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cijie.choices import Language, unknown
from cijie.errors import UsageError
from cijie.pictures.layout import Arc, Layout, Recovered, Row, Word, lay_out
from cijie.pictures.likeness import Likeness
from cijie.pictures.reasons import SURE, Line, explain
from cijie.pictures.wording import decimal, message, visible
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
    "edited": ("#8a4a78", "#d69bc6"),
}
_FILLED = {"paper", "ink", "soft", "edited"}
_SAMPLES = {  # in the legend, from (0, 0) upwards: class, width of the stroke, dashes, path
    "same": ("anchor", 1.2, "", "M6 0V-14"),
    "similar": ("residual", 1.8, ' stroke-dasharray="5 3"', "M6 0V-14"),
    "place": ("residual", 1.8, ' stroke-dasharray="1.5 4"', "M6 0V-14"),
    "moved": ("residual", 1.8, ' stroke-dasharray="5 3"', "M0 0C0 -7 12 -7 12 -14"),
    "crossing": ("crossing", 1.8, ' stroke-dasharray="5 3"', "M0 0C0 -7 12 -7 12 -14"),
    "insert": ("changed", 2, "", "M2 -8l4 5l4 -5"),
    "remove": ("changed", 2, "", "M0 -3q6 -8 12 0"),
}
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
_NOTE = 20  # the height of a line of legend or reasons
_CELL = 7  # the width of half a Chinese character in them
_NOTES = f'font-size="14" text-anchor="start" font-family="{_SANS}"'


def to_svg(
    *pictures: Mapping[str, Recovered],
    style: Style = "auto",
    width: int = 820,
    language: Language = "en",
    reasons: bool = True,
) -> str:
    """Draw the recoveries of a pair by several methods; several pairs one below the other.

    The picture needs no script and no other file, and its text can be selected.

    Args:
        pictures: for each pair the recoveries by name, see `cijie.pictures.layout.lay_out`.
        style: `"light"`, `"dark"`, or `"auto"`, which follows the reader's system.
        width: the maximum width in pixels; longer pictures continue on another line.
        language: the language of legend and reasons.
        reasons: whether the reasons stand below the picture.

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
    for layout, recoveries in zip(layouts, pictures, strict=True):
        widths = [
            _FULL if any(cell and _is_full(cell.text) for cell in layout.cells(k)) else _HALF
            for k in range(len(layout.columns))
        ]
        for first, end in layout.lines(widths, width - left - _EDGE):
            if first:  # a rule between lines of one sentence, not between sentences
                rule = f'd="M{_EDGE} {bottom - _GAP}H{right}" stroke-dasharray="2 4"'
                parts.append(f"<path {paint('box')} {rule}/>")
            line = _Line(layout, paint, language, widths, range(first, end), left, bottom)
            parts += line.parts()
            right, bottom = max(right, line.right), line.bottom + 2 * _GAP
        notes = _Notes(paint, left, width - _EDGE, bottom + _GAP)
        notes.add_legend(layout.legend(language))
        for each in _short(recoveries, language) if reasons else ():
            notes.add(each)
        parts += [f'<g {_NOTES} lang="{language}">', *notes.parts, "</g>"]
        right, bottom = max(right, notes.right), notes.bottom + 3 * _GAP
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


def to_html(
    recoveries: Mapping[str, Recovered],
    *,
    style: Style = "auto",
    width: int = 820,
    language: Language = "en",
) -> str:
    """Return an HTML `figure` with the picture of `to_svg` and the reasons as text below it.

    Args:
        recoveries: recoveries of one pair, by name.
        style: `light`, `dark` or `auto`.
        width: the maximum width in pixels.
        language: the language of legend and reasons.
    """
    from markupsafe import Markup

    picture = to_svg(recoveries, style=style, width=width, language=language, reasons=False)
    return fill(
        "figure.html",
        files(__package__),
        picture=Markup(picture),
        language=language,
        lines=_short(recoveries, language),
    )


def _short(recoveries: Mapping[str, Recovered], language: Language) -> list[Line]:
    return [line for line in explain(recoveries, language) if line.kind != "weighed"]


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
        language: Language,
        widths: Sequence[int],
        columns: range,
        left: int,
        top: int,
    ) -> None:
        self._layout, self._paint, self._columns = layout, paint, columns
        self._language: Language = language
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
        edited = f" {self._paint('edited')}"
        characters = "".join(
            f'<tspan x="{x:g}"{edited * cell.edited}>{escape(cell.text)}</tspan>'
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
        sure = message("word.confidence", self._language, confidence=decimal(word.confidence))
        return f'<path d="{shape}"{dots}><title>{sure}</title></path>'

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
        title = likeness and f"<title>{escape(likeness.in_language(self._language))}</title>"
        dots = "1.5 4" if likeness and likeness.by == "place" else "5 3"
        dashes = f'stroke-width="1.8" stroke-dasharray="{dots}"'
        return f'<path {self._paint(name)} {dashes} d="{path}">{title or ""}</path>'


class _Notes:
    """The legend of a picture and the reasons, in lines from (`left`, `top`) that wrap at `edge`.

    Attributes:
        parts: the elements.
        right: the right end of the longest line.
        bottom: the bottom of the last line.
    """

    def __init__(self, paint: _Paint, left: int, edge: int, top: int) -> None:
        self._paint, self._left, self._edge = paint, left, edge
        self.parts: list[str] = []
        self.right, self.bottom = left, top

    def add_legend(self, meanings: Mapping[str, str]) -> None:
        """Add the meanings of signs, each behind a sample."""
        x = self._left
        for sign, meaning in meanings.items():
            sample = _SAMPLES.get(sign)
            wide = 20 * bool(sample) + _CELL * cell_len(meaning)
            if x == self._left or x + wide > self._edge:
                x, self.bottom = self._left, self.bottom + _NOTE
            if sample:
                name, stroke, dashes, path = sample
                self.parts.append(
                    f'<path {self._paint(name)} stroke-width="{stroke}"{dashes} d="{path}" '
                    f'transform="translate({x} {self.bottom})"/>'
                )
            self._write(x + 20 * bool(sample), meaning, "soft" if sample else "edited")
            x += wide + _EDGE

    def add(self, line: Line) -> None:
        """Add a line of an explanation."""
        is_reason = line.kind in ("changed", "left")
        x = self._left + _EDGE * (not is_reason)
        text = Text(f"{line.name}  {line.text}".lstrip())
        self.bottom += _GAP * is_reason
        for part in text.wrap(Console(), (self._edge - x) // _CELL):
            self.bottom += _NOTE
            self._write(x, part.plain.rstrip(), "ink" if line.kind == "changed" else "soft")

    def _write(self, x: int, text: str, name: str) -> None:
        self.right = max(self.right, x + _CELL * cell_len(text))
        self.parts.append(
            f'<text x="{x}" y="{self.bottom}" {self._paint(name)}>{escape(text)}</text>'
        )


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
