"""All formats: their properties, and the modules that read and write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, Protocol, get_args

import orjson

from cijie.errors import CijieError, FormatError, UsageError, unknown
from cijie.files.opening import stem_and_ending
from cijie.recovery.sentence import Field, Sentence


class Sink(Protocol):
    """The destination of packed rows."""

    def write(self, packed: bytes, /) -> Any: ...


class Writer(Protocol):
    """Writes sentences; can be pickled, so that other processes serialise them."""

    def row(self, sentence: Sentence) -> Any:
        """Serialise one sentence.

        Raises:
            CijieError: a sentence that the format cannot express, or that lacks what it needs.
        """

    def pack(self, rows: Sequence[Any]) -> bytes:
        """Join rows into bytes."""

    def into(self, stream: Sink) -> AbstractContextManager[Sink]:
        """Open a file to which packed rows are written, with what precedes and follows them."""


@dataclass(eq=False)
class LineWriter:
    """A writer of text formats, in which each sentence has its own lines.

    Args:
        lines: gives the lines of a sentence, as text or as UTF-8, in the format of that name.
        format: the name.

    Attributes:
        header: what the file begins with.
    """

    lines: Callable[[Sentence, str], str | bytes]
    format: str
    header: str = ""

    def row(self, sentence: Sentence) -> bytes:
        """Return the lines of a sentence as UTF-8.

        Raises:
            CijieError: a sentence that the format cannot express, or that lacks what it needs.
        """
        try:
            lines = self.lines(sentence, self.format)
            if isinstance(lines, bytes):
                return lines
            if lines.startswith("\ufeff"):
                message = "begins with U+FEFF, which readers of this format leave out"
                raise FormatError(f"{message}: {lines!r}")
            return as_utf8(lines)
        except CijieError as error:  # `located` takes time
            raise error.at(id=sentence.id) from error.__cause__

    pack = staticmethod(b"".join)  # joins rows into bytes

    @contextmanager
    def into(self, stream: Sink) -> Iterator[Sink]:
        """Open a file to which packed rows are written."""
        stream.write(self.header.encode())
        yield stream


def as_utf8(text: str) -> bytes:
    """Encode a text as UTF-8.

    Raises:
        FormatError: a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(f"cannot be written as UTF-8: {error}") from error


