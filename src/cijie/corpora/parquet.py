"""Parquet, with the columns of `cijie.corpora.arrow`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from cijie.corpora import arrow
from cijie.corpora.files import StrPath
from cijie.corpora.records import Record
from cijie.errors import FormatError


def read_records(path: StrPath) -> Iterator[Record]:
    """Read the rows of a Parquet file; columns that are not cijie's are ignored.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: not a Parquet file, a row that is not a record.
    """
    pa = arrow.library()
    from pyarrow.parquet import ParquetFile

    try:
        with arrow.opened(path) as source, ParquetFile(source) as file:
            yield from arrow.records(file.iter_batches(), path)
    except pa.ArrowInvalid as error:
        raise FormatError(f"not a Parquet file: {error}", path=path) from error


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
