"""Segmented pairs, as ChERRANT's `parallel_to_m2.py --segmented` takes them.

A line is `id TAB words of the source TAB words of the target TAB …`, the words separated by spaces.
"""

from __future__ import annotations

from collections.abc import Iterator

from cijie.corpora.mucgec import fields, row
from cijie.corpora.reading import Reading, Unit
from cijie.corpora.records import Record, joined
from cijie.corpora.writing import LineWriter, separable, separable_targets


def units(reading: Reading) -> Iterator[Unit]:
    """Its rows."""
    return reading.rows()


def record(content: str, _: str, reading: Reading) -> Record:
    """The record of a row with its words; texts are words, joined.

    Raises:
        FormatError, AlignmentError: as `cijie.corpora.mucgec.record`.
    """
    id, text, references, status = fields(content, reading)
    source = joined(text.split())
    targets = [joined(reference.split()) for reference in references]
    if status == "no error":
        return Record(id, source.text, source, source.text, source, status=status)
    return Record.with_targets(id, source, targets, status=status)


def writer(_: str, __: frozenset[str]) -> ParaWriter:
    """What writes it."""
    return ParaWriter()


class ParaWriter(LineWriter):
    """Writes the words of the sources and of all targets, or why there are none."""

    def lines(self, record: Record) -> str:
        """A record as a line."""
        targets = [" ".join(words) for words in separable_targets(record)]
        return row(record, " ".join(separable(record)), targets)
