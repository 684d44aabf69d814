"""How sentences are read, from files of whatever format: whole, as pairs, or with all targets."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from cijie.corpora.records import Record, Status
from cijie.corpora.telling import Wanted, check_first_line, format_to_read
from cijie.errors import CijieError, FormatError, located
from cijie.files.ids import IdPolicy, id_checker
from cijie.files.lines import blocks, read_lines, set_apart
from cijie.files.opening import Source, name_of
from cijie.recovery.pair import Corrected, Pair, nearest

if TYPE_CHECKING:
    from cijie.corpora.formats import Format

Unit = tuple[int, int, Any]
"""What a reader makes one record of, behind its line and its number, both from 1."""


@dataclass(slots=True)
class Reading:
    """How a file is read, and what is found out meanwhile.

    Args:
        source: the file.
        format: its format.
        reader: what reads that.
        encoding: that of formats of text; UTF-8 if None.
        columns: how the file calls the values of a record, `{"source": "learner"}`, where it has
            other names for them than cijie (formats with names alone).
        wanted: what the file is read for.
        skipped: counts what is no record, by reason.
        unread: takes the errors of single records, instead of their being raised.
        guessed: whether nobody named the format.
    """

    source: Source
    format: Format
    reader: Reader
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    wanted: Wanted = "anything"
    skipped: Counter[str] = field(default_factory=Counter)
    unread: list[CijieError] | None = None
    guessed: bool = False

    @property
    def path(self) -> str:
        """What errors call the file."""
        return name_of(self.source)

    def records(self, ids: IdPolicy = "any") -> Iterator[tuple[int, Record]]:
        """Its records, each with the line that it begins in, or the number of its row.

        Raises:
            CijieError: what is no such file, or no record, with its place; an id that occurs again
                and may not.
        """
        check_id = id_checker(ids, self.path)
        with located(path=self.path):
            for line, number, content in self.reader.units(self):
                try:
                    record = self.reader.record(content, str(number), self)
                    if ids != "any":
                        id = check_id(record.id, line)
                        record = record if id == record.id else replace(record, id=id)
                except CijieError as error:
                    set_apart(error.at(path=self.path, line=line), self.unread, _kept(content))
                else:
                    yield line, record

    def lines(self, *, records: bool = True) -> Iterator[tuple[int, str]]:
        """Its lines; where each is a record, those that cannot be decoded go to `unread`."""
        unread = self.unread if records else None
        return read_lines(self.source, unread, encoding=self.encoding)

    def rows(self) -> Iterator[Unit]:
        """Its lines, each with its number as the record's.

        Raises:
            FormatError: the first is a header or of another format, and nobody named this one.
        """
        for line, text in self.lines():
            if line == 1 and self.guessed:
                check_first_line(text, self.columns.get("source", "source"))
            yield line, line, text

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Its runs of lines between empty ones, each with the number of its first line."""
        return blocks(self.lines(records=False))

    def record_of(self, values: Mapping[str, Any], id: str) -> Record:
        """A record of plain values that have the file's names."""
        if self.columns:
            values = {**values, **{name: values.get(x) for name, x in self.columns.items()}}
        return Record.from_dict(values, id, pair=self.wanted == "pairs")


class Reader(Protocol):
    """What a module that reads a format has."""

    def units(self, reading: Reading) -> Iterator[Unit]:
        """Cut a file into what records are made of.

        Raises:
            CijieError: what ends the reading.
        """

    def record(self, content: Any, id: str, reading: Reading) -> Record:
        """Make a record; `id` is used where there is none.

        Raises:
            CijieError: what concerns this record alone.
        """


def reading_of(
    source: Source,
    format: Format | str | None = None,
    *,
    wanted: Wanted = "anything",
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    skipped: Counter[str] | None = None,
    unread: list[CijieError] | None = None,
) -> Reading:
    """How a file is to be read; what is not said here, its name and content tell.

    Args:
        source: a path or URL, `-` for standard input, or an open file.
        format: the format or its name.
        wanted, encoding, columns, skipped, unread: as in `Reading`.

    Raises:
        FormatError: it cannot be told what the file is, or it does not have what is wanted.
        MissingExtraError: a library is missing.
        UsageError: cijie does not read that format, or it has no such columns or encoding.
    """
    found = format_to_read(source, format, wanted, encoding=encoding, columns=columns)
    return Reading(
        source,
        found,
        found.reader(encoding=encoding, columns=columns),
        encoding,
        columns or {},
        wanted,
        Counter() if skipped is None else skipped,
        unread,
        format is None,
    )


