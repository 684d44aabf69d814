"""Arrow: record batches in a file (IPC), as `datasets` and pandas read and write them.

The columns are the keys of JSON lines; what differs is that a link is a structure of its four
values. Parquet has the same ones.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain, pairwise
from typing import IO, Any

from cijie import extras
from cijie.corpora.reading import Reading, Unit
from cijie.corpora.records import WORDS, Part, Record
from cijie.corpora.writing import Sink, check_parts
from cijie.errors import FormatError
from cijie.files.opening import open_source
from cijie.text.segmentation import Segmentation

LARGEST = 256 << 20
"""So many bytes at most are taken from a file at once."""

_ROWS = 256  # that become Python values at once
_TEXTS = ("id", "source", "target", "references", "reference", "reference_spans", "status")
_RESULTS = ("words", "spans", "links", "changes", "confidences", "doubts")


def units(reading: Reading) -> Iterator[Unit]:
    """The rows of an Arrow file or stream.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: it is not an Arrow file, or has too much at once.
    """
    pa = library()
    with being("an Arrow"), open_source(reading.source) as stream, seekable(stream) as source:
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        schema = (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source).schema
        source.seek(0)
        names = needed_columns(schema.names, reading)
        options = pa.ipc.IpcReadOptions(included_fields=[schema.get_field_index(x) for x in names])
        if is_file:
            reader = pa.ipc.open_file(source, options=options)
            batches = (reader.get_batch(k) for k in range(reader.num_record_batches))
        else:
            batches = iter(pa.ipc.open_stream(source, options=options))
        yield from rows(map(_checked, batches))


def record(content: dict[str, Any], id: str, reading: Reading) -> Record:
    """The record of a row; the id is the row's number if it is missing."""
    return reading.record_of(content, id)


def writer(_: str, parts: frozenset[Part]) -> ArrowWriter:
    """What writes records with these parts."""
    return ArrowWriter(parts)


class ArrowWriter:
    """Writes all that a record has, in as many columns as the records have parts.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """

    def __init__(self, parts: frozenset[Part]) -> None:
        library()
        self.parts = parts

    def row(self, record: Record) -> Record:
        """One record as it is packed."""
        check_parts(record, self.parts)
        texts = (record.id, record.source, record.target or "", *(record.references or ()))
        try:
            "".join(texts).encode()
        except UnicodeEncodeError as error:
            raise FormatError(f"cannot be written as UTF-8: {error}", id=record.id) from error
        return record

    def pack(self, rows: Sequence[Record]) -> bytes:
        """Some rows as a message of Arrow."""
        if not rows:
            return b""
        columns = [make(rows) for make in _columns(self.parts).values()]
        batch = library().RecordBatch.from_arrays(columns, schema=self.schema())
        packed: bytes = batch.serialize().to_pybytes()
        return packed

    @contextmanager
    def into(self, stream: Sink, *, begun: bool = False) -> Iterator[Sink]:  # noqa: ARG002
        """A file, where packed rows go."""
        schema = self.schema()
        with library().ipc.new_file(stream, schema) as writer:
            yield _Batches(schema, writer.write_batch)

    def schema(self) -> Any:
        """The columns."""
        pa = library()
        columns = _columns(self.parts)
        return pa.schema([(name, make([]).type) for name, make in columns.items()])


class _Batches:
    """Packed rows, as batches."""

    def __init__(self, schema: Any, write: Callable[[Any], object]) -> None:
        self._schema = schema
        self._write = write

    def write(self, packed: bytes) -> None:
        if packed:
            self._write(library().ipc.read_record_batch(packed, self._schema))


def library() -> Any:
    """pyarrow.

    Raises:
        MissingExtraError: it is not installed.
    """
    extras.library("pyarrow.ipc", "arrow")
    return extras.library("pyarrow", "arrow")


