"""Pairs in batches, each with the place where it ends and a checksum of the pairs up to there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from cijie.errors import CijieError
from cijie.recovery.pair import Pair


@dataclass(frozen=True, slots=True)
class Place:
    """How far a run has come in its input.

    Attributes:
        pairs: how many pairs lie before it.
        digest: SHA-256 over their ids and texts, in hexadecimal digits.
    """

    pairs: int = 0
    digest: str = sha256().hexdigest()


@dataclass(frozen=True, slots=True)
class Batch:
    """Some consecutive pairs.

    Attributes:
        pairs: the pairs.
        unread: what was wrong with records among them that could not be read.
        end: where in the input it ends.
    """

    pairs: tuple[Pair, ...]
    unread: tuple[CijieError, ...]
    end: Place

    def __str__(self) -> str:
        """Its first and its last id."""
        ids = [f"id {pair.id}" for pair in self.pairs]
        return f"{ids[0]} to {ids[-1]}" if ids else "no pairs"


def batches(
    pairs: Iterable[Pair],
    size: int,
    *,
    unread: list[CijieError] | None = None,
    start: Place | None = None,
) -> Iterator[Batch]:
    """Cut pairs into batches of `size`, lazily.

    Args:
        pairs: the pairs.
        size: how many are in a batch; the last one may have fewer.
        unread: where the reader of the pairs puts errors instead of raising them. They go, in their
            order, into the batch that was being read.
        start: the place to start from. The pairs before it are read, but not given.

    Raises:
        CijieError: the pairs before `start` are not those that it was made for.
    """
    start = start or Place()
    unread = [] if unread is None else unread
    digest = sha256()
    read = iter(pairs)
    count = 0

    def take(most: int) -> tuple[Pair, ...]:
        nonlocal count
        some = tuple(islice(read, most))
        for pair in some:
            # Lone surrogates cannot be written, but they can be read and quarantined.
            text = "\0".join((pair.id, pair.source, pair.target, ""))
            digest.update(text.encode("utf-8", "surrogatepass"))
        count += len(some)
        return some

    while count < start.pairs and take(min(size, start.pairs - count)):
        unread.clear()  # they were dealt with when those pairs were
    if (count, digest.hexdigest()) != (start.pairs, start.digest):
        raise CijieError(f"the first {start.pairs:,} pairs are not those that the run began with")
    while (some := take(size)) or unread:
        yield Batch(some, tuple(unread), Place(count, digest.hexdigest()))
        unread.clear()
