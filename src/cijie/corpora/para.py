"""Segmented pairs, as ChERRANT's `parallel_to_m2.py --segmented` takes them.

A line is `id TAB words of the source TAB words of the target TAB …`, the words separated by spaces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO

from cijie.corpora import mucgec
from cijie.corpora.records import Record, joined
from cijie.files.lines import StrPath, write_lines


def read_records(path: StrPath, *, skipped: Counter[str] | None = None) -> Iterator[Record]:
    """Read every row with its words, and with the nearest of its targets; texts are words, joined.

    Raises:
        FormatError: as `cijie.corpora.mucgec.read_mucgec`.
    """
    for record in mucgec.read_records(path, skipped=skipped):
        source = joined(record.source.split())
        if record.target is None:
            yield Record(record.id, source.text, source)
        else:
            target = joined(record.target.split())
            yield Record(record.id, source.text, source, target.text, target)


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write the words of the sources and of the targets.

    Raises:
        FormatError: a record without words, and as `cijie.corpora.mucgec.write_records`.
    """
    write_lines(
        (
            mucgec.row(record.id, " ".join(record.words()), " ".join(record.of_target().words()))
            for record in records
        ),
        stream,
    )
