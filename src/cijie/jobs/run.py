"""A run over many pairs, from file to file: all that `cijie recover` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from itertools import islice
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from cijie.choices import Method, OnError, unknown
from cijie.corpora.base import Pieces, Writer
from cijie.corpora.detection import format_to_write
from cijie.corpora.formats import Format, format_named
from cijie.corpora.reading import ReadOptions, Sentences
from cijie.corpora.reading import read as read_sentences
from cijie.errors import CijieError, UsageError
from cijie.files.compression import is_compressed
from cijie.files.lines import StrPath
from cijie.files.urls import is_many
from cijie.jobs.batches import Batch, batches
from cijie.jobs.outputs import Outputs, at_once, is_regular, made_for, resumable
from cijie.jobs.pool import in_order
from cijie.jobs.recovering import (
    RECOVERED,
    BatchRecoverer,
    RecoveredBatch,
    collecting_rarely,
    least_sure,
)
from cijie.jobs.tally import Tally
from cijie.recovery.methods import Aligner, MethodOptions, RecoveryMethod, WordAligner
from cijie.recovery.options import check_options
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Part as KnownPart
from cijie.segmenters import Segmenter

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from cijie.jobs.parts import Part

Engine = Literal["local", "dask"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Attributes:
        records: how many records are done.
        before: how many of them a run before this one had done.
        parts: how many parts are done, and how many there are (`engine="dask"` alone).
        waiting: whether there is no Dask worker.
    """

    records: int
    before: int = 0
    parts: tuple[int, int] | None = None
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class RunReport:
    """What became of a run.

    Attributes:
        tally: the counts, those of runs that this one went on with included.
        skipped: what was no pair, by reason.
        signature: everything about the recovery that the results depend on.
        before: how many records runs before this one had done.
    """

    tally: Tally
    skipped: Mapping[str, int]
    signature: str
    before: int = 0


Reporter = Callable[[Progress], None]


