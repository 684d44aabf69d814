"""All formats: their properties, the modules that read and write them, and their detection.

The ending of a file says its format, else what it is read for. Content only refuses: see
`cijie.corpora.checks`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

import orjson

from cijie.corpora.base import Found, InputFile, LineWriter, Purpose, ReadOptions, Writer
from cijie.corpora.checks import check_line
from cijie.errors import FormatError, UsageError, located, unknown
from cijie.files.lines import lines_or_errors
from cijie.files.opening import Source, endings_of, is_read_once
from cijie.recovery.sentence import Field

Trait = Field | Literal["ids", "white space"]
"""The contents of a format besides sources: fields, ids, and white space in texts."""

_ALL: tuple[Trait, ...] = ("ids", "white space", *get_args(Field))
_PAIR: tuple[Field, ...] = ("words", "target", "target words")
_TARGETS: tuple[Field, ...] = ("target", "references", "status")
_PAIRS: tuple[Field, ...] = ("words", "target words", *_TARGETS)
_ROW: tuple[Trait, ...] = ("ids", "white space", *_TARGETS, "label")
_MARKED: tuple[Field, ...] = ("words", "initial words", "changes", "confidences")
_CHARACTERS: tuple[Trait, ...] = ("ids", *_TARGETS, "label")
_CUT_ROW: tuple[Trait, ...] = ("ids", *_PAIRS, "label")

_DEFAULTS: Mapping[Purpose, str] = {
    "pairs": "mucgec",
    "corrections": "mucgec",
    "words": "text",
    "texts": "lines",
}
_ROWS = ("mucgec", "para")
_NEEDS: Mapping[Purpose, Field] = {"pairs": "target", "corrections": "target", "words": "words"}


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    Attributes:
        name: what it is called.
        what: what it is, in a few words.
        endings: how the names of its files end.
        holds: what it can hold beside sources.
        needs: what a sentence must have to be written.
        reads, writes: whether cijie reads and writes it.
        named: whether its values have names, for which a file may have others.
        streams: whether its files are text, which is read and written bit by bit, can be gone on
            with, and may have another encoding than UTF-8.
        module: the module of `cijie.corpora` with its `read`, and, to write it, with `lines`, the
            lines of a sentence, or `writer`.
    """

    name: str
    what: str
    endings: tuple[str, ...]
    holds: tuple[Trait, ...]
    needs: tuple[Field, ...] = ()
    reads: bool = True
    writes: bool = True
    named: bool = False
    streams: bool = True
    module: str = ""

    def __str__(self) -> str:
        return self.name

    def read(self, file: InputFile) -> Iterator[Found]:
        """Read a file of this format.

        Raises:
            CijieError: malformed content, with file and line.
        """
        found: Iterator[Found] = self._module().read(file)
        return found

    def writer(self, fields: Iterable[Field]) -> Writer:
        """Return the writer of sentences with these fields; fields that the format cannot hold are
        left out.

        Raises:
            UsageError: cijie does not write it.
            MissingExtraError: a library is missing.
        """
        self._check_written()
        module = self._module()
        if hasattr(module, "lines"):
            return LineWriter(module.lines, self.name)
        writer: Writer = module.writer(self.name, frozenset(fields))
        return writer

    def check_results(self, fields: Sequence[Field]) -> None:
        """Refuse to write sentences with these fields, the first of which is required.

        The format must be able to hold that one, and require no others. Other fields that it cannot
        hold are left out.

        Raises:
            UsageError: it cannot hold the first field, or requires others.
        """
        self._check_written()
        if fields[0] not in self.holds:
            raise UsageError(f"{self} cannot hold {fields[0]}, which this command writes")
        if lacking := [field for field in self.needs if field not in fields]:
            raise UsageError(
                f"{self} requires {' and '.join(lacking)}, which this command does not write"
            )

    def _check_written(self) -> None:
        if not self.writes:
            raise UsageError(f"cijie reads {self}, but does not write it")

    def _module(self) -> Any:
        return import_module(f"cijie.corpora.{self.module or self.name}")


