"""Batches of pairs, the work on each (recover, serialise, count), and its output."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from heapq import nsmallest
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from cijie.batching import batched
from cijie.choices import REVIEWS, OnError
from cijie.corpora.formats import Format, Writer
from cijie.corpora.jsonl import dump_line
from cijie.corpora.review import Decisions, ReviewWriter, decide
from cijie.errors import CijieError, SegmenterError, UsageError, counted, unknown
from cijie.evaluation.counts import Coverage, Sums
from cijie.files.opening import StrPath, is_url
from cijie.files.output import behind_links, open_output
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Field, Recovery, Sentence, with_basis
from cijie.segmenters.base import RecordError

if TYPE_CHECKING:
    from hashlib import _Hash

    from cijie.corpora.reading import Sentences

QUARANTINE = ".quarantine.jsonl"
"""The extension of the quarantine file; its name begins with that of the output.
There is such a file only if there are such records."""

JOURNAL = ".journal.json"
"""The extension of a journal; its name begins with that of the output."""

Names = tuple[str, str, str, str]
"""The names of the files of a run: output, quarantine, journal, and what is kept until it is
complete."""

RECOVERED: tuple[Field, ...] = (
    "words",
    "target",
    "target words",
    "initial words",
    "links",
    "changes",
)
"""The fields of every recovery, the result first."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The beginning of an input or output: its length, in pairs or bytes, and its SHA-256."""

    size: int = 0
    sha256: str = sha256().hexdigest()


@dataclass(frozen=True, slots=True)
class Tally(Sums):
    """Counts over the pairs of a run; `+` adds them, in any grouping.

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

    @property
    def records(self) -> int:
        """The number of records, failed ones included."""
        return self.coverage.pairs + self.quarantined

    def __str__(self) -> str:
        return (
            f"{self.coverage}\n{counted(self.inserted, 'boundaries')} inserted and "
            f"{self.removed:,} removed, in {counted(self.changed, 'pairs')}"
        )


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive records.

    Attributes:
        records: pairs, and the errors of unreadable records.
        end: the input up to the end of this batch, in records. Where it is measured, the digest
            is over all that is recovered from: ids, texts and the words that came with them.
        share: how much of the input that is, from 0 to 1, if it is known.
    """

    records: Sequence[Sentence | CijieError]
    end: Extent
    share: float | None = None

    def __str__(self) -> str:
        """Return its first and last id."""
        ids = [f"id {record.id}" for record in self.records if isinstance(record, Sentence)]
        return f"{ids[0]} to {ids[-1]}" if ids else "no pairs"


def passed(records: Iterator[Sentence | CijieError], start: Extent) -> _Hash:
    """Read the records that an interrupted run has done; return their SHA-256, to go on with.

    Raises:
        CijieError: they differ from those of the interrupted run.
    """
    size, digest = 0, sha256()
    for record in islice(records, start.size):
        size += 1
        digest.update(_content(record))
    if Extent(size, digest.hexdigest()) != start:
        raise CijieError(
            f"the first {start.size:,} records differ from those that the run began with: "
            "write to another file, or delete what it has kept, OUTPUT.part"
        )
    return digest


