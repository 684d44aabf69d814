"""Arrow: record batches in a file (IPC), as `datasets` and pandas read and write them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from cijie import extras
from cijie.batching import batched
from cijie.corpora.records import Record
from cijie.errors import CijieError, FormatError
from cijie.files.lines import StrPath
from cijie.recovery.recovery import as_row

_BATCH = 1024


def read_records(path: StrPath) -> Iterator[Record]:
    """Read the rows of an Arrow file or stream; see `records`.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: not an Arrow file, a row that is not a record.
    """
    pa = library()
    with reading(path, "an Arrow"), opened(path) as source:
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        if is_file:
            reader = pa.ipc.open_file(source)
            batches = (reader.get_batch(k) for k in range(reader.num_record_batches))
        else:
            batches = pa.ipc.open_stream(source)
        yield from records(map(_checked, batches), path)


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write records as an Arrow file; nothing is lost.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    with library().ipc.new_file(stream, schema()) as writer:
        for batch in batches(records):
            writer.write_batch(batch)


def opened(path: StrPath) -> Any:
    """A file for pyarrow to read; `-` is standard input, which it needs as a whole.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """
    pa = library()
    if os.fspath(path) == "-":
        return pa.BufferReader(sys.stdin.buffer.read())
    return pa.OSFile(os.fspath(path), "rb")


def library() -> Any:
    """pyarrow.

    Raises:
        MissingExtraError: it is not installed.
    """
    extras.library("pyarrow.ipc", "arrow")
    return extras.library("pyarrow", "arrow")


@contextmanager
def reading(path: StrPath, what: str) -> Iterator[None]:
    """Where a file is read that may not be `what` it should be, "an Arrow" or "a Parquet".

    Raises:
        FormatError: it is not.
    """
    pa = library()
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # the system's, about the file as a whole
        raise FormatError(f"not {what} file: {error}", path=path) from error


def schema() -> Any:
    """The columns of a record: as in JSONL, but a link is a structure of its four values."""
    pa = library()
    span = pa.list_(pa.int32())
    link = {"source": pa.int32(), "target": pa.int32(), "kind": pa.string(), "score": pa.float64()}
    change = {"at": pa.int32(), "kind": pa.string(), "by": span}
    doubt = {"at": pa.int32(), "boundary": pa.bool_(), "confidence": pa.float64(), "by": span}
    return pa.schema(
        {
            "id": pa.string(),
            "source": pa.string(),
            "target": pa.string(),
            "words": pa.list_(pa.string()),
            "spans": pa.list_(span),
            "initial_spans": pa.list_(span),
            "target_spans": pa.list_(span),
            "links": pa.list_(pa.struct(link)),
            "changes": pa.list_(pa.struct(change)),
            "confidences": pa.list_(pa.float64()),
            "doubts": pa.list_(pa.struct(doubt)),
        }
    )


def records(batches: Iterable[Any], path: StrPath) -> Iterator[Record]:
    """The rows of Arrow batches; `id` is the row's number if it is missing."""
    row = 0
    for batch in batches:
        for values in batch.to_pylist():
            row += 1
            try:
                yield Record.from_dict(values, str(row))
            except CijieError as error:
                raise type(error)(f"row {row}: {error.message}", path=path, id=error.id) from error


def _checked(batch: Any) -> Any:
    # Its offsets are read from the file, and used as they are.
    batch.validate(full=True)
    return batch


def batches(records: Iterable[Record]) -> Iterator[Any]:
    """Arrow batches of records."""
    pa = library()
    for some in batched((as_row(record.as_dict()) for record in records), _BATCH):
        yield pa.RecordBatch.from_pylist(some, schema=schema())