@cache
def formats() -> Mapping[str, Format]:
    """Return all formats by name."""
    table = partial(Format, holds=_ALL, named=True)
    plain = partial(Format, module="plain")
    words = partial(Format, holds=("words",), needs=("words",))
    only_read = partial(Format, writes=False)
    m2 = partial(Format, endings=(".m2", ".word", ".char"), holds=_PAIRS, needs=_PAIR, module="m2")
    known = (
        table("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json")),
        table("json", "one JSON value of objects", (".json",), module="jsonl", writes=False),
        table("parquet", "Parquet", (".parquet",), streams=False),
        table("csv", "CSV with a header", (".csv",)),
        table("csv-bom", "CSV with a byte order mark", (".csv",), module="csv", reads=False),
        table("tsv", "TSV with a header", (".tsv",), module="csv"),
        plain("lines", "texts, one a line", (".txt",), ("white space",)),
        words("text", "words separated by spaces", (".txt", ".seg"), module="plain"),
        plain("chars", "characters separated by spaces", (), _CHARACTERS, writes=False),
        plain("tagged", "words with tags, 我_r or 我/r", (), _CUT_ROW, writes=False),
        words("bmes", "characters with B, M, E or S", (".bmes",)),
        words("conllu", "CoNLL-U", (".conllu",), holds=(*_ROW, *_MARKED)),
        only_read("ctb", "Penn Chinese Treebank 5.1", (), ("ids", "words")),
        Format(
            "mucgec",
            "id, source, references, separated by tabs",
            (".tsv", ".txt"),
            _ROW,
            ("target",),
        ),
        only_read("nlpcc", "number, count, source, corrections", (), _ROW, module="mucgec"),
        plain("sighan", "sentences (pid=…)", (), ("ids", "white space"), writes=False),
        Format("para", "rows of mucgec in words, with spaces", (".para",), _CUT_ROW, _PAIR),
        m2("cherrant", "M2 of ChERRANT"),
        m2("errant", "M2 of ERRANT"),
        Format("pharaoh", "links, 0-0 1-2", (".links",), ("links",), ("links",), reads=False),
    )
    return MappingProxyType({format.name: format for format in known})


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises:
        UsageError: there is no such format.
    """
    known = formats()
    if name not in known:
        raise UsageError(unknown("format", name, known))
    return known[name]


def format_of_lines(name: str | None) -> Format:
    """Return the format of parallel files of lines.

    Raises:
        UsageError: it is that of one file.
    """
    found = format_named(name or "lines")
    if found.module != "plain":
        raise UsageError(
            f"{found} is no format of lines side by side: lines, text, chars, tagged, sighan"
        )
    return found


def format_to_read(source: Source, path: str, purpose: Purpose, options: ReadOptions) -> Format:
    """Choose the format of an input: the named one, else by its extension, else by its purpose.

    Without an ending that says it, a file of pairs has MuCGEC's rows, one of words is segmented
    text, and one of texts has lines; where columns are named it is a table. `*.tsv` is a table if
    its first line is a header, else rows.

    Args:
        source: the file.
        path: what errors call it.
        purpose: what the file is read for.
        options: reading options.

    Raises:
        FormatError: neither ending nor purpose say it, or it lacks what the file is read for.
        UsageError: no such format, one that cijie does not read, or without encoding or columns.
    """
    name = options.format or _by_ending(source, path, options)
    if name is None:  # columns have names in a table alone
        is_table = options.columns and not _are_numbers(options)
        name = "tsv" if is_table else "mucgec" if options.columns else _DEFAULTS.get(purpose)
    if name is None:
        with located(path=path):  # which refuses archives and other formats by name
            for line in _begin(source, options)[:1]:
                check_line(line, 1, "lines")
        message = "unknown format: name it with --from NAME (rows of MuCGEC: mucgec, words: text)"
        raise FormatError(message, path=path)
    found = format_named(name)
    if not found.reads:
        raise UsageError(f"cijie writes {found}, but does not read it")
    if options.encoding and not found.streams:
        raise UsageError(f"{found} takes no encoding: its files are not text")
    if options.columns and not found.named:
        if not (_are_numbers(options) and found.name in _ROWS):
            raise UsageError(f"{path}: {found} takes no names of columns; convert the file first")
        if 0 in map(int, options.columns.values()):
            raise UsageError("the numbers of columns begin with 1, not with 0")
    needed = _NEEDS.get(purpose)
    if needed not in (None, *found.holds):
        message = f"expected {purpose}, but {found} ({found.what}) has no {needed}"
        if needed == "words" and "target" in found.holds:
            message += "; `cijie recover` finds those of pairs"
        raise FormatError(message, path=path)
    return found


def format_to_write(name: str, default: str | None = None, format: str | None = None) -> Format:
    """Choose the format of an output: the named one, else by its extension.

    Args:
        name: the name of the file; `-` is standard output.
        default: the format of a file whose name has no ending.
        format: the name of the format.

    Raises:
        UsageError: no such format, or the name of the file does not say which.
    """
    if format is not None:
        return format_named(format)
    ending, _ = endings_of(name)
    if not ending and default is not None:
        return formats()[default]
    usual = {".txt": "text", ".tsv": "tsv", ".csv": "csv-bom"}.get(ending)
    named = [x for x in formats().values() if ending in x.endings and x.writes]
    found = [x for x in named if usual in (None, x.name)]
    if len(found) != 1:
        known = " or ".join(f"--to {each}" for each in named) or "--to FORMAT"
        hints = {
            ".arrow": "; Parquet (.parquet) holds the same columns",
            ".html": "; `cijie view` makes pages of results",
            ".xlsx": "; spreadsheet programs read .csv",
        }
        known += hints.get(ending, "")
        raise UsageError(f"the name {name} does not say which format to write: use {known}")
    return found[0]


def _by_ending(source: Source, path: str, options: ReadOptions) -> str | None:
    """Return the format of a file's extension, or None."""
    ending, _ = endings_of(path)
    named = [x.name for x in formats().values() if ending in x.endings and x.reads]
    if len(named) == 1:
        return named[0]
    if isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
        if next(Path(source).rglob("chtb_*"), None) is None:
            raise FormatError("found no treebank file (chtb_…) in this folder", path=path)
        return "ctb"
    if ending not in (".tsv", ".m2", ".word", ".char", ".json"):
        return None
    first, second = [*_begin(source, options), "", ""][:2]
    if ending == ".json":
        return "json" if _begins_json(first) else "jsonl"
    if ending == ".tsv":
        header = options.columns.get("source", "source")
        is_table = header in first.split("\t") and not _are_numbers(options)
        return "tsv" if is_table else "mucgec"
    return "cherrant" if re.match(r"T\d", second) else "errant"


def _begin(source: Source, options: ReadOptions) -> list[str]:
    """Return the first two lines of a file that can be read again."""
    if is_read_once(source):
        return []
    # What cannot be decoded is an error of the record, when it is read.
    with closing(lines_or_errors(source, encoding=options.encoding)) as lines:
        return [line if isinstance(line, str) else "" for _, line in islice(lines, 2)]


def _begins_json(line: str) -> bool:
    """Return whether a first line begins a JSON value that is not one object of JSON lines."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return line.lstrip().startswith(("[", "{"))
    if not isinstance(value, dict):
        return True
    return all(isinstance(x, dict) for x in (value or {0: 0}).values())


def _are_numbers(options: ReadOptions) -> bool:
    """Return whether the columns are numbers, as in rows without a header."""
    return bool(options.columns) and all(x.isdecimal() for x in options.columns.values())