def batches(
    records: Iterable[Sentence | CijieError],
    size: int,
    *,
    before: int = 0,
    digest: _Hash | None = None,
    source: Sentences | None = None,
) -> Iterator[Batch]:
    """Group records into batches of `size`, lazily.

    Args:
        records: pairs, and errors in place of unreadable ones.
        size: how many records are in a batch; the last one may have fewer.
        before: how many records were read before.
        digest: the SHA-256 of these, which is updated. If it is None, the digests of `end` are not
            worked out.
        source: where they are read, if that says how much of it they are.
    """
    for some in batched(records, size):
        before += len(some)
        end = Extent(before)
        if digest is not None:
            for record in some:
                digest.update(_content(record))
            end = Extent(before, digest.hexdigest())
        yield Batch(some, end, source.share if source else None)


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
        end: the end of the batch.
        output: the serialised output; empty if there is a review instead.
        quarantine: JSON lines about records that could not be read or recovered.
        tally: the counts.
        least: the rows of a review, each with how sure recovery is; the least sure first.
    """

    end: Extent
    output: bytes
    quarantine: bytes
    tally: Tally
    least: Sequence[tuple[float, Any]] = ()


@dataclass(frozen=True, slots=True)
class BatchRecoverer:
    """Recovers and serialises a batch; can be pickled, for other processes.

    Args:
        recoverer: recovers the pairs.
        format: what recoveries are written in.
        on_error: what a record does that cannot be read or recovered: it ends the run (`"raise"`),
            or goes to the quarantine with the reason (`"keep"`).
        review: how many of the places that recovery is least sure of to write to a table, instead
            of recoveries.
        decisions: what a person decided, which is applied.
        chosen: the fields to write, instead of all, with those that they are about.

    Attributes:
        fields: the fields of the records that are written.
        writer: what writes them.

    Raises:
        UsageError: fields that there are not, or that the format cannot do with.
        MissingExtraError: a library is missing that the format needs.

    Raises (when called):
        CijieError: a pair that cannot be recovered, with its id (`on_error="raise"`).
        SegmenterError: likewise; and in any case if the segmenter cannot be loaded.
    """

    recoverer: Recoverer
    format: Format
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
        self.format.check_results(self.fields)
        if self.review and self.format.name not in REVIEWS:
            raise UsageError(f"a review is a table, not {self.format}: write it to .csv or .tsv")
        # Once: what a writer loads for a batch, it has for the next one.
        writer = self.format.writer(self.fields)
        if self.review:
            writer = ReviewWriter(self.format.name)
        object.__setattr__(self, "writer", writer)

    @property
    def signature(self) -> str:
        """Everything that the output depends on, except the pairs."""
        fields = f"|fields:{','.join(self.fields)}" if self.chosen else ""
        return f"{self.recoverer.signature}|to:{self.format}|on-error:{self.on_error}{fields}"

    def __call__(self, batch: Batch) -> RecoveredBatch:
        recovered: list[Recovery] = []
        rows: list[Any] = []
        least: list[tuple[float, Any]] = []
        failed: list[bytes] = []
        outcomes = self.recoverer.recover_all(batch.records, on_error=self.on_error)
        if self.decisions:
            outcomes = map(self._decided, outcomes)
        for record, outcome in zip(batch.records, outcomes, strict=True):
            try:
                if isinstance(outcome, Exception):
                    raise outcome
                if isinstance(self.writer, ReviewWriter):
                    least += self.writer.rows(outcome)
                else:
                    kept = outcome.only(self.fields) if self.chosen else outcome
                    rows.append(self.writer.row(kept))
                recovered.append(outcome)
            except (CijieError, SegmenterError) as error:
                if self.on_error == "raise":
                    raise
                failed.append(_failure(error, record))
        changes = [change.kind for recovery in recovered for change in recovery.changes]
        tally = Tally(
            Coverage.of(*[recovery.alignment for recovery in recovered]),
            inserted=changes.count("insert"),
            removed=changes.count("remove"),
            changed=sum(bool(recovery.changes) for recovery in recovered),
            quarantined=len(failed),
        )
        least = nsmallest(self.review or 0, least, key=itemgetter(0))  # ties keep their order
        return RecoveredBatch(batch.end, self.writer.pack(rows), b"".join(failed), tally, least)

    def _decided(self, outcome: Recovery | RecordError) -> Recovery | RecordError:
        if isinstance(outcome, Recovery):
            return decide(outcome, [x[outcome.id] for x in self.decisions if outcome.id in x])
        return outcome


def names_for(output: StrPath) -> Names:
    """Return the names of the files of a run.

    Symbolic links are resolved, so that they stay links.
    """
    name = os.fspath(output)
    name = name if is_url(name) else str(behind_links(name))
    return name, name + QUARANTINE, name + JOURNAL, f"{name}.part"


def write(
    work: BatchRecoverer,
    worked: Iterable[RecoveredBatch],
    output: str,
    apart: str | None,
    run: str = "",
) -> tuple[Tally, int]:
    """Write the results of batches, to files that appear under their names when all is written.

    Args:
        work: how the batches were processed.
        worked: what became of them.
        output: the file, or its URL.
        apart: the file of the quarantine, or its URL; None if no record goes there.
        run: the name of the run, for temporary files.

    Returns:
        The counts, and how many were written for review.
    """
    tally = Tally()
    reviewed: list[tuple[float, Any]] = []
    with ExitStack() as stack:
        if apart is not None:
            quarantine = stack.enter_context(open_output(apart, empty=False, run=run))
        stream = stack.enter_context(open_output(output, run=run))
        sink = stack.enter_context(work.writer.into(stream))
        for done in worked:
            sink.write(done.output)
            if done.quarantine:
                quarantine.write(done.quarantine)
            if work.review:
                least = [*reviewed, *done.least]
                reviewed = nsmallest(work.review, least, key=itemgetter(0))
            tally += done.tally
        if work.review:
            sink.write(work.writer.pack([row for _, row in reviewed]))
    return tally, len(reviewed)


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
