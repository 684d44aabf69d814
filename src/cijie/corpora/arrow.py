"""Arrow: record batches in a file (IPC), as `datasets` and pandas read and write them.

The columns are the keys of JSON lines; what differs is that a link is a structure of its four
values. Parquet has the same ones.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain
from typing import IO, Any

from cijie import extras
from cijie.bounds import check_ratio
from cijie.corpora.arrow_sizes import unpacked_size
from cijie.corpora.base import Found, InputFile, Sink, Units, as_utf8, check_fields
from cijie.errors import FormatError, located
from cijie.files.opening import open_source
from cijie.recovery.records import WORDS
from cijie.recovery.sentence import Field, Sentence

LARGEST = 256 << 20
"""So many bytes at most are taken from a file at once."""

_ROWS = 256  # that become Python values at once
_TEXTS = ("id", "source", "target", "references", "reference", "reference_spans", "status", "label")
_RESULTS = ("links", "changes", "confidences", "doubts")


def read(file: InputFile) -> Iterator[Found]:
    """Read the rows of an Arrow file or stream; the id is the row's number if it is missing.

    Raises:
        MissingExtraError: pyarrow is not installed.
        FormatError: it is not an Arrow file, or has too much at once.
    """
    return sentences(_units(file), file)


def sentences(units: Units, file: InputFile) -> Iterator[Found]:
    """Build sentences from rows of plain values."""
    return file.each(units, lambda content, id, file: file.sentence(content, id))


def _units(file: InputFile) -> Units:
    pa = library()
    with reading("an Arrow"), open_source(file.source) as stream, seekable(stream) as source:
        check_ratio(source.size(), unpacked_size(source))
        source.seek(0)
        is_file = source.read(6) == b"ARROW1"
        source.seek(0)
        schema = (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source).schema
        source.seek(0)
        names = needed_columns(schema.names, file)
        options = pa.ipc.IpcReadOptions(included_fields=[schema.get_field_index(x) for x in names])
        if is_file:
            reader = pa.ipc.open_file(source, options=options)
            batches = (reader.get_batch(k) for k in range(reader.num_record_batches))
        else:
            batches = iter(pa.ipc.open_stream(source, options=options))
        yield from rows(map(_checked, batches), source.size())


def writer(_: str, fields: frozenset[Field]) -> ArrowWriter:
    """Return the writer of records with these fields."""
    return ArrowWriter(fields)


class ArrowWriter:
    """Writes everything known about sentences, in one or more columns per field.

    Raises:
        MissingExtraError: pyarrow is not installed.
    """

    def __init__(self, fields: frozenset[Field]) -> None:
        library()
        self.fields = fields

    def row(self, sentence: Sentence) -> Sentence:
        """Serialise one sentence."""
        check_fields(sentence, self.fields)
        with located(id=sentence.id):
            as_utf8("".join((sentence.id, sentence.source, *sentence.targets)))
        return sentence

    def pack(self, rows: Sequence[Sentence]) -> bytes:
        """Join rows into one message of Arrow."""
        if not rows:
            return b""
        packed: bytes = batch_of(rows, self.schema()).serialize().to_pybytes()
        return packed

    @contextmanager
    def into(self, stream: Sink, *, begun: bool = False) -> Iterator[Sink]:  # noqa: ARG002
        """Open a file to which packed rows are written."""
        schema = self.schema()
        with library().ipc.new_file(stream, schema) as writer:
            yield _Batches(schema, writer.write_batch)

    def schema(self) -> Any:
        """The columns."""
        return schema_of(self.fields)


class _Batches:
    """Packed rows, written as batches."""

    def __init__(self, schema: Any, write: Callable[[Any], object]) -> None:
        self._schema = schema
        self._write = write

    def write(self, packed: bytes) -> None:
        if packed:
            self._write(library().ipc.read_record_batch(packed, self._schema))


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn errors of pyarrow into errors about a file that should be `what`, "an Arrow" or "a
    Parquet".

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
    """Open a stream for pyarrow; input other than a file is read whole, up to a limit.

    Raises:
        FormatError: the input exceeds the limit.
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


