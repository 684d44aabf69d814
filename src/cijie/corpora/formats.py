"""All formats by name, and which one a file has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import IO

from cijie.corpora.records import Record
from cijie.errors import FormatError
from cijie.files.lines import StrPath


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what it is, how its files are named, and the functions that read and write it.

    `reader` and `writer` are names, `module:function`, imported when they are used; None where a
    format has no such direction. `counts` says that the reader counts what is no record.
    """

    name: str
    what: str
    suffixes: tuple[str, ...]
    reader: str | None
    writer: str | None
    counts: bool = False

    def read(self, path: StrPath, skipped: Counter[str] | None = None) -> Iterator[Record]:
        """Read records; `skipped` counts what is no record, by reason.

        Raises:
            ValueError: the format is written only.
            CijieError: a file that does not have the format.
            MissingExtraError: a library is missing.
        """
        if self.reader is None:
            raise ValueError(f"cijie writes {self.name}, but does not read it")
        options = {"skipped": skipped} if self.counts else {}
        records: Iterator[Record] = resolve_name(self.reader)(path, **options)
        return records

    def write(self, records: Iterable[Record], stream: IO[bytes]) -> None:
        """Write records.

        Raises:
            ValueError: the format is read only.
            CijieError: a record that the format cannot express, or that lacks what it consists of.
            MissingExtraError: a library is missing.
        """
        if self.writer is None:
            raise ValueError(f"cijie reads {self.name}, but does not write it")
        resolve_name(self.writer)(_in_unicode(records), stream)


def _in_unicode(records: Iterable[Record]) -> Iterator[Record]:
    for record in records:
        try:
            f"{record.id}{record.source}{record.target}".encode()
        except UnicodeEncodeError as error:
            raise FormatError(f"cannot be written as UTF-8: {error}", id=record.id) from error
        yield record


def formats() -> dict[str, Format]:
    """All formats by name."""

    def in_module(
        name: str, what: str, *suffixes: str, write: bool = True, counts: bool = False
    ) -> Format:
        module = f"cijie.corpora.{'plain' if name == 'text' else name}"
        writer = f"{module}:write_records" if write else None
        return Format(name, what, suffixes, f"{module}:read_records", writer, counts)

    m2, pharaoh = "cijie.corpora.m2", "cijie.corpora.pharaoh"
    known = (
        in_module("jsonl", "JSON lines, lossless", ".jsonl", ".ndjson"),
        in_module("parquet", "Parquet, lossless", ".parquet"),
        in_module("arrow", "Arrow, lossless", ".arrow", ".feather"),
        in_module("csv", "CSV with a header", ".csv"),
        in_module("text", "words separated by spaces", ".txt", ".seg"),
        in_module("bmes", "characters with B, M, E or S", ".bmes"),
        in_module("conllu", "CoNLL-U", ".conllu"),
        in_module("ctb", "Penn Chinese Treebank 5.1", write=False),
        in_module("mucgec", "id, source, references, separated by tabs", ".tsv", counts=True),
        in_module("para", "the same with words separated by spaces", ".para", counts=True),
        Format(
            "cherrant", "M2 of ChERRANT", (".m2",), f"{m2}:read_records", f"{m2}:write_cherrant"
        ),
        Format("errant", "M2 of ERRANT", (".m2",), f"{m2}:read_records", f"{m2}:write_errant"),
        Format("pharaoh", "links, 0-0 1-2", (".links",), None, f"{pharaoh}:write_records"),
    )
    return {format.name: format for format in known}


def format_to_read(path: StrPath) -> Format:
    """The format of a file that is there, by its name if that says it all, else by its content.

    Raises:
        FormatError: neither says what it is.
    """
    known = formats()
    path = Path(path)
    named = _named(path)
    if len(named) == 1 and named[0].name not in _AMBIGUOUS:
        return named[0]
    if path.is_dir():
        return known["ctb"]
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
    if head.startswith(b"PAR1"):
        return known["parquet"]
    if head.startswith(b"ARROW1"):
        return known["arrow"]
    # Another encoding or a character cut in two does not matter to the marks that are looked for.
    text = head.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
    # Of a line that goes on, what tells the formats of lines apart may be yet to come.
    cut = len(head) == _HEAD and "\n" not in text
    for name, pattern in _CONTENTS.items():
        if re.match(pattern, text) and not (cut and name != "jsonl"):
            return known[name]
    if named and (cut or not head):
        return named[0]
    raise FormatError("cannot tell which format this is: name it", path=path)


def format_to_write(path: StrPath) -> Format:
    """The format that the name of a file asks for.

    Raises:
        ValueError: no format, or more than one, has names that end so.
    """
    named = _named(Path(path))
    if len(named) != 1:
        names = " or ".join(format.name for format in named) or "a format"
        raise ValueError(f"the name {path} does not say which format to write: name {names}")
    return named[0]


_HEAD = 1 << 16  # bytes of a file that are looked into
_AMBIGUOUS = {"text", "para", "mucgec"}  # names that say little about what is inside

# What a file begins with, the most telling first.
_CONTENTS = {
    "jsonl": r"\s*\{",
    "cherrant": r"S[^\n]*\nT\d",
    "errant": r"S(?: [^\n]*)?\n(?:A -?\d|\n|$)",
    "conllu": r"(?:#[^\n]*\n)*\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|$)",
    "bmes": r"\S+[\t ][BS]\n",
    "ctb": r"(?s:.*?)<S ID=",
    "para": r"[^\t\n]*\t[^\t\n ]* [^\t\n]*\t[^\t\n ]* ",
    "mucgec": r"[^\t\n]*\t[^\t\n]*\t",
    "text": r"(?s:.*)\S[ \u3000]\S",
}


def _named(path: Path) -> list[Format]:
    return [format for format in formats().values() if path.suffix.lower() in format.suffixes]