@contextmanager
def being(what: str) -> Iterator[None]:
    """Where a file is read that may not be `what` it should be, "an Arrow" or "a Parquet".

    Raises:
        FormatError: it is not.
    """
    pa = library()
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, OSError, OverflowError, MemoryError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # the system's, about the file as a whole
        raise FormatError(f"not {what} file: {error}") from error


@contextmanager
def seekable(stream: IO[bytes]) -> Iterator[Any]:
    """A stream as pyarrow reads it; what is no file is read as a whole, if it is not too large.

    Raises:
        FormatError: it is.
    """
    pa = library()
    if isinstance(stream, io.BufferedReader) and stream.seekable():
        with pa.PythonFile(stream, "r") as source:
            yield source
        return
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise FormatError(
            f"more than {LARGEST:,} bytes in a stream; write them to a file, which is read in parts"
        )
    with pa.BufferReader(content) as source:
        yield source


def needed_columns(names: Sequence[str], reading: Reading) -> list[str]:
    """Which columns of a file are read: others may be of any type.

    Raises:
        FormatError: a column that is wanted is not there.
    """
    ours = {
        *_TEXTS,
        *WORDS["given"],
        *WORDS["target"],
        *(() if reading.wanted == "pairs" else _RESULTS),
    }
    for name in {"source": "source", **reading.columns}.values():
        if names.count(name) != 1:
            raise FormatError(f"{names.count(name)} columns are called {name!r}: {list(names)!r}")
    wanted = {*(ours - reading.columns.keys()), *reading.columns.values()}
    return [name for name in names if name in wanted and names.count(name) == 1]


