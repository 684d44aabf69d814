"""Format tables of results as aligned text, TSV, LaTeX or Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from operator import attrgetter
from typing import Any, Literal, get_args

import orjson

from cijie.choices import unknown
from cijie.errors import UsageError, printable

Cell = str | int | float | None
"""The content of a cell; None is a missing value."""

Value = tuple[str, str, str]
"""The header of a column, the format of its numbers, and the attribute that holds them."""

Format = Literal["text", "json", "tsv", "latex", "markdown"]


@dataclass(frozen=True, slots=True)
class Column:
    """The header of a column and the format specification of its numbers."""

    name: str
    format: str = ",d"

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", printable(self.name))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of results.

    Args:
        name: a one-word name that identifies the table.
        caption: the caption.
        columns: the columns; the first one holds the names of the rows.
        rows: the cells of each row, each a string, a number or None; NaN becomes None.
        note: a remark on the whole table; may be empty.

    Unprintable characters in strings are escaped; see `cijie.errors.printable`.

    Raises:
        ValueError: a row does not have one cell per column.

    >>> columns = Column("system"), Column("F1", ".4f")
    >>> table = Table("scores", "Token scores", columns, (("D", 0.98184),))
    >>> print(table.as_text())
    Token scores
    system      F1
    D       0.9818
    >>> print(table.as_tsv())
    scores	D	F1	0.98184
    """

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{len(row)} cells for {len(self.columns)} columns: {row}")
        rows = (tuple(map(_cell, row)) for row in self.rows)
        object.__setattr__(self, "rows", tuple(rows))
        object.__setattr__(self, "caption", printable(self.caption))
        object.__setattr__(self, "note", printable(self.note))

    @classmethod
    def of(
        cls, name: str, caption: str, head: str, rows: Mapping[str, Any], *columns: Value
    ) -> Table:
        """Build a table of attributes with one row per value; `head` is the header of the names."""
        return cls(
            name,
            caption,
            (Column(head), *(Column(head, format) for head, format, _ in columns)),
            tuple(
                (called, *(attrgetter(attribute)(value) for _, _, attribute in columns))
                for called, value in rows.items()
            ),
        )

    def as_text(self) -> str:
        """Return lines with columns aligned by the width of characters on a terminal."""
        from rich.cells import cell_len

        lines = self._lines()
        widths = [max(map(cell_len, cells)) for cells in zip(*lines, strict=True)]
        aligned = []
        for cells in lines:
            fill = [" " * (width - cell_len(x)) for x, width in zip(cells, widths, strict=True)]
            label, *numbers = zip(cells, fill, strict=True)
            aligned.append("  ".join(["".join(label), *(space + x for x, space in numbers)]))
        heading = [self.caption, self.note] if self.note else [self.caption]
        return "\n".join([*heading, *(line.rstrip() for line in aligned)])

    def as_tsv(self) -> str:
        """Return one line per value: table, row, column and the unrounded value."""
        return "\n".join(
            "\t".join([self.name, str(row[0]), column.name, "" if cell is None else str(cell)])
            for row in self.rows
            for column, cell in zip(self.columns[1:], row[1:], strict=True)
        )

    def as_markdown(self) -> str:
        """Return a table in GitHub's and Pandoc's Markdown, below its caption."""
        head, *body = (
            f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"
            for cells in self._lines()
        )
        rule = f"| --- |{' ---: |' * (len(self.columns) - 1)}"
        return "\n".join(
            [self.caption, "", head, rule, *body, *(["", self.note] if self.note else [])]
        )

    def as_latex(self) -> str:
        r"""Return a LaTeX `table` with the rules of the booktabs package."""
        head, *body = [" & ".join(map(_latex, cells)) + r" \\" for cells in self._lines()]
        return "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{_latex('; '.join(filter(None, (self.caption, self.note))))}}}",
                rf"\begin{{tabular}}{{l{'r' * (len(self.columns) - 1)}}}",
                r"\toprule",
                head,
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
            ]
        )

    def formatted(self) -> Iterator[list[str]]:
        """Yield the formatted cells of each row."""
        for row in self.rows:
            cells = zip(self.columns, row, strict=True)
            yield ["-" if x is None else _shown(x, column.format) for column, x in cells]

    def _lines(self) -> list[list[str]]:
        return [[column.name for column in self.columns], *self.formatted()]


def render_tables(
    tables: Sequence[Table], record: Mapping[str, Any], signature: str, format: Format
) -> str:
    """Render results with their signature: the tables or, for JSON, the complete `record`.

    Args:
        tables: the tables for all formats but JSON.
        record: the object for JSON.
        signature: everything that the results depend on.
        format: one of the values of `Format`.

    Raises:
        UsageError: the format is unknown.
    """
    signature = printable(signature)
    if format == "text":
        return "\n\n".join([*(table.as_text() for table in tables), signature]) + "\n"
    if format == "markdown":
        return "\n\n".join([*(table.as_markdown() for table in tables), f"`{signature}`"]) + "\n"
    if format == "tsv":
        lines = ["table\trow\tcolumn\tvalue", *(table.as_tsv() for table in tables)]
        return "\n".join([*lines, f"signature\t\t\t{signature}"]) + "\n"
    if format == "latex":
        return "\n\n".join([f"% {signature}", *(table.as_latex() for table in tables)]) + "\n"
    if format == "json":
        text = orjson.dumps(record, option=orjson.OPT_INDENT_2).decode() + "\n"
        return "".join([c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text])
    raise UsageError(unknown("format", format, get_args(Format)))


def _cell(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return printable(cell)
    return None if isinstance(cell, float) and isnan(cell) else cell


def _shown(cell: str | float, format: str) -> str:
    return cell if isinstance(cell, str) else f"{cell:{format}}"


def _latex(text: str) -> str:
    if re.fullmatch(r"[+-][\d.,]+", text):
        return f"${text}$"
    names = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^&%$#_{}]", lambda found: names.get(found[0], "\\" + found[0]), text)
