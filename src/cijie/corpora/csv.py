"""CSV and TSV with a header, for spreadsheets."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import orjson

from cijie.corpora.formats import LineWriter, as_json, as_utf8, check_fields
from cijie.corpora.plain import words_apart
from cijie.errors import FormatError, located
from cijie.files.lines import lines_or_errors
from cijie.files.opening import Source
from cijie.recovery.records import WORDS, sentence_of
from cijie.recovery.sentence import Field, Sentence
from cijie.text.characters import characters

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences, Units

_DELIMITERS = {"csv": ",", "csv-bom": ",", "tsv": "\t"}
_LONGEST_CELL = (1 << 31) - 1  # the most that Python accepts on every system

_WORDS = {name for names in WORDS.values() for name in names if not name.endswith("spans")}
_JSON = {
    *("spans", "initial_spans", "target_spans", "links", "changes", "confidences", "doubts"),
    *("references", "reference", "reference_spans"),
}
_TARGETS = ("target", "references", "status")  # one of them a pair has
# The columns in their order; each is called like its field, and references have two more.
_COLUMNS = (
    *("words", "target", "target_words", "initial_words", "status", "label"),
    *("links", "changes", "confidences", "doubts", "references"),
)


def units(file: Sentences) -> Units:
    """Yield header and row, without empty rows, which are counted.

    Raises:
        FormatError: a header without the needed columns; not CSV.
    """
    rows = read_rows(file.source, file.format.name, file.options.encoding)
    with closing(rows):
        _, header = next(rows)
        _check_header(header, file)
        for number, (line, row) in enumerate(rows, start=1):
            if any(row):
                yield line, number, (header, row)
            else:
                file.skipped["empty rows"] += 1


def read_rows(
    source: Source, format: str, encoding: str | None = None
) -> Generator[tuple[int, list[str]], None, None]:
    """Yield the rows of a table, the header first, each with the number of its first line.

    Args:
        source: the file.
        format: `"csv"` or `"tsv"`.
        encoding: that of the file; UTF-8 if None.

    Raises:
        FormatError: the file is malformed, or two columns have the same name.
    """
    lines: Any = lines_or_errors(source, encoding=encoding, on_error="raise", ends=True)
    with closing(lines):
        texts = map(itemgetter(1), lines)
        rows = csv.reader(texts, delimiter=_DELIMITERS[format], strict=True)
        line, limit = 1, csv.field_size_limit(_LONGEST_CELL)
        try:
            header = next(rows, [])
            for name, count in Counter(header).items():
                if name and count > 1:
                    raise FormatError(f"duplicate column {name!r}: {header!r}", line=1)
            yield line, header
            line = rows.line_num + 1
            for row in rows:
                yield line, row
                line = rows.line_num + 1
        except csv.Error as error:
            what = str(error).partition(" - ")[0]  # without advice for programmers
            raise FormatError(f"not {format.upper()}: {what}", line=line) from error
        finally:
            csv.field_size_limit(limit)


def cells_of(header: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    """Return the cells of a row by column.

    Raises:
        FormatError: there are more cells than columns.
    """
    if len(row) > len(header):
        raise FormatError(f"expected {len(header)} cells, got {len(row)}: {row!r}")
    return dict(zip(header, row, strict=False))


def sentence(content: tuple[list[str], list[str]], id: str, file: Sentences) -> Sentence:
    """Make a sentence of a row, with a column `source`, and others named as in JSON lines.

    `words`, `initial_words` and `target_words` are separated by spaces; other values are JSON.
    An empty cell is a missing value, except in `source`. The id is the row's number if it is
    missing.

    Raises:
        FormatError: more cells than columns, a cell that is not JSON.
        CijieError: values that do not fit.
    """
    cells = cells_of(*content)
    for name, theirs in file.options.columns.items():
        cells[name] = cells.pop(theirs, "")
    values: dict[str, Any] = {"source": cells.pop("source", None)}
    for name, cell in cells.items():
        if name in _WORDS:
            text = (cells.get("target") or None) if name.startswith("target") else values["source"]
            if cell or (text is not None and all(characters(text).blank)):
                values[name] = cell.split()
        elif cell and name in _JSON:
            try:
                values[name] = orjson.loads(cell)
            except orjson.JSONDecodeError as error:
                raise FormatError(f"not JSON in the column {name!r}: {cell!r}", id=id) from error
        elif cell:
            values[name] = cell
    return sentence_of(values, id, results=file.purpose == "sentences", skipped=file.skipped)


def writer(name: str, fields: frozenset[Field]) -> CsvWriter:
    """Return the writer of records with these fields."""
    known = [field.replace(" ", "_") for field in fields]
    more = ["reference", "reference_spans"] if "references" in fields else []
    columns = [column for column in _COLUMNS if column in known]
    return CsvWriter(name, ["id", "source", *columns, *more], fields)


class CsvWriter(LineWriter):
    """Writes the columns of these names, one or more for each known field of the sentences."""

    def __init__(
        self, format: str, names: Sequence[str], fields: frozenset[Field] = frozenset()
    ) -> None:
        self._delimiter = _DELIMITERS[format].encode()
        self._fields = fields
        self._names = names
        self.header = "\ufeff" * (format == "csv-bom") + self.format_row(names).decode()

    def row(self, sentence: Sentence) -> bytes:
        """Format a sentence as a row, in UTF-8.

        Raises:
            FormatError: a text that cannot be written, or would be read as something else.
        """
        check_fields(sentence, self._fields)
        values = sentence.as_record(words=False)
        with located(id=sentence.id):
            for name, words in (
                ("words", sentence.segmentation),
                ("initial_words", sentence.initial),
                ("target_words", sentence.target_segmentation),
            ):
                if words is not None:
                    values[name] = " ".join(words_apart(words, with_text=True))
            for name in ("id", "target"):
                if values.get(name) == "":
                    raise FormatError(f"has an empty {name}, which CSV cannot hold")
            return self.format_row([values.get(name) for name in self._names])

    def format_row(self, values: Iterable[Any]) -> bytes:
        """Format cells as a row, in UTF-8."""
        return self._delimiter.join(map(self._cell, values)) + b"\r\n"

    def _cell(self, value: Any) -> bytes:
        if value is None:
            return b""
        cell = as_utf8(value) if isinstance(value, str) else as_json(value)
        # The writer of `csv` refuses some texts in Python 3.10.
        if b"\0" in cell:
            raise FormatError("has U+0000 in it, which CSV cannot hold")
        if self._delimiter in cell or b'"' in cell or b"\n" in cell or b"\r" in cell:
            return b'"' + cell.replace(b'"', b'""') + b'"'
        return cell


def _check_header(header: list[str], file: Sentences) -> None:
    needed = {"source": "source", **file.options.columns}
    targets = {needed.get(name, name) for name in _TARGETS}
    if file.purpose in ("pairs", "corrections") and targets.isdisjoint(header):
        needed.setdefault("target", "target")
    for name, theirs in needed.items():
        if theirs not in header:
            hint = f"name it with --columns {name}=COLUMN"
            raise FormatError(lacking(theirs, header, file.format.name, hint), line=1)


def lacking(column: str, header: Sequence[str], format: str, hint: str) -> str:
    """Describe a header that lacks a column; `hint` is what to do if the separator is right."""
    if len(header) == 1 and any(mark in header[0] for mark in ",;\t"):
        what = {",": "a comma", "\t": "a tab"}[_DELIMITERS[format]]
        hint = f"the separator of {format.upper()} must be {what}"
    return f"the header has no column {column!r}: {header!r}; {hint}"
