"""A sentence a line: its words, separated by white space, or its text as it is."""

from __future__ import annotations

from collections.abc import Iterator

from cijie.corpora.reading import Reading, Unit
from cijie.corpora.records import Record, joined
from cijie.corpora.writing import LineWriter, separable
from cijie.errors import FormatError


def units(reading: Reading) -> Iterator[Unit]:
    """Its lines."""
    return reading.rows()


def record(content: str, id: str, reading: Reading) -> Record:
    """The sentence of a line; the id is the line's number, and an empty line an empty sentence.

    In segmented text the text is the words, joined: whether white space in the file is more than
    the end of a word is not known.

    Raises:
        FormatError: a line with a tab, where nobody said that the file has lines: it may be a row.
    """
    if reading.format.name == "lines":
        if reading.guessed and "\t" in content:
            message = (
                f"has a tab: {content!r}; --from mucgec reads id, source and references, "
                "--from lines takes it as text"
            )
            raise FormatError(message)
        return Record(id, content)
    segmentation = joined(content.split())
    return Record(id, segmentation.text, segmentation)


def writer(name: str, _: frozenset[str]) -> LineWriter:
    """What writes it."""
    return TextWriter() if name == "text" else TextLineWriter()


class TextWriter(LineWriter):
    """Writes the words of the sources, separated by single spaces."""

    def lines(self, record: Record) -> str:
        """A record as a line."""
        return " ".join(separable(record)) + "\n"


class TextLineWriter(LineWriter):
    """Writes the sources as they are."""

    def lines(self, record: Record) -> str:
        """A record as a line."""
        if any(end in record.source for end in "\r\n"):
            message = f"has a line break in it, and each line is a text: {record.source!r}"
            raise FormatError(message, id=record.id)
        return f"{record.source}\n"