def recover_file(
    input: StrPath,
    output: StrPath,
    *,
    method: Method | RecoveryMethod | Aligner | WordAligner = "p3",
    segmenter: str | Segmenter | Callable[[str], Iterable[str]] | None = None,
    segmenter_options: Mapping[str, Any] | None = None,
    user_words: Iterable[str] = (),
    targets: StrPath | None = None,
    read: ReadOptions | None = None,
    format: str | None = None,
    on_error: OnError = "raise",
    review: int | None = None,
    limit: int | None = None,
    workers: int = 1,
    resume: bool = False,
    engine: Engine = "local",
    scheduler: str | None = None,
    batch_size: int = 256,
    progress: Reporter | None = None,
    **method_options: Unpack[MethodOptions],
) -> RunReport:
    r"""Recover the pairs of a file and write what becomes of them: what `cijie recover` does.

    Args:
        input: the file of pairs; `-` is standard input. With `engine="dask"` a pattern or URL.
        output: the file to write; `-` is standard output. With `engine="dask"` a folder.
        method: the method, as `Recoverer` takes it, with its options in `method_options`.
        segmenter: the segmenter, as `Recoverer` takes it.
        segmenter_options: options of a segmenter given by name.
        user_words: words that the segmenter keeps whole.
        targets: a second file of lines; `input` has the sources then.
        read: what is said about `input`; by default its name and content say what it is.
        format: the name of a format that has a place for words. By default what the name of
            the output says, else `"jsonl"`.
        on_error: what a record does that cannot be read or recovered: `"raise"` ends the run,
            `"keep"` writes it with the reason to `OUTPUT.quarantine.jsonl`.
        review: write only so many of the pairs that p3 is least sure of, the least sure first.
        limit: read only so many pairs.
        workers: how many processes share the work.
        resume: keep what is done when the run is stopped; the same call goes on there.
        engine: `"local"`, or `"dask"` for many parts.
        scheduler: the address of a Dask scheduler that runs already.
        batch_size: how many pairs are worked on at once. Results do not depend on it.
        progress: called in this thread when something more is done.

    Raises:
        TypeError: an option that there is not.
        UsageError: settings that do not go together.
        CijieError: a record that cannot be read or recovered, with its place; another run that
            writes the output; an output that another run has begun.

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
    recoverer = Recoverer(
        segmenter,
        method,
        segmenter_options=segmenter_options,
        user_words=user_words,
        batch_size=batch_size,
        **method_options,
    )
    run = RecoveryRun(
        recoverer,
        read_sentences(
            input if targets is None else (input, targets),
            "pairs",
            replace(read or ReadOptions(), on_error=on_error),
        ),
        os.fspath(output),
        target_format=format,
        review=review,
        limit=limit,
        workers=workers,
        resume=resume,
        engine=engine,
        scheduler=scheduler,
    )
    return run(progress)


@dataclass(frozen=True, slots=True)
class RecoveryRun:
    """A run over a file of pairs, or over many parts; it is made first, and called to run.

    Args: those of `recover_file`.

    Raises:
        TypeError: a count that is no whole number.
        UsageError: settings that do not go together.
    """

    recoverer: Recoverer
    input: Sentences
    output: str
    target_format: str | None = None
    review: int | None = None
    limit: int | None = None
    workers: int = 1
    resume: bool = False
    engine: Engine = "local"
    scheduler: str | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("engine", self.engine, get_args(Engine)),
            ("on_error", self.input.options.on_error, get_args(OnError)),
        ):
            if value not in known:
                raise UsageError(unknown(name, value, known))
        for name in ("workers", "limit", "review"):
            count = getattr(self, name)
            if not isinstance(count, Integral | None):
                raise TypeError(f"{name} must be a whole number, not {count!r}")
            if count is not None and count < 1:
                raise UsageError(f"{name} must be at least 1, not {count}")
        if self.review and not self.recoverer.has_confidences:
            raise UsageError("a review goes with the method p3")
        if self.review and self.resume:
            raise UsageError("a review cannot be resumed")
        self._check_format()
        if self.engine == "dask":
            self._check_parts()
        else:
            self._check_file()

    def __call__(self, progress: Reporter | None = None) -> RunReport:
        """Run.

        Raises:
            CijieError, SegmenterError, WorkerError: see `recover_file`.
        """
        report = progress or _say_nothing
        return self._parts(report) if self.engine == "dask" else self._file(report)

    @property
    def format(self) -> Format:
        """The format of the output."""
        if self.target_format is not None:
            return format_named(self.target_format)
        return format_to_write("-" if self.engine == "dask" else self.output, "jsonl")

    @property
    def parts(self) -> list[KnownPart]:
        """What the records have that the run makes."""
        return self._work.parts

    @property
    def _work(self) -> BatchRecoverer:
        return BatchRecoverer(
            self.recoverer, self.format.name, self.input.options.on_error, self.review
        )

    def _check_format(self) -> None:
        format = self.format
        format.check_results(RECOVERED)
        if self.resume and not format.streams:
            raise UsageError(f"{format} is written as a whole, and cannot be resumed")
        if self.resume and is_compressed(self.output):
            raise UsageError(f"what is compressed cannot be resumed: {self.output}")

    def _file(self, report: Reporter) -> RunReport:
        work = self._work
        pairs = islice(self.input, self.limit)
        files = resumable(self.output, work.signature) if self.resume else at_once(self.output)
        with collecting_rarely(), files as outputs:
            start = outputs.journal
            report(Progress(start.input.size, start.input.size))
            left = batches(pairs, self.recoverer.batch_size, start=start.input)
            if not start.complete:
                with closing(in_order(work, left, self.workers)) as worked:
                    self._write(work.writer, worked, outputs, report)
            elif next(left, None) is not None:
                raise CijieError(
                    f"has more records than the {start.input.size:,} that {self.output} was made "
                    "of; write to another file",
                    path=str(self.input),
                )
            tally = outputs.journal.tally
        return RunReport(tally, self.input.skipped, self.recoverer.signature, start.input.size)

    def _write(
        self,
        writer: Writer,
        worked: Iterable[tuple[Batch, RecoveredBatch]],
        outputs: Outputs,
        report: Reporter,
    ) -> None:
        before = outputs.journal.input.size
        reviewed: list[tuple[float, Any]] = []
        written = Pieces()
        begun = outputs.journal.outputs[0].size > 0 if outputs.journal.outputs else False
        try:
            with writer.into(written, begun=begun) as sink:
                for batch, done in worked:
                    if self.review:
                        reviewed = least_sure(self.review, [*reviewed, *done.least])
                    sink.write(done.output)
                    outputs.write(written.taken(), done.quarantine, batch.end, done.tally)
                    report(Progress(batch.end.size, before))
                sink.write(writer.pack([row for _, row in reviewed]))
            outputs.write(written.taken(), b"", outputs.journal.input, Tally())
        except BaseException:
            with suppress(Exception):  # of a last word about how far it came
                report(Progress(outputs.journal.input.size, before))
            raise

    def _parts(self, report: Reporter) -> RunReport:
        from cijie.jobs.cluster import recover_parts
        from cijie.jobs.parts import alone_in, parts, unfinished

        found = parts(self.input.path, self.output, self.format)
        work = self._work
        with alone_in(self.output) as run:
            left, tally = unfinished(found, work.signature)
            before, done = tally.records, len(found) - len(left)
            report(Progress(before, before, (done, len(found))))
            begun: dict[Part, int] = {}
            for news in recover_parts(
                work, left, run, scheduler=self.scheduler, workers=self.workers
            ):
                if news is not None and news.journal is None:
                    begun[news.part] = news.records
                elif news is not None and news.journal is not None:
                    begun.pop(news.part, None)
                    tally += news.journal.tally
                    done += 1
                records = tally.records + sum(begun.values())
                report(Progress(records, before, (done, len(found)), waiting=news is None))
        return RunReport(tally, {}, self.recoverer.signature, before)

    def _check_file(self) -> None:
        if self.scheduler is not None:
            raise UsageError("a scheduler goes with the engine dask")
        if is_many(str(self.input)):
            raise UsageError("many parts go with the engine dask")
        if not is_regular(self.output):
            if self.resume:
                raise UsageError(f"only a file can be resumed, and {self.output} is none")
            if self.input.options.on_error == "keep":
                raise UsageError(f"a quarantine is put beside a file, and {self.output} is none")
            return
        for path in made_for(self.output):
            for given in map(str, self.input.paths):
                if path.exists() and Path(given).exists() and path.samefile(given):
                    raise UsageError(f"{given} is an input; write to another file")

    def _check_parts(self) -> None:
        if (
            self.output == "-"
            or replace(self.input.options, on_error="raise") != ReadOptions()
            or self.input.paths in (["-"], [])
            or len(self.input.paths) > 1
        ):
            raise UsageError(
                "the engine dask reads what a pattern stands for, and writes to a folder"
            )
        if self.review or self.limit or self.resume:
            raise UsageError(
                "the engine dask writes all records, and always goes on where a run was stopped: "
                "no review, no limit, no resume"
            )


def _say_nothing(_: Progress) -> None:
    pass
