"""Format tables of results as aligned text, TSV, JSON, LaTeX or Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, Literal, get_args

import orjson

from cijie.errors import UsageError, printable, unknown

Cell = str | int | float | None
"""The content of a cell; None is a missing value."""

Format = Literal["text", "json", "tsv", "latex", "markdown"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of results.

    Args:
        name: a one-word name that identifies the table.
        caption: the caption.
        head: the head of the first column, which holds the names of the rows.
        columns: the format specification of the numbers in each other column, by its head.
        rows: the name of each row, and its cells, each a string, a number or None; NaN becomes
            None.
        note: a remark on the whole table; may be empty.

    Unprintable characters in strings are escaped; see `cijie.errors.printable`.

    Raises:
        ValueError: a row does not have one cell per column.

    >>> table = Table("scores", "Token scores", "system", {"F1": ".4f"}, [("D", 0.98184)])
    >>> print(table.as_text())
    Token scores
    system      F1
    D       0.9818
    >>> print(table.as_tsv())
    scores	D	F1	0.98184
    """

    name: str
    caption: str
    head: str
    columns: Mapping[str, str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != 1 + len(self.columns):
                raise ValueError(f"{len(row)} cells for {1 + len(self.columns)} columns: {row}")
        object.__setattr__(self, "rows", tuple(tuple(map(_cell, row)) for row in self.rows))
        columns = {printable(head): format for head, format in self.columns.items()}
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "caption", printable(self.caption))
        object.__setattr__(self, "note", printable(self.note))

    @property
    def lines(self) -> list[list[str]]:
        """The heads of the columns, and the formatted cells of each row."""
        formats = ["", *self.columns.values()]
        rows = [[_shown(*cell) for cell in zip(row, formats, strict=True)] for row in self.rows]
        return [[self.head, *self.columns], *rows]

    def as_text(self) -> str:
        """Return lines with columns aligned by the width of characters on a terminal."""
        from rich.cells import cell_len

        widths = [max(map(cell_len, cells)) for cells in zip(*self.lines, strict=True)]
        aligned = []
        for cells in self.lines:
            fill = [" " * (width - cell_len(x)) for x, width in zip(cells, widths, strict=True)]
            label, *numbers = zip(cells, fill, strict=True)
            aligned.append("  ".join(["".join(label), *(space + x for x, space in numbers)]))
        heading = [self.caption, self.note] if self.note else [self.caption]
        return "\n".join([*heading, *(line.rstrip() for line in aligned)])

    def as_tsv(self) -> str:
        """Return one line per value: table, row, column and the unrounded value."""
        return "\n".join(
            "\t".join([self.name, str(label), head, "" if cell is None else str(cell)])
            for label, *cells in self.rows
            for head, cell in zip(self.columns, cells, strict=True)
        )

    def as_record(self) -> dict[str, Any]:
        """Return plain values: the unrounded cells of each row by their heads, None if missing."""
        rows = {
            str(name): dict(zip(self.columns, cells, strict=True)) for name, *cells in self.rows
        }
        return {"caption": self.caption, "note": self.note, "rows": rows}

    def as_markdown(self) -> str:
        """Return a table in GitHub's and Pandoc's Markdown, below its caption."""
        lines = [[cell.replace("|", "&#124;") for cell in cells] for cells in self.lines]
        lines.insert(1, ["---", *["---:"] * len(self.columns)])
        rows = [f"| {' | '.join(cells)} |" for cells in lines]
        return "\n".join([self.caption, "", *rows, *(["", self.note] if self.note else [])])

    def as_latex(self) -> str:
        r"""Return a LaTeX `table` with the rules of the booktabs package."""
        head, *body = [" & ".join(map(_latex, cells)) + r" \\" for cells in self.lines]
        caption = _latex("; ".join(filter(None, (self.caption, self.note))))
        return "\n".join(
            [
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{caption}}}",
                rf"\begin{{tabular}}{{l{'r' * len(self.columns)}}}",
                *(r"\toprule", head, r"\midrule", *body, r"\bottomrule"),
                r"\end{tabular}",
                r"\end{table}",
            ]
        )


def render_tables(tables: Sequence[Table], signature: str, format: Format) -> str:
    """Render results with their signature.

    Args:
        tables: the tables.
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
        record = {table.name: table.as_record() for table in tables} | {"signature": signature}
        return orjson.dumps(record, option=orjson.OPT_INDENT_2).decode() + "\n"
    raise UsageError(unknown("format", format, get_args(Format)))


def _cell(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return printable(cell)
    return None if isinstance(cell, float) and isnan(cell) else cell


def _shown(cell: Cell, format: str) -> str:
    if cell is None:
        return "-"
    return cell if isinstance(cell, str) else f"{cell:{format}}"


def _latex(text: str) -> str:
    if re.fullmatch(r"[+-][\d.,]+", text):
        return f"${text}$"
    names = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^&%$#_{}]", lambda found: names.get(found[0], "\\" + found[0]), text)
