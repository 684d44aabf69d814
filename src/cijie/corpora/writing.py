"""How sentences are written, to files of whatever format."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, Protocol

import orjson

from cijie.batching import batched
from cijie.corpora.records import Part, Record, joined
from cijie.errors import FormatError, located
from cijie.recovery.recovery import Recovery
from cijie.text.segmentation import Segmentation

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from cijie.corpora.formats import Format

_BATCH = 256
_LOOKED_AT = 1000  # records, to see what they have


class Sink(Protocol):
    """Where what a writer has packed goes."""

    def write(self, packed: bytes, /) -> Any: ...


class Writer(Protocol):
    """Writes records; what other processes are to do of it can be done there: it can be pickled."""

    def row(self, record: Record) -> Any:
        """One record as it is packed.

        Raises:
            CijieError: a record that the format cannot express, or that lacks what it needs.
        """

    def recovered(self, id: str, recovery: Recovery) -> Any:
        """The same of a recovery."""

    def pack(self, rows: Sequence[Any]) -> bytes:
        """Some rows as bytes."""

    def into(self, stream: Sink, *, begun: bool = False) -> AbstractContextManager[Sink]:
        """A file, where packed rows go: what stands before them is written, and what behind.

        Args:
            stream: the file.
            begun: whether rows have been written to it before.
        """


class LineWriter:
    """A writer of text, in which each record has lines of its own.

    Args:
        header: what the file begins with.
    """

    header: str = ""

    def lines(self, record: Record) -> str:
        """The lines of a record, each with its end."""
        raise NotImplementedError

    def row(self, record: Record) -> bytes:
        """The lines of a record as UTF-8.

        Raises:
            CijieError: a record that the format cannot express, or that lacks what it needs.
        """
        with located(id=record.id):
            return as_utf8(self.lines(record))

    def recovered(self, id: str, recovery: Recovery) -> bytes:
        """The same of a recovery."""
        return self.row(Record.of(id, recovery))

    def pack(self, rows: Sequence[bytes]) -> bytes:
        """Some rows as bytes."""
        return b"".join(rows)

    @contextmanager
    def into(self, stream: Sink, *, begun: bool = False) -> Iterator[Sink]:
        """A file, where packed rows go."""
        if not begun:
            stream.write(self.header.encode())
        yield _Lines(stream, begun=begun or bool(self.header))


def as_utf8(text: str) -> bytes:
    """A text as UTF-8.

    Raises:
        FormatError: a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(f"cannot be written as UTF-8: {error}") from error


def as_json(value: Any, option: int | None = None) -> bytes:
    """A plain value as JSON in UTF-8; the option is one of orjson's.

    Raises:
        FormatError: a text with a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return orjson.dumps(value, option=option)
    except TypeError as error:
        raise FormatError(f"cannot be written as JSON: {error}") from error


class _Lines:
    """Lines of a file.

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


class Pieces(io.RawIOBase):
    """A file of which what has been written to it is taken away, piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Buffer) -> int:
        self._pieces.append(bytes(piece))
        return len(self._pieces[-1])

    def taken(self) -> bytes:
        """What has been written since the last time."""
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def write_records(
    records: Iterable[Record],
    stream: IO[bytes],
    format: Format,
    parts: Iterable[Part] | None = None,
) -> None:
    """Write records.

    Args:
        records: the records.
        stream: the file.
        format: its format.
        parts: what the records have; by default what the first 1,000 of them have.

    Raises:
        CijieError: a record that the format cannot express, or that lacks what it needs.
        UsageError: cijie does not write the format.
        MissingExtraError: a library is missing.
    """
    if parts is None:
        parts, records = parts_of(records)
    writer = format.writer(parts)
    with writer.into(stream) as sink:
        for batch in batched(records, _BATCH):
            sink.write(writer.pack([writer.row(record) for record in batch]))


def parts_of(records: Iterable[Record]) -> tuple[frozenset[Part], Iterator[Record]]:
    """What the first 1,000 records have, and all records."""
    rest = iter(records)
    first = list(islice(rest, _LOOKED_AT))
    return frozenset(part for record in first for part in record.parts), chain(first, rest)


def check_parts(record: Record, parts: frozenset[Part]) -> None:
    """Refuse a record that has more than there are columns for.

    Raises:
        FormatError: it has.
    """
    for part in record.parts:
        if part not in parts:
            has = "a status" if part == "status" else part
            raise FormatError(f"has {has}, which none of the first records had", id=record.id)


def separable(record: Record, *, with_text: bool = False) -> list[str]:
    """The words of the source, for formats that put something between words.

    Args:
        record: the record.
        with_text: whether the format has the text besides.

    Raises:
        FormatError: there are none, or what is read back would be other words: there is white space
            in one, or without the white space between them they would be one.
    """
    with located(id=record.id):
        return words_apart(record.cut(), with_text=with_text)


def separable_targets(record: Record) -> list[list[str]]:
    """The words of all targets, for formats that put something between words.

    Raises:
        FormatError: there is no target, or one without words, and as `separable`.
    """
    cut = record.reference_segmentations
    if record.status == "no error" and cut is None:
        return [separable(record)]
    if record.status not in (None, "no error"):
        return []
    if cut is None:
        if record.target is None:
            raise FormatError("has no target", id=record.id)
        if record.references is not None or record.target_segmentation is None:
            raise FormatError("has targets without words; `cijie recover` finds them", id=record.id)
        cut = (record.target_segmentation,)
    with located(id=record.id):
        return [words_apart(segmentation) for segmentation in cut]


def words_apart(segmentation: Segmentation, *, with_text: bool = False) -> list[str]:
    """The words of a segmentation; see `separable`."""
    words = segmentation.tokens
    if segmentation.is_plain:
        return words
    for word in words:
        if word.split() != [word]:
            message = f"has a word with white space in it, which this format cannot hold: {word!r}"
            raise FormatError(message)
    if not with_text:
        if "".join(words) != "".join(segmentation.text.split()):
            message = f"has something that is in no word, and is lost: {segmentation.text!r}"
            raise FormatError(message)
        back = joined(words).tokens
        if back != words:
            message = f"has words that this format cannot keep apart: {words!r} / {back!r}"
            raise FormatError(message)
    return words