def as_json(value: Any, option: int | None = None) -> bytes:
    """Encode a plain value as JSON in UTF-8; `option` is an option of orjson.

    Raises:
        FormatError: a text with a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return orjson.dumps(value, option=option)
    except TypeError as error:
        raise FormatError(f"cannot be written as JSON: {error}") from error


def check_fields(sentence: Sentence, fields: frozenset[Field]) -> None:
    """Refuse a sentence with fields that have no column.

    Raises:
        FormatError: a field has no column.
    """
    for known in sentence.fields:
        if known not in fields:
            has = "a status" if known == "status" else known
            raise FormatError(f"has {has}, which none of the first sentences has", id=sentence.id)


Trait = Field | Literal["ids", "white space"]
"""The contents of a format besides sources: fields, ids, and white space in texts."""

_ALL: tuple[Trait, ...] = ("ids", "white space", *get_args(Field))
_PAIR: tuple[Field, ...] = ("words", "target", "target words")
_TARGETS: tuple[Field, ...] = ("target", "references", "status")
_PAIRS: tuple[Field, ...] = ("words", "target words", *_TARGETS)
_ROW: tuple[Trait, ...] = ("ids", "white space", *_TARGETS, "label")
_MARKED: tuple[Field, ...] = ("words", "initial words", "changes", "confidences")
_CUT_ROW: tuple[Trait, ...] = ("ids", *_PAIRS, "label")

M2 = (".m2", ".word", ".char")
"""Extensions of M2."""


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
        streams: whether its files are text, which may have another encoding than UTF-8.
        module: the module of `cijie.corpora`. To read it, it has `units`, the raw content of the
            sentences of a file, unless these are its lines, and `sentence`, which makes a sentence
            of that; to write it, `lines`, the lines of a sentence, or `writer`.
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

    def load(self) -> Any:
        """Return the module of the format."""
        return import_module(f"cijie.corpora.{self.module or self.name}")

    def writer(self, fields: Iterable[Field]) -> Writer:
        """Return the writer of sentences with these fields; fields that the format cannot hold are
        left out.

        Raises:
            MissingExtraError: a library is missing.
        """
        module = self.load()
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
        if fields[0] not in self.holds:
            raise UsageError(f"{self} cannot hold {fields[0]}, which this command writes")
        if lacking := [field for field in self.needs if field not in fields]:
            raise UsageError(
                f"{self} requires {' and '.join(lacking)}, which this command does not write"
            )


_table = partial(Format, holds=_ALL, named=True)
_plain = partial(Format, module="plain")
_words = partial(Format, holds=("words",), needs=("words",))
_rows = partial(Format, module="rows")
_m2 = partial(Format, endings=M2, holds=_PAIRS, needs=_PAIR, module="m2")
_known = (
    _table("jsonl", "JSON lines", (".jsonl", ".ndjson")),
    _table("json", "one JSON value of objects", (".json",), module="jsonl", writes=False),
    _table("parquet", "Parquet", (".parquet",), streams=False),
    _table("csv", "CSV with a header", (".csv",)),
    _table("csv-bom", "CSV with a byte order mark", (".csv",), module="csv", reads=False),
    _table("tsv", "TSV with a header", (".tsv",), module="csv"),
    _plain("lines", "texts, one a line", (".txt",), ("white space",)),
    _words("text", "words separated by spaces", (".txt", ".seg"), module="plain"),
    _words("bmes", "characters with B, M, E or S", (".bmes",)),
    _words("conllu", "CoNLL-U", (".conllu",), holds=(*_ROW, *_MARKED)),
    Format("ctb", "Penn Chinese Treebank 5.1", (), ("ids", "words"), writes=False),
    _rows("mucgec", "id, source, references, with tabs", (".tsv", ".txt"), _ROW, ("target",)),
    _rows("para", "rows of mucgec in words, with spaces", (".para",), _CUT_ROW, _PAIR),
    _m2("cherrant", "M2 of ChERRANT"),
    _m2("errant", "M2 of ERRANT"),
    _plain("pharaoh", "links, 0-0 1-2", (".links",), ("links",), ("links",), reads=False),
)

FORMATS: Mapping[str, Format] = MappingProxyType({format.name: format for format in _known})
"""All formats by name."""


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises:
        UsageError: there is no such format.
    """
    if name not in FORMATS:
        raise UsageError(unknown("format", name, FORMATS))
    return FORMATS[name]


def format_to_write(name: str, default: str | None = None, format: str | None = None) -> Format:
    """Choose the format of an output: the named one, else by its extension.

    Args:
        name: the name of the file; `-` is standard output.
        default: the format of a file whose name has no ending.
        format: the name of the format.

    Raises:
        UsageError: no such format, one that cijie does not write, or the name of the file does not
            say which.
    """
    if format is not None:
        given = format_named(format)
        if not given.writes:
            raise UsageError(f"cijie reads {given}, but does not write it")
        return given
    _, ending = stem_and_ending(name)
    if not ending and default is not None:
        return FORMATS[default]
    usual = {".txt": "text", ".tsv": "tsv", ".csv": "csv-bom"}.get(ending)
    named = [x for x in FORMATS.values() if ending in x.endings and x.writes]
    found = [x for x in named if usual in (None, x.name)]
    if len(found) != 1:
        known = " or ".join(f"--to {each}" for each in named) or "--to FORMAT"
        hints = {
            ".json": "; JSON lines are called .jsonl",
            ".arrow": "; Parquet (.parquet) holds the same columns",
            ".html": "; `cijie view` makes pages of results",
            ".xlsx": "; spreadsheet programs read .csv",
        }
        known += hints.get(ending, "")
        raise UsageError(f"the name {name} does not say which format to write: use {known}")
    return found[0]
