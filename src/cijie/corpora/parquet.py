"""Parquet, with the columns of `cijie.corpora.arrow`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cijie.corpora.arrow import (
    LARGEST,
    ArrowWriter,
    library,
    needed_columns,
    reading,
    rows,
    seekable,
    sentences,
)
from cijie.corpora.base import Found, InputFile, Sink, Units
from cijie.errors import FormatError
from cijie.files.opening import open_source
from cijie.recovery.sentence import Field

_GROUP = 8192  # rows
_VALUES = 1 << 27  # in a column of a group of rows


def read(file: InputFile) -> Iterator[Found]:
    """Read the rows of a Parquet file; columns unknown to cijie are not read.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: it is not a Parquet file, or has too much at once.
    """
    return sentences(_units(file), file)


def _units(file: InputFile) -> Units:
    library()
    with reading("a Parquet"):
        from pyarrow.parquet import ParquetFile

        with open_source(file.source) as stream, seekable(stream) as source:
            table = ParquetFile(source)
            names = needed_columns(table.schema_arrow.names, file)
            yield from rows(_batches(table, names), source.size())


def writer(_: str, fields: frozenset[Field]) -> ParquetWriter:
    """Return the writer of records with these fields."""
    return ParquetWriter(fields)


class ParquetWriter(ArrowWriter):
    """Writes everything known about sentences, in row groups."""

    @contextmanager
    def into(self, stream: Sink, *, begun: bool = False) -> Iterator[Sink]:  # noqa: ARG002
        """Open a file to which packed rows are written."""
        library()
        from pyarrow import parquet

        schema = self.schema()
        with parquet.ParquetWriter(stream, schema) as writer:
            groups = _Groups(schema, writer)
            yield groups
            groups.end()


class _Groups:
    """Packed rows, written in large groups."""

    def __init__(self, schema: Any, writer: Any) -> None:
        self._schema = schema
        self._writer = writer
        self._batches: list[Any] = []

    def write(self, packed: bytes) -> None:
        if packed:
            self._batches.append(library().ipc.read_record_batch(packed, self._schema))
            if (
                sum(batch.num_rows for batch in self._batches) >= _GROUP
                or sum(batch.nbytes for batch in self._batches) >= LARGEST
            ):
                self.end()

    def end(self) -> None:
        if self._batches:
            table = library().Table.from_batches(self._batches)
            self._writer.write_table(table, row_group_size=table.num_rows)
            self._batches = []


def _batches(file: Any, names: list[str]) -> Iterator[Any]:
    """Yield batches of rows of limited size, even if one value is repeated."""
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        largest = 1
        for k in range(group.num_columns):
            column = group.column(k)
            if column.path_in_schema.split(".")[0] not in names:
                continue
            if column.num_values > _VALUES or column.total_uncompressed_size > LARGEST:
                raise FormatError(
                    f"{column.num_values:,} values in {column.total_uncompressed_size:,} bytes of "
                    f"the column {column.path_in_schema!r}, in one group of rows: {_VALUES:,} "
                    f"values in {LARGEST:,} bytes at most"
                )
            largest = max(largest, column.total_uncompressed_size)
        # Each row of a batch may repeat what is largest in the group.
        size = max(1, min(1024, LARGEST // largest))
        yield from file.iter_batches(batch_size=size, row_groups=[number], columns=names)
