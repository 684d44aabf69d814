"""Parquet, with the columns of `cijie.corpora.arrow`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from cijie.corpora import arrow
from cijie.corpora.records import Record
from cijie.files.lines import StrPath


def read_records(path: StrPath) -> Iterator[Record]:
    """Read the rows of a Parquet file; columns that are not cijie's are ignored.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: not a Parquet file, a row that is not a record.
    """
    with arrow.reading(path, "a Parquet"):
        from pyarrow.parquet import ParquetFile

        with arrow.opened(path) as source, ParquetFile(source) as file:
            yield from arrow.records(file.iter_batches(), path)


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write records as a Parquet file; nothing is lost.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    arrow.library()
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(stream, arrow.schema()) as writer:
        for batch in arrow.batches(records):
            writer.write_batch(batch)
