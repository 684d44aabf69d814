"""Pharaoh links: `0-0 1-2`, the links of one pair a line, offsets from 0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO

from cijie.corpora.records import Record
from cijie.errors import FormatError
from cijie.files.lines import StrPath, read_lines

_LINK = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")


def read_pharaoh(path: StrPath) -> Iterator[list[tuple[int, int]]]:
    """Read the links of each line as `(source, target)`.

    They say neither what they link nor how it came about; `cijie.alignment.Link` does.

    Raises:
        FormatError: what is not two numbers with a hyphen, bytes that are not UTF-8.
    """
    for line, text in read_lines(path):
        links = text.split()
        if not all(map(_LINK.fullmatch, links)):
            raise FormatError(f"not links: {text!r}", path=path, line=line)
        yield [(int(i), int(j)) for i, j in (link.split("-") for link in links)]


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write the links between characters, as code-point offsets, without kinds and scores.

    Raises:
        FormatError: a record without links.
    """
    for record in records:
        if record.alignment is None:
            raise FormatError("has no links", id=record.id)
        links = " ".join(f"{i}-{j}" for i, j, _, _ in record.alignment.as_tuples())
        stream.write(f"{links}\n".encode())
