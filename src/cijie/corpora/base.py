"""Input, options and writers shared by the format modules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import orjson

from cijie.choices import OnError
from cijie.corpora.checks import IdPolicy, LabelPolicy, check_line
from cijie.errors import CijieError, FormatError, UsageError
from cijie.files.lines import lines_or_errors, read_blocks, read_lines
from cijie.files.opening import Source
from cijie.recovery.records import sentence_of
from cijie.recovery.sentence import Field, Sentence

Purpose = Literal["sentences", "pairs", "corrections", "words", "texts"]
"""The purpose of reading: everything; sources with one target each; sources with all their
corrections or a status; words; texts alone."""

Units = Generator[tuple[int, int, Any], None, None]
"""The line and the number of each sentence, both from 1, and its raw content."""

Found = tuple[int, Sentence | CijieError]
"""The line of a sentence, and the sentence or its error."""


# What to do about records without a source, by what they have.
_HINTS = {
    "source_sha256": "convert --pairs FILE takes the texts",
    "sentence_annos": "docs/recipes.md has a script for YACLC",
    "operation": "docs/recipes.md has a script for FCGEC",
}


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Reading options; unset ones are inferred from the file's name and content.

    Args:
        format: the name of the format.
        encoding: that of formats of text; UTF-8 if None.
        columns: how the file calls `source`, `target` and so on, in formats that have names; in
            rows without a header, which columns they are, from 1.
        ids: what to do about an id that occurs again.
        labels: which texts in the place of a correction are labels, and none.
        keep_correct: whether a source without a correction is a pair of the source with itself.
        on_error: `"raise"` ends at the first error; `"keep"` gives errors of single sentences in
            the place of these.

    Raises:
        UsageError: an unknown encoding.
    """

    format: str | None = None
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    ids: IdPolicy = "check"
    labels: LabelPolicy = "check"
    keep_correct: bool = False
    on_error: OnError = "raise"

    def __post_init__(self) -> None:
        try:
            "".encode(self.encoding or "utf-8")
        except (LookupError, ValueError) as error:  # no such encoding, or no name of one
            raise UsageError(f"unknown encoding: {self.encoding}") from error


@dataclass(frozen=True, slots=True)
class InputFile:
    """An input file with its format and options.

    Args:
        source: the file.
        path: what errors call it.
        format: the name of its format.
        purpose: what it is read for.
        options: reading options.
        skipped: counts skipped sentences, by reason.
    """

    source: Source
    path: str
    format: str
    purpose: Purpose
    options: ReadOptions
    skipped: Counter[str]

    @property
    def is_named(self) -> bool:
        """Whether the user named the format; then content like another format is text."""
        return self.options.format is not None

    def each(
        self, units: Units, make: Callable[[Any, str, InputFile], Sentence]
    ) -> Iterator[Found]:
        """Build each sentence with `make`, from its raw content, number and file.

        Raises:
            CijieError: a malformed sentence, with its line, unless errors are kept.
        """
        # An error that is kept for long would keep the file open.
        with closing(units):
            for line, number, content in units:
                found: Sentence | CijieError
                try:
                    if isinstance(content, CijieError):
                        raise content
                    found = make(content, str(number), self)
                except CijieError as error:
                    found = error.at(path=self.path, line=line)
                    if error.record is None:
                        error.record = kept(content)
                    if self.options.on_error == "raise":
                        raise
                yield line, found

    def rows(self, *, look: bool = True) -> Units:
        """Yield its lines, each with its number as the id; with `keep`, errors in place of bad
        lines.

        Args:
            look: whether lines are refused that look like another format, where nobody named this
                one.
        """
        look, by_number = look and not self.is_named, bool(self.options.columns)
        for line, text in lines_or_errors(self.source, encoding=self.options.encoding):
            found = text
            if look and isinstance(text, str) and (line == 1 or " " in text or "\u3000" in text):
                try:
                    check_line(text, line, self.format, numbered=by_number)
                except FormatError as error:
                    if line == 1 or self.options.on_error == "raise":
                        raise
                    # One badly spaced line must not abort a long run.
                    error.record, found = text, error
            yield line, line, found

    def all_lines(self) -> Iterator[tuple[int, str]]:
        """Yield its lines, of which several form a sentence; a bad line ends the reading."""
        return read_lines(self.source, encoding=self.options.encoding)

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Yield its runs of lines between empty lines, each with the number of its first line."""
        return read_blocks(self.source, encoding=self.options.encoding)

    def sentence(self, values: Mapping[str, Any], id: str) -> Sentence:
        """Build a sentence from plain values under the file's names."""
        if columns := self.options.columns:
            values = {**values, **{name: values.get(x) for name, x in columns.items()}}
        if "source" not in values:
            message = f"'source' is missing; this record has {', '.join(values) or 'nothing'}"
            hints = (hint for name, hint in _HINTS.items() if name in values)
            raise FormatError(f"{message}: {next(hints, '--columns source=NAME')}", id=id)
        return sentence_of(values, id, results=self.purpose == "sentences", skipped=self.skipped)


def kept(content: Any) -> str:
    """Format an unreadable record for the quarantine: a line unchanged, other content as JSON."""
    if isinstance(content, str):
        return content
    return json.dumps(content, ensure_ascii=False, default=str)


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

    def into(self, stream: Sink, *, begun: bool = False) -> AbstractContextManager[Sink]:
        """Open a file to which packed rows are written, with what precedes and follows them.

        Args:
            stream: the file.
            begun: whether rows have been written to it before.
        """


class LineWriter:
    """A writer of text formats, in which each sentence has its own lines.

    Args:
        lines: gives the lines of a sentence, as text or as UTF-8, in the format of that name.
        format: the name.

    Attributes:
        header: what the file begins with.
    """

    header: str = ""

    def __init__(self, lines: Callable[[Sentence, str], str | bytes], format: str) -> None:
        self._lines = lines
        self._format = format

    def row(self, sentence: Sentence) -> bytes:
        """Return the lines of a sentence as UTF-8.

        Raises:
            CijieError: a sentence that the format cannot express, or that lacks what it needs.
        """
        try:
            lines = self._lines(sentence, self._format)
            return lines if isinstance(lines, bytes) else as_utf8(lines)
        except CijieError as error:  # `located` takes time
            raise error.at(id=sentence.id) from error.__cause__

    def pack(self, rows: Sequence[bytes]) -> bytes:
        """Join rows into bytes."""
        return b"".join(rows)

    @contextmanager
    def into(self, stream: Sink, *, begun: bool = False) -> Iterator[Sink]:
        """Open a file to which packed rows are written."""
        if not begun:
            stream.write(self.header.encode())
        yield _Lines(stream, begun=begun or bool(self.header))


class _Lines:
    """The lines of a file.

    U+FEFF that begins the first of them is preceded by another one, the byte order mark, for
    readers leave out one.
    """

    def __init__(self, stream: Sink, *, begun: bool) -> None:
        self._stream = stream
        self._begun = begun

    def write(self, packed: bytes) -> None:
        if packed and not self._begun:
            self._begun = True
            if packed.startswith(mark := "\ufeff".encode()):
                self._stream.write(mark)
        self._stream.write(packed)


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
