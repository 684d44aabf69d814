"""CSV with a header: for spreadsheets."""

from __future__ import annotations

import csv
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from cijie.corpora.records import Record
from cijie.errors import CijieError, FormatError
from cijie.files.lines import StrPath

_COLUMNS = ("id", "source", "words", "target", "target_words")
_BEFORE = ("tokens", "target_tokens")  # version 0.1's names
_WORDS = {"words", "target_words", *_BEFORE}
_LONGEST_CELL = (1 << 31) - 1  # the most that Python can be told on every system


def read_records(path: StrPath) -> Iterator[Record]:
    """Read rows with a column `source`, and if they are there `id`, `words`, `target` and
    `target_words`; other columns are ignored. Version 0.1 called words `tokens`.

    Words are separated by spaces. An empty cell is no value, except in `source`. `id` is the row's
    number if it is missing.

    Raises:
        FormatError: no header with `source`, a row with too many cells, bytes that are not UTF-8.
        SegmentationError: words that are not those of their text.
    """
    with _opened(path) as stream, _long_cells():
        rows = csv.DictReader(_checked(stream, path), strict=True)
        try:
            if "source" not in (rows.fieldnames or ()):
                raise FormatError(f"the header has no column 'source': {rows.fieldnames}")
            for number, row in enumerate(rows, start=1):
                yield _record(row, str(number))
        except CijieError as error:
            line = rows.reader.line_num if error.line is None else error.line
            raise type(error)(error.message, path=path, line=line, id=error.id) from error
        except csv.Error as error:
            raise FormatError(f"not CSV: {error}", path=path, line=rows.reader.line_num) from error


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write id, texts and words, the words separated by spaces; links and changes are left out."""
    stream.write(_row(_COLUMNS))
    for record in records:
        target = Record("", "") if record.target is None else record.of_target()
        stream.write(
            _row((record.id, record.source, _words(record), target.source, _words(target)))
        )


@contextmanager
def _opened(path: StrPath) -> Iterator[IO[str]]:
    standard = os.fspath(path) == "-"
    with nullcontext(sys.stdin.buffer) if standard else Path(path).open("rb") as stream:
        # Line breaks in cells are text, and must reach the reader as they are.
        yield io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")


def _checked(lines: Iterable[str], path: StrPath) -> Iterator[str]:
    """Lines in which bytes that are not UTF-8 are escaped; one that has any is an error."""
    for number, line in enumerate(lines, start=1):
        try:
            line.encode()
        except UnicodeEncodeError as error:
            byte, column = ord(line[error.start]) - 0xDC00, len(line[: error.start].encode()) + 1
            message = f"not UTF-8: byte 0x{byte:02x} at column {column}"
            raise FormatError(message, path=path, line=number) from None
        yield line


@contextmanager
def _long_cells() -> Iterator[None]:
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _record(row: dict[str | Any, str | Any], id: str) -> Record:
    if None in row:
        raise FormatError(f"more cells than columns: {row}", id=id)
    values: dict[str, Any] = {key: row[key] for key in (*_COLUMNS, *_BEFORE) if row.get(key)}
    for key in _WORDS & values.keys():
        values[key] = values[key].split()
    return Record.from_dict({"source": row["source"], **values}, id)


def _words(record: Record) -> str:
    return "" if record.segmentation is None else " ".join(record.words())


def _row(cells: Iterable[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode()
