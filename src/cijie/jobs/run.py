"""A run over many pairs, from file to file, as `cijie recover` and `recover_file` do it."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cijie.choices import Method, OnError
from cijie.corpora.formats import Format, format_named, format_to_write, formats
from cijie.corpora.reading import ReadOptions, Sentences
from cijie.corpora.reading import read as read_sentences
from cijie.corpora.review import (
    Decision,
    ReviewWriter,
    about_known,
    by_place,
    read_decisions,
)
from cijie.errors import CijieError, UsageError, check_choice, located
from cijie.files.opening import StrPath, is_many, is_url
from cijie.jobs.batches import BatchRecoverer, batches, write
from cijie.jobs.executors import in_order
from cijie.jobs.journal import Tally
from cijie.jobs.outputs import at_once, is_regular, made_for, resumable
from cijie.jobs.parts import PartRecoverer, alone_in, parts, signature_of, unfinished
from cijie.recovery.methods import Aligner, MethodOptions, RecoveryMethod, WordAligner
from cijie.recovery.options import check_options
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Field, Sentence
from cijie.segmenters import Segmenter

if TYPE_CHECKING:
    from typing_extensions import Unpack

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    Attributes:
        records: how many records are done; of many parts, those of the parts that are done.
        before: how many of them a run before this one had done.
        share: how much of the input they are, from 0 to 1, if it is known.
        parts: how many parts are done, and how many there are, if there are many.
        waiting: whether the Dask scheduler has no worker yet.
    """

    records: int
    before: int = 0
    share: float | None = None
    parts: tuple[int, int] | None = None
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class RunReport:
    """The result of a run.

    Attributes:
        tally: the counts, including those of the runs that this one resumed.
        skipped: counts of records that are not pairs, by reason.
        signature: everything about the recovery that the results depend on.
        format: the format of the output.
        held: what the recoveries had; the format may have no place for some of it.
        before: how many records runs before this one had done.
        reviewed: how many pairs were written for review, or in a table, how many places.
        decisions: a row for each place of the reviews that were applied.
    """

    tally: Tally
    skipped: Mapping[str, int]
    signature: str
    format: Format
    held: list[Field]
    before: int = 0
    reviewed: int = 0
    decisions: Sequence[Decision] = ()


Reporter = Callable[[Progress], None]


