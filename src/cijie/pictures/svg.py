"""Draw a recovery as SVG, with words as boxes, links as lines, and reasons; or as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import accumulate
from typing import Literal, NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cijie.choices import Language
from cijie.errors import CijieError, check_choice
from cijie.extras import library
from cijie.pictures.layout import Cell, Layout, Recovered, Row, Stroke, Word, lay_out
from cijie.pictures.reasons import SURE, Line, explain
from cijie.pictures.wording import decimal, message, visible
from cijie.templates import fill

Style = Literal["light", "dark", "auto"]
"""The colours of a picture: light, dark, or following the reader's system."""

_FULL, _HALF = 32, 20  # the width of a column
_HEIGHT = 34  # of a row
_GAP = 8  # between rows, and on either side of them
_REACH = 46  # between source and target
_LANE = 12  # more for each lane of arcs
_EDGE = 14
_NOTE = 20  # the height of a line of legend or reasons, and the width of a sign
_CELL = 7  # the width of half a Chinese character in them


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
    check_choice("style", style, Style)
    layouts = [lay_out(recoveries) for recoveries in pictures]
    names = [row.name for layout in layouts for row in (layout.initial, *layout.recovered)]
    left = _EDGE + 14 + 8 * max((len(visible(name)) for name in names), default=0)
    lines: list[_Line] = []
    notes: list[_Note] = []
    bottom = _EDGE
    for layout, recoveries in zip(layouts, pictures, strict=True):
        widths = [
            _FULL if any(_is_full(cell.text) for cell in column) else _HALF
            for column in layout.columns
        ]
        for first, end in layout.lines(widths, width - left - _EDGE):
            lines.append(_Line(layout, widths, range(first, end), left, bottom))
            bottom = lines[-1].bottom + 2 * _GAP
        below = list(_legend(layout.legend(language), left, bottom + _GAP, width - _EDGE))
        if reasons:
            top = below[-1].y if below else bottom
            below += _reasons(_short(recoveries, language), left, top, width - _EDGE)
        notes += below
        bottom = below[-1].y + 3 * _GAP if below else bottom
    ends = [left, *(line.right for line in lines), *(note.right for note in notes)]
    return fill(
        "picture.svg.jinja",
        files(__package__),
        lines=lines,
        notes=notes,
        width=max(ends) + _EDGE,
        height=bottom + _EDGE - 3 * _GAP,
        edge=_EDGE,
        gap=_GAP,
        style=style,
        sure=SURE,
        title="; ".join(map(_title, layouts)),
        language=language,
        visible=visible,
        confidence=lambda word: message(
            "word.confidence", language, confidence=decimal(word.confidence)
        ),
    )


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


def to_png(svg: str) -> bytes:
    """Convert a picture to PNG, at twice its size, with the fonts of the system.

    Raises:
        MissingExtraError: resvg is not installed.
        CijieError: no font has Chinese characters.
    """
    convert = library("resvg_py", "figures").svg_to_bytes
    # A character that no font has is drawn as a box, or not at all.
    start = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><text y="18">'
    drawn = [convert(svg_string=f"{start}{char}</text></svg>") for char in "字\U0010fffd"]
    if drawn[0] == drawn[1]:
        raise CijieError("no font has Chinese characters: install Noto Serif CJK, or write SVG")
    return bytes(convert(svg_string=svg, zoom=2))


def _short(recoveries: Mapping[str, Recovered], language: Language) -> list[Line]:
    return [line for line in explain(recoveries, language) if line.kind != "weighed"]


def _title(layout: Layout) -> str:
    sides = layout.initial.cells, layout.words.cells
    return " → ".join("".join(cell.text for cell in side.values()) for side in sides)


