"""Records in batches, each with the extent of the input up to where it ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256

from cijie.batching import batched
from cijie.errors import CijieError
from cijie.jobs.journal import Extent
from cijie.recovery.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Batch:
    """Some consecutive records.

    Attributes:
        records: pairs, and what was wrong with records that could not be read.
        end: how much of the input lies before its end, in records; the digest is over all that is
            recovered from: ids, texts and the words that came with them.
    """

    records: tuple[Sentence | CijieError, ...]
    end: Extent

    @property
    def pairs(self) -> list[Sentence]:
        """The records that could be read."""
        return [record for record in self.records if isinstance(record, Sentence)]

    def __str__(self) -> str:
        """Its first and its last id."""
        ids = [f"id {pair.id}" for pair in self.pairs]
        return f"{ids[0]} to {ids[-1]}" if ids else "no pairs"


def batches(
    pairs: Iterable[Sentence | CijieError],
    size: int,
    *,
    start: Extent | None = None,
) -> Iterator[Batch]:
    """Cut records into batches of `size`, lazily.

    Args:
        pairs: the pairs, and errors in the place of those that could not be read.
        size: how many records are in a batch; the last one may have fewer.
        start: where to start. The records before it are read, but not given.

    Raises:
        CijieError: the records before `start` are not those that it was made for.
    """
    start = start or Extent()
    digest = sha256()
    count = 0
    records = iter(pairs)
    while count < start.size and (passed := next(records, None)) is not None:
        digest.update(_content(passed))
        count += 1
    if Extent(count, digest.hexdigest()) != start:
        raise CijieError(
            f"the first {start.size:,} records are not those that the run began with: write to "
            "another file, or delete the journal beside the output"
        )
    for some in batched(records, size):
        for record in some:
            digest.update(_content(record))
        count += len(some)
        yield Batch(tuple(some), Extent(count, digest.hexdigest()))


def _content(record: Sentence | CijieError) -> bytes:
    """All of a record that the output depends on; different records differ."""
    if isinstance(record, CijieError):
        content = f"{record}\0{record.record!r}"
    else:
        id, source, target = record.id, record.source, record.target or ""
        content = f"{len(id)} {len(source)} {len(target)} {id}{source}{target}"
        for side, words in (("source", record.given), ("target", record.target_segmentation)):
            if words is not None:
                content += f" {side} {words.boundaries}"
    # Lone surrogates cannot be written, but they can be read and quarantined.
    return content.encode("utf-8", "surrogatepass")
