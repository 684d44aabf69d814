"""BMES columns: a character and its place in its word on each line, an empty line after a sentence.

`B` begins a word, `M` (or `I`) is inside one, `E` ends it, `S` is a word of one character.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from cijie.corpora.records import Record, joined
from cijie.errors import FormatError
from cijie.files.lines import StrPath, read_lines, write_lines


def read_records(path: StrPath) -> Iterator[Record]:
    """Read sentences; the id is the sentence's number, and the text has no white space.

    Raises:
        FormatError: a line that is not a character and a tag, a tag that cannot follow the one
            before it, bytes that are not UTF-8.
    """
    number = 0
    words: list[str] = []
    inside = False
    lines = False  # since the last empty one
    line = 0
    for line, text in read_lines(path):
        if not text:
            if inside:
                raise FormatError(f"the word {words[-1]!r} has no end", path=path, line=line)
            number += 1
            yield _record(number, words)
            words, lines = [], False
            continue
        lines = True
        columns = text.split()
        if len(columns) != 2 or columns[1] not in set("BMIES"):
            wanted = "a character and B, M, E or S"
            raise FormatError(f"{wanted} are wanted, not {text!r}", path=path, line=line)
        character, tag = columns
        if inside != (tag in "MIE"):
            place = "inside" if inside else "outside"
            raise FormatError(f"{text!r} {place} a word", path=path, line=line)
        if inside:
            words[-1] += character
        else:
            words.append(character)
        inside = tag in "BMI"
    if inside:
        raise FormatError(f"the word {words[-1]!r} has no end", path=path, line=line)
    if lines:
        yield _record(number + 1, words)


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write the words of the sources, a code point and a tag on each line, a tab between.

    Raises:
        FormatError: a record without words.
    """
    write_lines((line for record in records for line in _lines(record)), stream)


def _lines(record: Record) -> Iterator[str]:
    for word in record.words():
        tags = "S" if len(word) == 1 else "B" + "M" * (len(word) - 2) + "E"
        for character, tag in zip(word, tags, strict=True):
            yield f"{character}\t{tag}"
    yield ""


def _record(number: int, words: list[str]) -> Record:
    segmentation = joined(words)
    return Record(str(number), segmentation.text, segmentation)