def recover_file(
    input: StrPath | tuple[StrPath, StrPath] | Sentences,
    output: StrPath,
    *,
    method: Method | RecoveryMethod | Aligner | WordAligner = "p3",
    segmenter: str | Segmenter | Callable[[str], Iterable[str]] | None = None,
    segmenter_options: Mapping[str, Any] | None = None,
    user_words: Iterable[str] = (),
    read: ReadOptions | None = None,
    format: str | None = None,
    fields: Sequence[Field] = (),
    on_error: OnError = "raise",
    review: int | None = None,
    decisions: Iterable[StrPath] = (),
    limit: int | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    executor: Executor | None = None,
    resume: bool = False,
    batch_size: int = 256,
    progress: Reporter | None = None,
    **method_options: Unpack[MethodOptions],
) -> RunReport:
    r"""Recover the pairs in a file and write the results, as `cijie recover` does.

    Args:
        input: the file of pairs; `-` is standard input. A pattern such as `in/*.jsonl` or
            `s3://bucket/*.parquet` stands for many parts; finished parts are not done
            again. Two files of lines have the sources and the targets. Or what
            `cijie.corpora.reading.read` gives.
        output: the file to write; `-` is standard output. Of many parts it is a folder.
        method: the method, as `Recoverer` takes it, with its options in `method_options`.
        segmenter: the segmenter, as `Recoverer` takes it.
        segmenter_options: options of a segmenter given by name.
        user_words: words that the segmenter keeps whole.
        read: reading options; by default they follow from name and content of the input.
        format: the name of a format that has a place for words. By default what the name of the
            output says, else `"jsonl"`.
        fields: the fields to write besides ids and sources, such as `["words", "changes"]`, with
            those that they are about; by default all.
        on_error: how to handle a bad record: `"raise"` ends the run,
            `"keep"` writes it with the reason to `OUTPUT.quarantine.jsonl`.
        review: write only so many of the pairs that p3 is least sure of, the least sure first; to
            CSV or TSV, so many of the places, one a row, for a person to decide.
        decisions: files of such rows with what a person decided, which is applied.
        limit: read only so many pairs.
        workers: how many processes of this machine share the work.
        scheduler: the address of a Dask scheduler, whose workers share the work instead.
        executor: any executor of `concurrent.futures` that does the work instead. It stays open.
        resume: keep the results when the run is stopped; the same call resumes it.
        batch_size: how many pairs are worked on at once. Results do not depend on it.
        progress: called in this thread when something more is done.

    Returns:
        The counts, and what else there is to say about the run.

    Raises:
        TypeError: an option that there is not.
        UsageError: settings that do not go together; nothing has been read or written then.
        CijieError: a record that cannot be read or recovered, with its place; another run that
            writes the output; an output that another run has begun.
        WorkerError: a process that did a part of the work died; the pairs are named.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     pairs, out = Path(folder, "pairs.tsv"), Path(folder, "out.txt")
    ...     _ = pairs.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    ...     report = recover_file(pairs, out, segmenter=list, method="p1")
    ...     out.read_text(encoding="utf-8"), report.tally.coverage.pairs
    ('旅 行 困\n', 1)
    """
    check_options(method_options, recover_file)
    check_choice("on_error", on_error, OnError)
    source = input if isinstance(input, Sentences) else read_sentences(input, "pairs", read)
    if source.options.on_error != on_error:
        source = replace(source, options=replace(source.options, on_error=on_error))
    many = is_many(str(source))
    recoverer = Recoverer(
        segmenter,
        method,
        segmenter_options=segmenter_options,
        user_words=user_words,
        batch_size=batch_size,
        **method_options,
    )
    written = format_to_write("-" if many else os.fspath(output), "jsonl", format)
    run = _Run(
        BatchRecoverer(
            recoverer, written.name, on_error, review, tuple(map(read_decisions, decisions)), fields
        ),
        source,
        os.fspath(output),
        limit,
        resume=resume,
        by={"workers": workers, "scheduler": scheduler, "executor": executor},
        report=progress or (lambda _: None),
    )
    run.check(many=many)
    return run.many() if many else run.one()


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of `recover_file`.

    Args:
        work: processes a batch.
        source: where the pairs are read.
        output: where the results go.
        limit: how many pairs are read.
        resume: whether an interrupted run is kept.
        by: who does it, as `in_order` takes it.
        report: receives the progress of the run.
    """

    work: BatchRecoverer
    source: Sentences
    output: str
    limit: int | None
    resume: bool = field(kw_only=True)
    by: Mapping[str, Any] = field(kw_only=True)
    report: Reporter = field(kw_only=True)

    @property
    def format(self) -> Format:
        """The format of the output."""
        return format_named(self.work.format)

    def check(self, *, many: bool) -> None:
        """Reject incompatible settings, before anything is read or written."""
        counts = {"workers": self.by["workers"], "limit": self.limit, "review": self.work.review}
        for name, count in counts.items():
            if count is not None and not (isinstance(count, Integral) and int(count) > 0):
                raise UsageError(f"{name} must be a whole number, at least 1, not {count!r}")
        others = [name for name in ("scheduler", "executor") if self.by[name] is not None]
        if len(others) + (self.by["workers"] > 1) > 1:
            raise UsageError("give only one of workers, scheduler and executor")
        is_reviewed = bool(self.work.review or self.work.decisions)
        if is_reviewed and not self.work.recoverer.has_confidences:
            raise UsageError("a review requires the method p3")
        if self.work.review and "confidences" not in self.format.holds:
            raise UsageError(
                f"{self.format} cannot hold confidences: write the review to .csv or .tsv"
            )
        if self.work.chosen and isinstance(self.work.writer, ReviewWriter):
            raise UsageError("a review in a table has columns of its own: no fields are chosen")
        self.format.check_results(self.work.fields)
        if many:
            self._check_many()
            return
        self._check_one()
        if self.resume and is_reviewed:
            raise UsageError("a review cannot be resumed")
        if self.limit and self.work.decisions:
            raise UsageError("decisions are about all pairs: leave out the limit")

    def _check_many(self) -> None:
        path = Path(self.output)
        endings = {end for format in formats().values() for end in format.endings}
        if self.output == "-" or path.is_file() or (path.suffix in endings and not path.is_dir()):
            raise UsageError(f"many parts require a folder to write to, got {self.output}")
        if len(self.source.paths) > 1:
            raise UsageError("many parts are files of pairs, not of sources and of targets")
        if self.work.review or self.work.decisions or self.limit or self.resume:
            raise UsageError(
                "review, decisions, limit and resume cannot be used with many parts, each of which "
                "is written as a whole; a later run skips those that are done"
            )

    def _check_one(self) -> None:
        regular = is_regular(self.output)
        if self.resume and (is_url(self.output) or not regular):
            raise UsageError(f"resume requires a file to write to, got {self.output}")
        if not regular:
            if self.work.on_error == "keep":
                raise UsageError(
                    f"keeping bad records requires a file to write to, got {self.output}"
                )
            return
        for path in made_for(self.output):
            for given in map(str, self.source.paths):
                with suppress(OSError):  # it does not exist, or no longer
                    if path.samefile(given):
                        raise UsageError(f"{given} is an input; write to another file")

    def one(self) -> RunReport:
        """Recover one file."""
        work = self.work

        def share(count: int) -> float | None:
            return self.source.reached.share if self.limit is None else count / self.limit

        if self.resume:
            joins = None if self.format.streams else work.writer
            files = resumable(self.output, work.signature, joins)
        else:
            files = at_once(self.output)
        with files as outputs:
            before = outputs.journal.input

            def report(records: int, share: float | None = None) -> None:
                self.report(Progress(records, before.size, share))

            start = before if self.resume else None
            pairs: Iterator[Sentence | CijieError] = islice(self.source, self.limit)
            if work.decisions:
                pairs = about_known(pairs, work.decisions)
            # Nothing is said to go on before it is known that it is not another input.
            with located(path=str(self.source)):
                left = batches(pairs, work.recoverer.batch_size, start=start, share=share)
            if outputs.journal.complete and next(left, None) is not None:
                raise CijieError(
                    f"has more records than the {before.size:,} that {self.output} was made of; "
                    "write to another file",
                    path=str(self.source),
                )
            report(before.size)
            count = 0
            if not outputs.journal.complete:
                with closing(self._done(work, left, Progress(before.size, before.size))) as worked:
                    count = write(work, worked, outputs, report)
            tally = outputs.journal.tally
        return self._reported(tally, self.source.skipped, before.size, count)

    def many(self) -> RunReport:
        """Recover the unfinished parts."""
        found = parts(str(self.source), self.output, self.format)
        with alone_in(self.output) as run:
            left, tally = unfinished(found, signature_of(self.work, self.source.options))
            before = tally.records
            now = Progress(before, before, parts=(len(found) - len(left), len(found)))
            self.report(now)
            work = PartRecoverer(self.work, self.source, run)
            with closing(self._done(work, left, now)) as worked:
                for done, (_, journal) in enumerate(worked, start=len(found) - len(left) + 1):
                    tally += journal.tally
                    self.report(
                        Progress(tally.records, before, done / len(found), (done, len(found)))
                    )
        return self._reported(tally, {}, before)

    def _done(
        self, work: Callable[[Item], Result], items: Iterable[Item], now: Progress
    ) -> Generator[tuple[Item, Result], None, None]:
        waiting = partial(self.report, replace(now, waiting=True))
        return in_order(work, items, waiting=waiting, **self.by)

    def _reported(
        self, tally: Tally, skipped: Mapping[str, int], before: int, reviewed: int = 0
    ) -> RunReport:
        work = self.work
        signature = work.recoverer.signature
        rows = by_place(work.decisions)
        if made := sorted((row.id, row.place, row.decided) for row in rows if row.decided):
            signature += f"|decisions:{sha256(repr(made).encode()).hexdigest()[:8]}"
        made_by = signature, self.format, work.fields
        return RunReport(tally, skipped, *made_by, before, reviewed, rows)