def needed_columns(names: Sequence[str], file: InputFile) -> list[str]:
    """Return the columns of a file that are read; others may be of any type.

    Raises:
        FormatError: a column that is needed is not there.
    """
    ours = {
        *_TEXTS,
        *(name for names in WORDS.values() for name in names),
        *(_RESULTS if file.purpose == "sentences" else ()),
    }
    for field, name in {"source": "source", **file.options.columns}.items():
        if names.count(name) > 1:
            raise FormatError(f"duplicate column {name!r}: {list(names)!r}")
        if name not in names:
            message = f"no column {name!r}: {list(names)!r}; name it with --columns {field}=COLUMN"
            raise FormatError(message)
    needed = {*(ours - file.options.columns.keys()), *file.options.columns.values()}
    return [name for name in names if name in needed and names.count(name) == 1]


def rows(batches: Iterable[Any], packed: int) -> Units:
    """Yield the rows of Arrow batches as plain values.

    Args:
        batches: the batches.
        packed: the bytes of the file that they come from.

    Raises:
        FormatError: a row of more than `LARGEST` bytes; or rows of far more than the file has.
    """
    number = total = 0
    for batch in batches:
        # Each row of a batch may repeat all of a dictionary.
        repeated = sum(x.dictionary.nbytes for x in batch.columns if hasattr(x, "dictionary"))
        share = max(1, batch.nbytes // _ROWS, repeated)
        size = max(1, min(_ROWS, (LARGEST >> 6) // share))
        for start in range(0, batch.num_rows, size):
            some = _plain(batch.slice(start, size))
            if some.nbytes > LARGEST:
                raise FormatError(f"a row has more than {LARGEST:,} bytes", line=number + 1)
            total += some.nbytes
            check_ratio(packed, total)
            for values in some.to_pylist():
                number += 1
                yield number, number, values


def _plain(batch: Any) -> Any:
    """Decode dictionary-encoded values."""
    columns = [x.dictionary_decode() if hasattr(x, "dictionary") else x for x in batch.columns]
    return library().RecordBatch.from_arrays(columns, names=batch.schema.names)


def _checked(batch: Any) -> Any:
    # Its offsets are read from the file, and used as they are.
    batch.validate(full=True)
    return batch


def library() -> Any:
    """Import pyarrow.

    Raises:
        MissingExtraError: it is not installed.
    """
    extras.library("pyarrow.ipc", "arrow")
    return extras.library("pyarrow", "arrow")


def schema_of(fields: frozenset[Field]) -> Any:
    """Return the columns of sentences with these fields: the keys of their records."""
    pa = library()
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


def batch_of(sentences: Sequence[Sentence], schema: Any) -> Any:
    """Build the record batch of sentences; unknown values are null."""
    records = [sentence.as_record() for sentence in sentences]
    columns = []
    for field in schema:
        values = [record.get(field.name) for record in records]
        is_links = field.name == "links"
        columns.append(
            _links(values, field.type) if is_links else library().array(values, field.type)
        )
    return library().RecordBatch.from_arrays(columns, schema=schema)


def _links(lists: Sequence[Sequence[tuple[Any, ...]] | None], kind: Any) -> Any:
    """Build the array of links from tuples of the structure's values: there are many of them."""
    pa = library()
    flat = list(chain.from_iterable(links or () for links in lists))
    fields = list(kind.value_type)
    columns = zip(*flat, strict=True) if flat else [()] * len(fields)
    values = pa.StructArray.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, fields, strict=True)],
        fields=fields,
    )
    ends = [0, *accumulate(len(links or ()) for links in lists)]
    # A list that is not there is one that begins nowhere.
    begins = [None if links is None else end for links, end in zip(lists, ends, strict=False)]
    return pa.ListArray.from_arrays(pa.array([*begins, ends[-1]], pa.int32()), values)
