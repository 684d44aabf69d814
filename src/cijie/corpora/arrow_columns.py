"""Sentences as columns of Arrow, for Arrow and Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from cijie import extras
from cijie.recovery.sentence import Part, Sentence


def library() -> Any:
    """pyarrow.

    Raises:
        MissingExtraError: it is not installed.
    """
    extras.library("pyarrow.ipc", "arrow")
    return extras.library("pyarrow", "arrow")


def schema_of(parts: frozenset[Part]) -> Any:
    """The columns of sentences of which these parts are known: the keys of their records."""
    pa = library()
    text, whole, real = pa.string(), pa.int32(), pa.float64()
    span = pa.list_(whole)
    spans = pa.list_(span)
    change = pa.struct([("at", whole), ("kind", text), ("by", span)])
    doubt = pa.struct([("at", whole), ("boundary", pa.bool_()), ("confidence", real), ("by", span)])
    link = pa.struct([("source", whole), ("target", whole), ("kind", text), ("score", real)])
    by_part: Mapping[Part | None, Mapping[str, Any]] = {
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
    }
    columns = (its for part, its in by_part.items() if part is None or part in parts)
    return pa.schema([column for its in columns for column in its.items()])


def batch_of(sentences: Sequence[Sentence], schema: Any) -> Any:
    """The record batch of sentences, with what is not known as null."""
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
    """Links, of which there are many, as an array; each is a tuple of the structure's values."""
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
