"""Batches of pairs, and the work on each: recover, serialise, count."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from heapq import nsmallest
from itertools import chain, islice
from operator import itemgetter
from typing import Any

from cijie.batching import batched
from cijie.choices import REVIEWS, OnError
from cijie.corpora.base import Writer
from cijie.corpora.formats import format_named
from cijie.corpora.jsonl import dump_line
from cijie.corpora.review import Decisions, ReviewWriter, decide
from cijie.errors import CijieError, SegmenterError, UsageError, unknown
from cijie.evaluation.counts import Coverage
from cijie.jobs.journal import Extent, Tally
from cijie.jobs.outputs import Outputs
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.recovery import Recovery
from cijie.recovery.sentence import Field, Sentence, with_basis

RECOVERED: tuple[Field, ...] = (
    "words",
    "target",
    "target words",
    "initial words",
    "links",
    "changes",
)
"""The fields of every recovery, the result first."""

Reviewed = Iterable[tuple[float, Any]]
"""Recoveries, or places in them, each with how sure it is and as its format has it."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive records.

    Attributes:
        records: pairs, and the errors of unreadable records.
        end: the input up to the end of this batch, in records. Where it is measured, the digest
            is over all that is recovered from: ids, texts and the words that came with them.
        share: how much of the input that is, if it is known.
    """

    records: Sequence[Sentence | CijieError]
    end: Extent
    share: float | None = None

    @property
    def pairs(self) -> list[Sentence]:
        """The readable records."""
        return [record for record in self.records if isinstance(record, Sentence)]

    def __str__(self) -> str:
        """Return its first and last id."""
        ids = [f"id {pair.id}" for pair in self.pairs]
        return f"{ids[0]} to {ids[-1]}" if ids else "no pairs"


def batches(
    pairs: Iterable[Sentence | CijieError],
    size: int,
    *,
    start: Extent | None = None,
    share: Callable[[int], float | None] = lambda _: None,
) -> Iterator[Batch]:
    """Group records into batches of `size`, lazily.

    The records before `start` are read at once.

    Args:
        pairs: the pairs, and errors in place of unreadable ones.
        size: how many records are in a batch; the last one may have fewer.
        start: where to start. If it is None, the digests of `end` are not worked out.
        share: gives the share of the input that has been read, from the number of records.

    Raises:
        CijieError: the records before `start` differ from those of the interrupted run.
    """
    records = iter(pairs)
    digest = None if start is None else sha256()
    if start is not None and digest is not None:
        passed = 0
        for record in islice(records, start.size):
            digest.update(_content(record))
            passed += 1
        if Extent(passed, digest.hexdigest()) != start:
            raise CijieError(
                f"the first {start.size:,} records differ from those that the run began with: "
                "write to another file, or delete the journal beside the output"
            )

    def cut() -> Iterator[Batch]:
        count = 0 if start is None else start.size
        for some in batched(records, size):
            count += len(some)
            if digest is not None:
                for record in some:
                    digest.update(_content(record))
            end = Extent(count) if digest is None else Extent(count, digest.hexdigest())
            yield Batch(some, end, share(count))

    return cut()


def _content(record: Sentence | CijieError) -> bytes:
    """Return everything in a record that the output depends on; different records differ."""
    if isinstance(record, CijieError):
        content = f"{record}\0{record.record!r}"
    else:
        content = str(record.as_record())
    # Lone surrogates cannot be written, but they can be read and quarantined.
    return content.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class RecoveredBatch:
    """The result of a batch.

    Attributes:
        output: the serialised output; empty if only the least sure are written.
        quarantine: JSON lines about records that could not be read or recovered.
        tally: the counts.
        least: the least sure recoveries, the least sure first.
    """

    output: bytes
    quarantine: bytes
    tally: Tally
    least: Reviewed


@dataclass(frozen=True, slots=True)
class BatchRecoverer:
    """Recovers and serialises a batch; can be pickled, for other processes.

    Args:
        recoverer: recovers the pairs.
        format: the name of the format that recoveries are written in.
        on_error: what a record does that cannot be read or recovered: it ends the run (`"raise"`),
            or goes to the quarantine with the reason (`"keep"`).
        review: how many of the least sure recoveries to write, instead of all; in a table, of the
            least sure places.
        decisions: what a person decided, which is applied.
        chosen: the fields to write, instead of all, with those that they are about.

    Attributes:
        fields: the fields of the records that are written.
        writer: what writes them.

    Raises:
        MissingExtraError: a library is missing that the format needs.

    Raises (when called):
        CijieError: a pair that cannot be recovered, with its id (`on_error="raise"`).
        SegmenterError: likewise; and in any case if the segmenter cannot be loaded.
    """

    recoverer: Recoverer
    format: str = "jsonl"
    on_error: OnError = "raise"
    review: int | None = None
    decisions: Decisions = ()
    chosen: Sequence[Field] = ()
    fields: list[Field] = field(init=False, repr=False, compare=False)
    writer: Writer = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sure: tuple[Field, ...] = ("confidences", "doubts")
        fields = [*RECOVERED, *(sure if self.recoverer.has_confidences else ())]
        for name in self.chosen:
            if name not in fields:
                raise UsageError(unknown("field", name, fields))
        object.__setattr__(self, "fields", with_basis(self.chosen) if self.chosen else fields)
        # Once: what a writer loads for a batch, it has for the next one.
        writer = format_named(self.format).writer(self.fields)
        if self.review and self.format in REVIEWS:
            writer = ReviewWriter(self.format)
        object.__setattr__(self, "writer", writer)

    @property
    def signature(self) -> str:
        """Everything that the output depends on, except the pairs."""
        fields = f"|fields:{','.join(self.fields)}" if self.chosen else ""
        return f"{self.recoverer.signature}|to:{self.format}|on-error:{self.on_error}{fields}"

    def __call__(self, batch: Batch) -> RecoveredBatch:
        recovered: list[Recovery] = []
        rows: list[Any] = []
        failed: list[bytes] = []
        found = self.recoverer.recover_all(batch.pairs, on_error=self.on_error)
        recoveries = iter([self._decided(each) for each in found])
        for record in batch.records:
            try:
                outcome = record if isinstance(record, CijieError) else next(recoveries)
                if isinstance(outcome, Exception):
                    raise outcome
                if isinstance(self.writer, ReviewWriter):
                    rows.append(self.writer.rows(outcome))
                else:
                    kept = outcome.only(self.fields) if self.chosen else outcome
                    rows.append(self.writer.row(kept))
                recovered.append(outcome)
            except (CijieError, SegmenterError) as error:
                if self.on_error == "raise":
                    raise
                failed.append(_failure(error, record))
        least: Reviewed = ()
        if self.review:
            least = zip((recovery.confidence for recovery in recovered), rows, strict=True)
            if isinstance(self.writer, ReviewWriter):
                least = chain.from_iterable(rows)
            least = least_sure(self.review, least)
            rows = []
        tally = tally_of(recovered, len(failed))
        return RecoveredBatch(self.writer.pack(rows), b"".join(failed), tally, least)

    def _decided(self, outcome: Recovery | Exception) -> Recovery | Exception:
        if self.decisions and isinstance(outcome, Recovery):
            return decide(outcome, [x[outcome.id] for x in self.decisions if outcome.id in x])
        return outcome


def write(
    work: BatchRecoverer,
    worked: Iterable[tuple[Batch, RecoveredBatch]],
    outputs: Outputs,
    report: Callable[[int, float | None], object] = lambda *_: None,
) -> int:
    """Write the results of batches; return how many were written for review.

    Args:
        work: how they were processed.
        worked: the batches, each with what became of it.
        outputs: where it goes.
        report: called with the number of records that are done, and their share of the input,
            after each batch.
    """
    reviewed: list[tuple[float, Any]] = []
    try:
        with outputs.into(work.writer) as sink:
            for batch, done in worked:
                sink.write(done.output)
                if work.review:
                    reviewed = least_sure(work.review, [*reviewed, *done.least])
                outputs.add(batch.end, done.tally, done.quarantine)
                report(batch.end.size, batch.share)
            if work.review:
                sink.write(work.writer.pack([row for _, row in reviewed]))
    except BaseException:
        with suppress(Exception):  # of a last word about how far it came
            report(outputs.journal.input.size, None)
        raise
    return len(reviewed)


def least_sure(most: int, reviewed: Reviewed) -> list[tuple[float, Any]]:
    """Return the `most` least sure results, the least sure first; ties keep their order."""
    return nsmallest(most, reviewed, key=itemgetter(0))


def tally_of(recoveries: Sequence[Recovery], quarantined: int = 0) -> Tally:
    """Count some recoveries."""
    changes = [change.kind for recovery in recoveries for change in recovery.changes]
    return Tally(
        Coverage.of(*[recovery.alignment for recovery in recoveries]),
        inserted=changes.count("insert"),
        removed=changes.count("remove"),
        changed=sum(bool(recovery.changes) for recovery in recoveries),
        quarantined=quarantined,
    )


def _failure(error: Exception, record: Sentence | CijieError) -> bytes:
    """Format a failed record as a line: the reason, and everything in it.

    A pair has its texts, so that the line can be read as a pair again; of what could not be read
    `record` is the line, or `record_base64` its bytes if they are not UTF-8.
    """
    line: dict[str, Any] = {"reason": getattr(error, "message", str(error))}
    if isinstance(error, CijieError):
        places = {"id": error.id, "path": error.path, "line": error.line}
        line |= {name: place for name, place in places.items() if place is not None}
    if isinstance(record, Sentence):
        line |= record.as_record()
    elif isinstance(record.record, str):
        line["record"] = record.record
    elif record.record is not None:
        line["record_base64"] = b64encode(record.record).decode()
    try:
        return dump_line(line)
    except CijieError:  # a lone surrogate, which only an escape can express
        return json.dumps(line).encode() + b"\n"
