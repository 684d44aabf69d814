"""What is done to a batch of pairs, in whatever process: recovered, written, counted."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from heapq import nsmallest
from operator import itemgetter
from typing import Any, Literal, Protocol

from cijie.corpora.jsonl import dump_line
from cijie.errors import CijieError, SegmenterError, counted
from cijie.evaluation.coverage import Coverage
from cijie.jobs.batches import Batch
from cijie.recovery.pair import Pair
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.recovery import Recovery

OnError = Literal["fail", "quarantine"]
"""What a record that cannot be recovered does: it ends the run, or is set apart with the reason."""

Reviewed = Sequence[tuple[float, bytes]]
"""Recoveries, each with how sure it is and as bytes."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over the pairs of a run; they add up with `+`, in any grouping.

    Attributes:
        coverage: of the pairs that were recovered.
        inserted, removed: boundaries.
        changed: pairs with a change.
        quarantined: records that could not be read or recovered.
    """

    coverage: Coverage = field(default_factory=Coverage)
    inserted: int = 0
    removed: int = 0
    changed: int = 0
    quarantined: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.coverage + other.coverage,
            self.inserted + other.inserted,
            self.removed + other.removed,
            self.changed + other.changed,
            self.quarantined + other.quarantined,
        )

    @classmethod
    def of(cls, recoveries: Sequence[Recovery], quarantined: int = 0) -> Tally:
        """The counts of some recoveries."""
        changes = [change.kind for recovery in recoveries for change in recovery.changes]
        return cls(
            Coverage.total([recovery.alignment for recovery in recoveries]),
            inserted=changes.count("insert"),
            removed=changes.count("remove"),
            changed=sum(bool(recovery.changes) for recovery in recoveries),
            quarantined=quarantined,
        )

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Tally:
        """The inverse of `as_dict`.

        Raises:
            KeyError, TypeError: other values.
        """
        tally = cls(**{**values, "coverage": Coverage(**values["coverage"])})
        for name, count in {**values, **values["coverage"]}.items():
            if name != "coverage" and not isinstance(count, int):
                raise TypeError(f"{name} is not a count: {count!r}")
        return tally

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    def __str__(self) -> str:
        return (
            f"{self.coverage}\n{counted(self.inserted, 'boundaries')} inserted and "
            f"{self.removed:,} removed, in {counted(self.changed, 'pairs')}"
        )


@dataclass(frozen=True, slots=True)
class Done:
    """A batch after work.

    Attributes:
        output: the bytes to be written; empty if the least sure are looked for.
        quarantine: JSON lines about records that could not be read or recovered.
        tally: the counts.
        least: the least sure recoveries, the least sure first, each with its bytes.
    """

    output: bytes
    quarantine: bytes
    tally: Tally
    least: Reviewed


@contextmanager
def _collecting_later() -> Iterator[None]:
    """No search for reference cycles meanwhile: a batch makes many objects and hardly a cycle."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Writer(Protocol):
    """A function that gives a recovery and its id as bytes."""

    @property
    def __name__(self) -> str: ...

    def __call__(self, id: str, recovery: Recovery, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Work:
    """Recovers a batch and writes it; can be pickled, so that other processes can do it.

    Args:
        recoverer: recovers the pairs.
        write: one recovery and its id, as bytes.
        on_error: what a record that cannot be recovered does.
        review: how many of the least sure recoveries are wanted, instead of all.

    Raises (when called):
        CijieError: a pair that cannot be recovered, with its id (`on_error="fail"`).
        SegmenterError: likewise; and in any case if the segmenter cannot be loaded.
    """

    recoverer: Recoverer
    write: Writer
    on_error: OnError = "fail"
    review: int | None = None

    @property
    def signature(self) -> str:
        """Everything that the output depends on but the pairs."""
        return f"{self.recoverer.signature}|{self.write.__name__}|on-error:{self.on_error}"

    @_collecting_later()
    def __call__(self, batch: Batch) -> Done:
        recovered: list[Recovery] = []
        written: list[bytes] = []
        failed = [_failure(error) for error in batch.unread]
        for pair, recovery in self._recover(batch.pairs):
            try:
                if isinstance(recovery, Exception):
                    raise recovery
                written.append(self.write(pair.id, recovery))
                recovered.append(recovery)
            except (CijieError, SegmenterError) as error:
                if self.on_error == "fail":
                    raise
                failed.append(_failure(error, pair))
        least: Reviewed = ()
        if self.review:
            confidences = [recovery.confidence for recovery in recovered]
            least = least_sure(self.review, list(zip(confidences, written, strict=True)))
            written = []
        tally = Tally.of(recovered, len(failed))
        return Done(b"".join(written), b"".join(failed), tally, least)

    def _recover(self, pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Recovery | Exception]]:
        try:
            yield from zip(pairs, list(self.recoverer.recover_all(pairs)), strict=True)
        except (CijieError, SegmenterError):
            if self.on_error == "fail":
                raise
            # One of them is at fault, but what does not load fails for all.
            self.recoverer.load()
            for pair in pairs:
                try:
                    [recovery] = self.recoverer.recover_all([pair])
                    yield pair, recovery
                except (CijieError, SegmenterError) as error:
                    yield pair, error


def least_sure(most: int, reviewed: Reviewed) -> list[tuple[float, bytes]]:
    """The `most` least sure ones, the least sure first, those that are alike in their order."""
    return nsmallest(most, reviewed, key=itemgetter(0))


def as_jsonl(id: str, recovery: Recovery) -> bytes:
    """A recovery as a line of JSON."""
    return dump_line(recovery.as_record(id))


def as_text(id: str, recovery: Recovery) -> bytes:
    """The recovered words of a source as a line.

    Raises:
        FormatError: a lone surrogate, which UTF-8 cannot express.
    """
    try:
        return f"{recovery}\n".encode()
    except UnicodeEncodeError as error:
        raise CijieError(f"cannot be written as UTF-8: {error}", id=id) from error


def _failure(error: Exception, pair: Pair | None = None) -> bytes:
    """A line about a record that failed; with its texts it can be read as a pair again."""
    record: dict[str, Any] = {"reason": getattr(error, "message", str(error))}
    if isinstance(error, CijieError):
        places = {"id": error.id, "path": error.path, "line": error.line}
        record |= {name: place for name, place in places.items() if place is not None}
    if pair is not None:
        record |= {"id": pair.id, "source": pair.source, "target": pair.target}
    try:
        return dump_line(record)
    except CijieError:  # a lone surrogate, which only an escape can express
        return json.dumps(record).encode() + b"\n"
