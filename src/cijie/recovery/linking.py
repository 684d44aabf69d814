"""Links between the characters of many pairs, without recovery: no segmenter is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from cijie.alignment.links import Alignment
from cijie.batching import batched
from cijie.errors import CijieError
from cijie.recovery.methods import Aligner, each_aligned
from cijie.recovery.pair import Pair

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Linked:
    """A pair and the links between its characters."""

    pair: Pair
    alignment: Alignment

    def as_record(self) -> dict[str, Any]:
        """Plain values: what `cijie align` writes to JSONL."""
        return {
            "id": self.pair.id,
            "source": self.pair.source,
            "target": self.pair.target,
            "links": self.alignment.as_tuples(),
            "source_coverage": self.alignment.source_coverage,
            "target_coverage": self.alignment.target_coverage,
            "crossings": self.alignment.crossings,
        }


def link_all(pairs: Iterable[Pair], aligner: Aligner) -> Iterator[Linked]:
    """Link pairs lazily, in their order, in memory that does not grow with their number.

    Raises:
        CijieError: a pair that cannot be aligned, with its id, when those before it are given.

    >>> from cijie.alignment.anchors import AnchorAligner
    >>> [linked] = link_all([Pair("1", "旅行困", "旅行团")], AnchorAligner())
    >>> linked.as_record()["links"]
    [(0, 0, 'anchor', None), (1, 1, 'anchor', None)]
    """
    for batch in batched(pairs, _BATCH):
        texts = [(pair.source, pair.target) for pair in batch]
        for pair, alignment in zip(batch, each_aligned(aligner.align, texts), strict=True):
            if isinstance(alignment, CijieError):
                raise alignment.at(id=pair.id)
            yield Linked(pair, alignment)
