"""Segmented text: one sentence a line, its words separated by white space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from cijie.corpora.records import Record, joined
from cijie.files.lines import StrPath, read_lines, write_lines


def read_records(path: StrPath) -> Iterator[Record]:
    """Read sentences; the id is the line number, and an empty line is an empty sentence.

    The text is the words, joined: whether white space in the file is more than the end of a word
    is not known.

    Raises:
        FormatError: bytes that are not UTF-8.
    """
    for line, text in read_lines(path):
        segmentation = joined(text.split())
        yield Record(str(line), segmentation.text, segmentation)


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write the words of the sources, separated by single spaces.

    Raises:
        FormatError: a record without words.
    """
    write_lines((" ".join(record.words()) for record in records), stream)