class _Line:
    """One line of a picture: a range of its columns, from (`left`, `top`)."""

    def __init__(
        self, layout: Layout, widths: Sequence[int], columns: range, left: int, top: int
    ) -> None:
        self._layout, self.columns, self.left, self.top = layout, columns, left, top
        starts = accumulate((widths[k] for k in columns), initial=left)
        self._at = dict(enumerate(starts, start=columns.start))
        self._middle = {k: self._at[k] + widths[k] // 2 for k in columns}
        strokes = [x for x in layout.strokes if {x.source, x.target} & self._middle.keys()]
        self.arcs = [stroke for stroke in strokes if stroke.sign == "moved"]
        self._straight = [stroke for stroke in strokes if stroke.sign != "moved"]
        lanes = max((arc.lane + 1 for arc in self.arcs), default=0)
        self.right = self._at[columns.stop]
        self.words = top + _HEIGHT + _REACH + _LANE * lanes  # the top of the target's words
        self.bottom = self.words + _HEIGHT + len(layout.recovered) * (_HEIGHT + _GAP) + _GAP

    def rows(self) -> Iterator[tuple[Row, int]]:
        """Yield the rows, each with its top."""
        yield self._layout.initial, self.top
        yield self._layout.words, self.words
        for number, row in enumerate(self._layout.recovered, start=1):
            yield row, self.words + number * (_HEIGHT + _GAP) + _GAP

    def cells(self, row: Row) -> Iterator[tuple[Cell, int]]:
        """Yield the characters of a row, each with its middle."""
        return ((row.cells[k], x) for k, x in self._middle.items() if k in row.cells)

    def boxes(self, row: Row, changed: bool) -> Iterator[tuple[Word, int, int, bool, bool]]:
        """Yield words with their left and right ends; whether they begin and end in this line."""
        for word in row.words:
            begins, ends = word.first in self._middle, word.last in self._middle
            within = word.first < self.columns.stop and word.last >= self.columns.start
            if within and word.changed == changed:
                left = self._at[word.first] + 2 if begins else self.left
                right = self._at[word.last + 1] - 2 if ends else self.right
                yield word, left, right, begins, ends

    def marks(self, row: Row) -> Iterator[tuple[str, int]]:
        """Yield the changed boundaries inside the line, each with its place."""
        for k, kind in row.changes.items():
            if k in self._middle and k > self.columns.start:
                yield kind, self._at[k]

    def straight(self, residual: bool) -> Iterator[tuple[Stroke, int]]:
        """Yield the anchors, or the residual links, within a column, each with its middle."""
        found = (x for x in self._straight if (x.likeness is not None) == residual)
        return ((stroke, self._middle[stroke.source]) for stroke in found)

    def end(self, column: int, near: int, far: int) -> tuple[int, int]:
        """Return the end of an arc; in another line, it is at the edge, half-way down."""
        if column in self._middle:
            return self._middle[column], near
        return (self.left if column < self.columns.start else self.right), (near + far) // 2


class _Note(NamedTuple):
    """A line of text below a picture, or a sign of the legend before its meaning."""

    x: int
    y: int
    text: str
    style: str
    sign: str = ""

    @property
    def right(self) -> int:
        return self.x + _CELL * cell_len(self.text)


def _legend(meanings: Mapping[str, str], left: int, y: int, edge: int) -> Iterator[_Note]:
    """Yield the meanings of signs, from (`left`, `y`), in lines that end before `edge`."""
    x = edge
    for sign, meaning in meanings.items():
        wide = _NOTE + _CELL * cell_len(meaning)
        if x + wide > edge:
            x, y = left, y + _NOTE
        if sign == "edited":  # it has no sign but its colour
            yield _Note(x, y, meaning, "edited")
        else:
            yield _Note(x + _NOTE, y, meaning, "soft", sign)
        x += wide + _EDGE


def _reasons(lines: Iterable[Line], left: int, y: int, edge: int) -> Iterator[_Note]:
    """Yield the lines of explanations, wrapped."""
    for line in lines:
        is_reason = line.kind in ("changed", "left")
        x = left + _EDGE * (not is_reason)
        y += _GAP * is_reason
        text = Text(f"{line.name}  {line.text}".lstrip())
        for part in text.wrap(Console(), (edge - x) // _CELL):
            y += _NOTE
            yield _Note(x, y, part.plain.rstrip(), "ink" if line.kind == "changed" else "soft")


def _is_full(text: str) -> bool:
    """Return whether a character is as wide as a Chinese one, at least in some fonts."""
    return text != "␣" and ord(text[0]) >= 0x1100 and not 0xFF61 <= ord(text[0]) <= 0xFFDC
