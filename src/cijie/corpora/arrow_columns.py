"""Records as columns of Arrow, for Arrow and Parquet."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from itertools import accumulate, chain
from operator import itemgetter
from typing import Any

import numpy as np

from cijie import extras
from cijie.recovery.sentence import Part, Sentence
from cijie.text.segmentation import Segmentation

Column = Callable[[Sequence[Sentence]], Any]


def library() -> Any:
    """pyarrow.

    Raises:
        MissingExtraError: it is not installed.
    """
    extras.library("pyarrow.ipc", "arrow")
    return extras.library("pyarrow", "arrow")


def columns_of(parts: frozenset[Part]) -> dict[str, Column]:
    """The columns of records with these parts, each with what makes it."""
    pa = library()
    text, whole, real = pa.string(), pa.int32(), pa.float64()
    span = pa.list_(whole)
    by_part: dict[Part | None, dict[str, Column]] = {
        None: {"id": _values("id", text), "source": _values("source", text)},
        "target": {"target": _values("target", text)},
        "words": {
            "words": lambda records: _words([record.segmentation for record in records]),
            "spans": _spans("segmentation"),
        },
        "initial words": {"initial_spans": _spans("initial")},
        "target words": {"target_spans": _spans("target_segmentation")},
        "links": {"links": _links},
        "changes": {
            "changes": lambda records: _flat_lists(
                [r.changes for r in records],
                lambda changes: _structs(
                    at=pa.array([x.at for x in changes], whole),
                    kind=pa.array([x.kind for x in changes], text),
                    by=pa.array([x.by for x in changes], span),
                ),
            )
        },
        "confidences": {
            "confidences": lambda records: _flat_lists(
                [r.confidences or None for r in records], lambda values: pa.array(values, real)
            )
        },
        "doubts": {
            "doubts": lambda records: _flat_lists(
                [r.doubts if r.confidences or r.doubts else None for r in records],
                lambda doubts: _structs(
                    at=pa.array([x.at for x in doubts], whole),
                    boundary=pa.array([x.boundary for x in doubts], pa.bool_()),
                    confidence=pa.array([x.confidence for x in doubts], real),
                    by=pa.array([x.by for x in doubts], span),
                ),
            )
        },
        "references": {
            "references": lambda records: pa.array(
                [list(r.targets) if len(r.targets) > 1 else None for r in records], pa.list_(text)
            ),
            "reference": _values("reference", whole),
            "reference_spans": lambda records: _flat_lists(
                [_reference_segmentations(record) for record in records], _span_lists
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


def _reference_segmentations(sentence: Sentence) -> Sequence[Segmentation | None] | None:
    """The words of several references, None if those of one are not known."""
    cut = sentence.target_segmentations
    return cut if len(cut) > 1 and None not in cut else None


def _values(attribute: str, kind: Any) -> Column:
    def column(records: Sequence[Sentence]) -> Any:
        return library().array([getattr(record, attribute) for record in records], kind)

    return column


def _words(segmentations: Sequence[Segmentation | None]) -> Any:
    pa = library()
    texts: list[str] = []
    ends: list[int] = []
    begin = 0
    for each in segmentations:
        if each is not None:
            text, cuts = each.text, each.boundaries
            if not each.is_plain:
                tokens = each.tokens
                text, cuts = "".join(tokens), tuple(accumulate(map(len, tokens)))
            texts.append(text)
            ends += [begin + end for end in cuts]
            begin += len(text)
    # The words lie one behind the other, as in the buffer of an array; its offsets are in bytes.
    text = "".join(texts)
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    sizes = 1 + (codes > 0x7F) + (codes > 0x7FF) + (codes > 0xFFFF)
    offsets = pa.array(np.concatenate([[0], np.cumsum(sizes)])[[0, *ends]]).cast(pa.int32())
    words = pa.StringArray.from_buffers(
        len(ends), offsets.buffers()[1], pa.py_buffer(text.encode())
    )
    return _lists(segmentations, words)


def _spans(attribute: str) -> Column:
    return lambda records: _span_lists([getattr(record, attribute) for record in records])


def _span_lists(segmentations: Sequence[Segmentation | None]) -> Any:
    pa = library()
    known = [each for each in segmentations if each is not None and each.boundaries]
    ends = np.fromiter(chain.from_iterable(each.boundaries for each in known), np.int32)
    begins = [0, *accumulate(len(each.boundaries) for each in known)]
    starts = np.roll(ends, 1)
    starts[begins[:-1]] = 0
    for each, at in zip(known, begins, strict=False):
        if not each.is_plain:
            starts[at : at + len(each)] = [start for start, _ in each.spans]
    both = pa.array(np.column_stack([starts, ends]).ravel())
    places = np.arange(0, len(both) + 1, 2, dtype=np.int32)
    spans = pa.ListArray.from_arrays(pa.array(places), both)
    return _lists(segmentations, spans)


def _links(records: Sequence[Sentence]) -> Any:
    pa = library()
    alignments = [record.alignment for record in records]
    # A residual link is a block of one, which has a score.
    blocks: list[tuple[int, int, int, int, float | None]] = []
    for k, each in enumerate(alignments):
        if each is not None:
            blocks += [(k, *block, None) for block in each.anchors]
            blocks += [(k, link.source, link.target, 1, link.score) for link in each.residuals]
    blocks.sort(key=itemgetter(0, 1))
    table = np.array(blocks, np.float64).reshape(-1, 5)
    sizes = table[:, 3].astype(np.int32)
    within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    _, sources, targets, _, scores = np.repeat(table, sizes, axis=0).T
    is_anchor = np.isnan(scores)
    links = _structs(
        source=pa.array((sources + within).astype(np.int32)),
        target=pa.array((targets + within).astype(np.int32)),
        kind=pa.array(["residual", "anchor"]).take(pa.array(is_anchor.astype(np.int8))),
        score=pa.array(np.nan_to_num(scores), mask=is_anchor),
    )
    return _lists(alignments, links)


def _flat_lists(lists: Sequence[Sequence[Any] | None], values: Callable[[list[Any]], Any]) -> Any:
    """Lists as an array; `values` makes an array of all that is in them."""
    flat = list(chain.from_iterable(some for some in lists if some is not None))
    return _lists(lists, values(flat))


def _lists(lists: Sequence[Sized | None], values: Any) -> Any:
    """Lists as an array, None where there is none; `values` is an array of all that is in them."""
    pa = library()
    ends = [0, *accumulate(0 if some is None else len(some) for some in lists)]
    # A list that is not there is one that begins nowhere.
    begins = [None if some is None else end for some, end in zip(lists, ends, strict=False)]
    offsets = pa.array([*begins, ends[-1]], pa.int32())
    return pa.ListArray.from_arrays(offsets, values)


def _structs(**columns: Any) -> Any:
    return library().StructArray.from_arrays(list(columns.values()), list(columns))