def rows(batches: Iterable[Any]) -> Iterator[Unit]:
    """The rows of Arrow batches as plain values.

    Raises:
        FormatError: a row of more than `LARGEST` bytes.
    """
    number = 0
    for batch in batches:
        size = max(1, min(_ROWS, _ROWS * (LARGEST >> 6) // max(1, batch.nbytes)))
        for start in range(0, batch.num_rows, size):
            some = batch.slice(start, size)
            if some.nbytes > LARGEST:
                raise FormatError(f"rows of more than {LARGEST:,} bytes", line=number + 1)
            names = some.schema.names
            columns = [plain_values(column) for column in some.columns]
            for values in zip(*columns, strict=True):
                number += 1
                yield number, number, dict(zip(names, values, strict=True))


def plain_values(array: Any) -> list[Any]:
    """The values of an Arrow array as Python's, None where there is none.

    `to_pylist` of pyarrow does the same, one value at a time.
    """
    pa = library()
    kind = array.type
    if pa.types.is_dictionary(kind):
        return plain_values(array.dictionary_decode())
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        offsets = array.offsets.to_pylist()
        values = plain_values(array.values.slice(offsets[0], offsets[-1] - offsets[0]))
        first = offsets[0]
        lists: list[Any] = [values[start - first : end - first] for start, end in pairwise(offsets)]
        return _with_nulls(array, lists)
    if pa.types.is_struct(kind):
        names = [field.name for field in kind]
        columns = [plain_values(array.field(k)) for k in range(len(names))]
        structs: list[Any] = [
            dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)
        ]
        return _with_nulls(array, structs)
    if array.null_count == 0 and (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        numbers: list[Any] = array.to_numpy().tolist()
        return numbers
    plain: list[Any] = array.to_pylist()
    return plain


def _with_nulls(array: Any, values: list[Any]) -> list[Any]:
    if array.null_count:
        for k, valid in enumerate(array.is_valid().to_pylist()):
            if not valid:
                values[k] = None
    return values


def _checked(batch: Any) -> Any:
    # Its offsets are read from the file, and used as they are.
    batch.validate(full=True)
    return batch


Column = Callable[[Sequence[Record]], Any]


def _columns(parts: frozenset[Part]) -> dict[str, Column]:
    """The columns of records with these parts, each with what makes it."""
    pa = library()
    text, whole, real = pa.string(), pa.int32(), pa.float64()
    span = pa.list_(whole)
    by_part: dict[Part | None, dict[str, Column]] = {
        None: {"id": _values("id", text), "source": _values("source", text)},
        "target": {"target": _values("target", text)},
        "words": {
            "words": lambda records: _lists(
                [None if (s := r.segmentation) is None else s.tokens for r in records],
                lambda words: pa.array(words, text),
            ),
            "spans": _spans("segmentation"),
        },
        "initial words": {"initial_spans": _spans("initial")},
        "target words": {"target_spans": _spans("target_segmentation")},
        "links": {"links": _links},
        "changes": {
            "changes": lambda records: _lists(
                [r.changes for r in records],
                lambda changes: _structs(
                    at=pa.array([x.at for x in changes], whole),
                    kind=pa.array([x.kind for x in changes], text),
                    by=pa.array([x.by for x in changes], span),
                ),
            )
        },
        "confidences": {
            "confidences": lambda records: _lists(
                [r.confidences for r in records], lambda values: pa.array(values, real)
            )
        },
        "doubts": {
            "doubts": lambda records: _lists(
                [r.doubts for r in records],
                lambda doubts: _structs(
                    at=pa.array([x.at for x in doubts], whole),
                    boundary=pa.array([x.boundary for x in doubts], pa.bool_()),
                    confidence=pa.array([x.confidence for x in doubts], real),
                    by=pa.array([x.by for x in doubts], span),
                ),
            )
        },
        "references": {
            "references": _values("references", pa.list_(text)),
            "reference": _values("reference", whole),
            "reference_spans": lambda records: _lists(
                [r.reference_segmentations for r in records], _span_lists
            ),
        },
        "status": {"status": _values("status", text)},
    }
    return {
        name: make
        for part, columns in by_part.items()
        for name, make in columns.items()
        if part is None or part in parts
    }


def _values(attribute: str, kind: Any) -> Column:
    def column(records: Sequence[Record]) -> Any:
        return library().array([getattr(record, attribute) for record in records], kind)

    return column


def _spans(attribute: str) -> Column:
    return lambda records: _span_lists([getattr(record, attribute) for record in records])


def _span_lists(segmentations: Sequence[Segmentation | None]) -> Any:
    pa = library()

    def spans(found: list[tuple[int, int]]) -> Any:
        ends = pa.array(range(0, 2 * len(found) + 1, 2), pa.int32())
        return pa.ListArray.from_arrays(ends, pa.array(chain.from_iterable(found), pa.int32()))

    return _lists([None if s is None else s.spans for s in segmentations], spans)


def _links(records: Sequence[Record]) -> Any:
    pa = library()

    def structs(links: list[tuple[int, int, str, float | None]]) -> Any:
        sources, targets, kinds, scores = zip(*links, strict=True) if links else ((),) * 4
        return _structs(
            source=pa.array(sources, pa.int32()),
            target=pa.array(targets, pa.int32()),
            kind=pa.array(kinds, pa.string()),
            score=pa.array(scores, pa.float64()),
        )

    links = [None if (a := r.alignment) is None else a.as_tuples() for r in records]
    return _lists(links, structs)


def _lists(lists: Sequence[Sequence[Any] | None], values: Callable[[list[Any]], Any]) -> Any:
    """Lists as an array, of which `values` makes an array of all that is in them."""
    pa = library()
    flat = list(chain.from_iterable(some for some in lists if some is not None))
    ends = [0, *accumulate(0 if some is None else len(some) for some in lists)]
    # A list that is not there is one that begins nowhere.
    begins = [None if some is None else end for some, end in zip(lists, ends, strict=False)]
    offsets = pa.array([*begins, ends[-1]], pa.int32())
    return pa.ListArray.from_arrays(offsets, values(flat))


def _structs(**columns: Any) -> Any:
    return library().StructArray.from_arrays(list(columns.values()), list(columns))
