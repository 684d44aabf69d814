"""Links between the characters of many pairs, without recovery: no segmenter is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cijie.batching import batched
from cijie.errors import CijieError
from cijie.recovery.methods import Aligner, each_aligned
from cijie.recovery.sentence import Sentence

_BATCH = 256


def link_all(pairs: Iterable[Sentence], aligner: Aligner) -> Iterator[Sentence]:
    """Link pairs lazily, in their order, in memory that does not grow with their number.

    Yields:
        Each source with its target and the links between their characters.

    Raises:
        CijieError: a pair that cannot be aligned, with its id, when those before it are given.

    >>> from cijie.alignment.anchors import AnchorAligner
    >>> [linked] = link_all([Sentence("1", "旅行困", "旅行团")], AnchorAligner())
    >>> linked.as_record()["links"]
    [(0, 0, 'anchor', None), (1, 1, 'anchor', None)]
    """
    for batch in batched(pairs, _BATCH):
        texts = [(pair.source, pair.target or "") for pair in batch]
        for pair, alignment in zip(batch, each_aligned(aligner.align, texts), strict=True):
            if isinstance(alignment, CijieError):
                raise alignment.at(id=pair.id)
            yield Sentence(pair.id, pair.source, (pair.target or "",), alignment=alignment)


def link_record(linked: Sentence) -> dict[str, Any]:
    """A linked pair as plain values, with its coverage: what `cijie align` writes to JSONL."""
    alignment = linked.alignment
    assert alignment is not None
    return linked.as_record() | {
        "source_coverage": alignment.source_coverage,
        "target_coverage": alignment.target_coverage,
        "crossings": alignment.crossings,
    }
