"""Parquet, as `datasets` and pandas read and write it.

The columns are the keys of JSON lines; what differs is that a link is a structure of its four
values.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, get_args

from cijie import bounds, extras
from cijie.bounds import check_ratio
from cijie.corpora.formats import Sink, as_utf8, check_fields
from cijie.errors import FormatError, located
from cijie.files.opening import open_source
from cijie.recovery.records import WORDS
from cijie.recovery.sentence import Field, Sentence

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences, Units

_ROWS = 256  # that become Python values at once
_GROUP = 8192  # rows that are written at once
_VALUES = 1 << 27  # in a column of a group of rows
_RESULTS = {"links", "changes", "confidences", "doubts"}


def units(file: Sentences) -> Units:
    """Yield the rows of a Parquet file; columns unknown to cijie are not read.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: it is not a Parquet file, or has too much at once.
    """
    parquet = _library("pyarrow.parquet")
    with _reading(), open_source(file.source) as stream, _seekable(stream) as source:
        table = parquet.ParquetFile(source)
        names = _needed_columns(table.schema_arrow.names, file)
        yield from _rows(_batches(table, names), source.size())


def sentence(content: dict[str, Any], id: str, file: Sentences) -> Sentence:
    """Make a sentence of a row."""
    return file.record(content, id)


def writer(_: str, fields: frozenset[Field]) -> ParquetWriter:
    """Return the writer of records with these fields."""
    return ParquetWriter(fields)


class ParquetWriter:
    """Writes everything known about sentences, in one or more columns per field, in row groups.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """

    def __init__(self, fields: frozenset[Field]) -> None:
        _library()
        self._fields = fields

    def row(self, sentence: Sentence) -> Sentence:
        """Serialise one sentence."""
        check_fields(sentence, self._fields)
        with located(id=sentence.id):
            as_utf8("".join((sentence.id, sentence.source, *sentence.targets)))
        return sentence

    def pack(self, rows: Sequence[Sentence]) -> bytes:
        """Join rows into one message of Arrow."""
        if not rows:
            return b""
        records, schema = [row.as_record() for row in rows], _schema_of(self._fields)
        batch = _library().RecordBatch.from_pylist(records, schema)
        packed: bytes = batch.serialize().to_pybytes()
        return packed

    @contextmanager
    def into(self, stream: Sink) -> Iterator[Sink]:
        """Open a file to which packed rows are written."""
        schema = _schema_of(self._fields)
        with _library("pyarrow.parquet").ParquetWriter(stream, schema) as writer:
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
            self._batches.append(_library("pyarrow.ipc").read_record_batch(packed, self._schema))
            if (
                sum(batch.num_rows for batch in self._batches) >= _GROUP
                or sum(batch.nbytes for batch in self._batches) >= bounds.LARGEST
            ):
                self.end()

    def end(self) -> None:
        if self._batches:
            table = _library().Table.from_batches(self._batches)
            self._writer.write_table(table, row_group_size=table.num_rows)
            self._batches = []


@contextmanager
def _reading() -> Iterator[None]:
    """Turn errors of pyarrow into errors about a file that should be Parquet.

    Raises:
        FormatError: it is not.
    """
    pa = _library()
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, OSError, OverflowError, MemoryError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # the system's, about the file as a whole
        raise FormatError(f"not a Parquet file: {error}") from error


def _seekable(stream: IO[bytes]) -> Any:
    """Open a stream for pyarrow; input other than a file is read whole, up to a limit.

    Raises:
        FormatError: the input exceeds the limit.
    """
    if isinstance(stream, io.BufferedReader) and stream.seekable():
        return _library().PythonFile(stream, "r")
    hint = " in a stream; write them to a file, which is read in parts"
    return _library().BufferReader(bounds.whole(stream, hint))


def _needed_columns(names: Sequence[str], file: Sentences) -> list[str]:
    """Return the columns of a file that are read; others may be of any type.

    Raises:
        FormatError: a column that is needed is not there.
    """
    ours = {*_schema_of(frozenset(get_args(Field))).names, *chain.from_iterable(WORDS.values())}
    if file.purpose != "sentences":
        ours -= _RESULTS
    for field, name in {"source": "source", **file.options.columns}.items():
        if names.count(name) > 1:
            raise FormatError(f"duplicate column {name!r}: {list(names)!r}")
        if name not in names:
            message = f"no column {name!r}: {list(names)!r}; name it with --columns {field}=COLUMN"
            raise FormatError(message)
    needed = {*(ours - file.options.columns.keys()), *file.options.columns.values()}
    return [name for name in names if name in needed and names.count(name) == 1]


def _batches(file: Any, names: list[str]) -> Iterator[Any]:
    """Yield batches of rows of limited size, even if one value is repeated."""
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        largest = 1
        for k in range(group.num_columns):
            column = group.column(k)
            if column.path_in_schema.split(".")[0] not in names:
                continue
            if column.num_values > _VALUES or column.total_uncompressed_size > bounds.LARGEST:
                raise FormatError(
                    f"{column.num_values:,} values in {column.total_uncompressed_size:,} bytes of "
                    f"the column {column.path_in_schema!r}, in one group of rows: {_VALUES:,} "
                    f"values in {bounds.LARGEST:,} bytes at most"
                )
            largest = max(largest, column.total_uncompressed_size)
        # Each row of a batch may repeat what is largest in the group.
        size = max(1, min(1024, bounds.LARGEST // largest))
        yield from file.iter_batches(batch_size=size, row_groups=[number], columns=names)


def _rows(batches: Iterable[Any], packed: int) -> Units:
    """Yield the rows of Arrow batches as plain values.

    Args:
        batches: the batches.
        packed: the bytes of the file that they come from.

    Raises:
        FormatError: a row of more than `LARGEST` bytes, or rows of far more than the file has.
    """
    number = total = 0
    for batch in batches:
        # Each row of a batch may repeat all of a dictionary.
        repeated = sum(x.dictionary.nbytes for x in batch.columns if hasattr(x, "dictionary"))
        share = max(1, batch.nbytes // _ROWS, repeated)
        size = max(1, min(_ROWS, (bounds.LARGEST >> 6) // share))
        for start in range(0, batch.num_rows, size):
            some = _plain(batch.slice(start, size))
            if some.nbytes > bounds.LARGEST:
                raise FormatError(f"a row has more than {bounds.LARGEST:,} bytes", line=number + 1)
            total += some.nbytes
            check_ratio(packed, total)
            for values in some.to_pylist():
                number += 1
                yield number, number, values


def _plain(batch: Any) -> Any:
    """Decode dictionary-encoded values."""
    columns = [x.dictionary_decode() if hasattr(x, "dictionary") else x for x in batch.columns]
    return _library().RecordBatch.from_arrays(columns, names=batch.schema.names)


def _library(module: str = "pyarrow") -> Any:
    """Import pyarrow, or a module of it.

    Raises:
        MissingExtraError: it is not installed.
    """
    return extras.library(module, "arrow")


def _schema_of(fields: frozenset[Field]) -> Any:
    """Return the columns of sentences with these fields: the keys of their records."""
    pa = _library()
    text, whole, real = pa.string(), pa.int32(), pa.float64()
    span = pa.list_(whole)
    spans = pa.list_(span)
    change = pa.struct([("at", whole), ("kind", text), ("by", span)])
    doubt = pa.struct([("at", whole), ("boundary", pa.bool_()), ("confidence", real), ("by", span)])
    link = pa.struct([("source", whole), ("target", whole), ("kind", text), ("score", real)])
    by_field: Mapping[Field | None, Mapping[str, Any]] = {
        None: {"id": text, "source": text},
        "target": {"target": text},
        "words": {"words": pa.list_(text), "spans": spans},
        "initial words": {"initial_spans": spans},
        "target words": {"target_spans": spans},
        "links": {"links": pa.list_(link)},
        "changes": {"changes": pa.list_(change)},
        "confidences": {"confidences": pa.list_(real)},
        "doubts": {"doubts": pa.list_(doubt)},
        "references": {
            "references": pa.list_(text),
            "reference": whole,
            "reference_spans": pa.list_(spans),
        },
        "status": {"status": text},
        "label": {"label": text},
    }
    columns = (its for field, its in by_field.items() if field is None or field in fields)
    return pa.schema([column for its in columns for column in its.items()])