def read_records(
    source: Source,
    format: Format | str | None = None,
    *,
    ids: IdPolicy = "any",
    wanted: Wanted = "anything",
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    skipped: Counter[str] | None = None,
) -> Iterator[Record]:
    """Read sentences.

    Args:
        source, format: as in `reading_of`.
        ids: what to do about an id that occurs again.
        wanted, encoding, columns, skipped: as in `Reading`.

    Raises:
        CijieError: what is no such file, or no record, with its place.
        MissingExtraError, UsageError: as `reading_of`.
    """
    reading = reading_of(
        source, format, wanted=wanted, encoding=encoding, columns=columns, skipped=skipped
    )
    return (record for _, record in reading.records(ids))


def read_pairs(
    source: Source,
    format: Format | str | None = None,
    *,
    ids: IdPolicy = "check",
    choose: Callable[[str, Sequence[str]], int] = nearest,
    keep_correct: bool = False,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    skipped: Counter[str] | None = None,
    unread: list[CijieError] | None = None,
) -> Iterator[Pair]:
    """Read pairs: sources with a target, and with the words that are given.

    A source whose `status` says why it has no correction is no pair.

    Args:
        source, format, ids: as in `read_records`.
        choose: picks among several references: from the source and the references to an index.
        keep_correct: whether a source without error is a pair of the source with itself.
        encoding, columns, skipped, unread: as in `Reading`.

    Raises:
        CijieError: as `read_records`, and a record without a target.
    """
    reading = reading_of(
        source,
        format,
        wanted="pairs",
        encoding=encoding,
        columns=columns,
        skipped=skipped,
        unread=unread,
    )
    # A record with names says which of several corrections it has, or does not know.
    number = None if reading.format.named else 1

    def pairs() -> Iterator[Pair]:
        for line, record in reading.records(ids):
            if record.status == "no error" and keep_correct:
                yield Pair(record.id, record.source, record.source, record.given)
            elif record.status is not None:
                reading.skipped[SKIPPED[record.status]] += 1
            else:
                try:
                    yield pair_of(record, choose, number)
                except CijieError as error:
                    error.at(path=reading.path, line=line, id=record.id)
                    set_apart(error, unread, _kept(record.as_dict()))

    return pairs()


def read_corrected(
    source: Source,
    format: Format | str | None = None,
    *,
    ids: IdPolicy = "check",
    every: bool = True,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    skipped: Counter[str] | None = None,
) -> Iterator[Corrected]:
    """Read sources, each with all its references.

    A source without error is its own only target; one that could not be annotated, or has no
    reference, has none.

    Args:
        source, format, ids: as in `read_records`.
        every: whether those come too, so that sentence n is record n; else they are skipped.
        encoding, columns, skipped: as in `Reading`.

    Raises:
        CijieError: as `read_records`, and a record without a target or a `status`.
    """
    reading = reading_of(
        source, format, wanted="pairs", encoding=encoding, columns=columns, skipped=skipped
    )

    def sentences() -> Iterator[Corrected]:
        for line, record in reading.records(ids):
            if record.status is None:
                with located(path=reading.path, line=line, id=record.id):
                    _check_target(record)
            if every or record.status is None:
                yield record.corrected()
            else:
                reading.skipped[SKIPPED[record.status]] += 1

    return sentences()


def _kept(content: Any) -> str:
    """What could not be read, as it is kept: a line as it is, else as JSON."""
    if isinstance(content, str):
        return content
    return json.dumps(content, ensure_ascii=False, default=str)


SKIPPED: dict[Status, str] = {
    "no error": "rows without error",
    "not annotatable": "rows not annotatable",
    "no reference": "rows without a reference",
}
"""What sources without correction are counted as, where they are left out."""


def pair_of(
    record: Record,
    choose: Callable[[str, Sequence[str]], int] = nearest,
    number: int | None = None,
) -> Pair:
    """The pair that a record is.

    Args:
        record: the record.
        choose: picks among its references.
        number: that of its target among the corrections, if the record does not say it.

    Raises:
        FormatError: there is no target.
    """
    target = _check_target(record)
    words, number = record.target_segmentation, record.reference or number
    if record.references is not None and choose is not nearest:
        number = choose(record.source, record.references) + 1
        if record.references[number - 1] != target:
            target, words = record.references[number - 1], None
    return Pair(record.id, record.source, target, record.given, words, number)


def _check_target(record: Record) -> str:
    if record.target is None:
        raise FormatError("'target' is missing")
    return record.target
