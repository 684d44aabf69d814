"""A run over many pairs, from file to file, as `cijie recover` and `recover_file` do it."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cijie.choices import Method, OnError
from cijie.corpora.formats import FORMATS, Format, format_to_write
from cijie.corpora.reading import ReadOptions, Sentences
from cijie.corpora.review import (
    Decision,
    about_known,
    by_place,
    read_decisions,
)
from cijie.errors import CijieError, UsageError, check_choice, located
from cijie.files.opening import StrPath, is_url
from cijie.files.output import locked
from cijie.jobs.batches import (
    BatchRecoverer,
    Names,
    RecoveredBatch,
    Tally,
    batches,
    names_for,
    passed,
    write,
)
from cijie.jobs.executors import in_order
from cijie.jobs.journal import RUN, Journal, kept, write_journal
from cijie.jobs.parts import alone_in, parts, recover_part, signature_of, unfinished
from cijie.recovery.methods import (
    Aligner,
    MethodOptions,
    RecoveryMethod,
    WordAligner,
)
from cijie.recovery.options import check_options
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Field, Sentence
from cijie.segmenters import Segmenter

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    Attributes:
        records: how many records are done; of many parts, those of the parts that are done.
        before: how many of them a run before this one had done.
        share: how much of the input they are, from 0 to 1, if it is known.
        parts: how many parts are done, and how many there are, if there are many.
    """

    records: int
    before: int = 0
    share: float | None = None
    parts: tuple[int, int] | None = None


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
        reviewed: how many places were written for review.
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
        review: write to CSV or TSV only so many of the places that p3 is least sure of, one a row,
            the least sure first, for a person to decide.
        decisions: files of such rows with what a person decided, which is applied.
        limit: read only so many pairs.
        workers: how many processes of this machine share the work.
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
    source = input if isinstance(input, Sentences) else Sentences(input, "pairs", read)
    if source.options.on_error != on_error:
        options = replace(source.options, on_error=on_error)
        source = Sentences(source.paths, source.purpose, options)
    recoverer = Recoverer(
        segmenter,
        method,
        segmenter_options=segmenter_options,
        user_words=user_words,
        batch_size=batch_size,
        **method_options,
    )
    to, many = os.fspath(output), source.many
    work = BatchRecoverer(
        recoverer,
        format_to_write("-" if many else to, "jsonl", format),
        on_error,
        review,
        tuple(map(read_decisions, decisions)),
        fields,
    )
    by = {"workers": workers, "executor": executor}
    # Beside standard output, a pipe or a device there are no other files.
    regular = to != "-" and (not Path(to).exists() or Path(to).is_file())
    names = names_for(to) if regular and not many else None
    run = _Run(work, source, to, names, limit, by, progress or (lambda _: None))
    run.check(resume=resume)
    try:
        tally, before, reviewed = run.many() if many else run.resumed() if resume else run.one()
    finally:
        if source.stream is not None:  # an error may have ended the run, and not the reading
            source.stream.close()
    rows, signed = by_place(work.decisions) if decisions else [], recoverer.signature
    if made := sorted((row.id, row.place, row.decided) for row in rows if row.decided):
        signed += f"|decisions:{sha256(repr(made).encode()).hexdigest()[:8]}"
    skipped = {} if many else source.skipped
    return RunReport(tally, skipped, signed, work.format, work.fields, before, reviewed, rows)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of `recover_file`.

    Args:
        work: processes a batch.
        source: where the pairs are read.
        output: where the results go.
        names: those of its files, if the output is a regular one.
        limit: how many pairs are read.
        by: who does it, as `in_order` takes it.
        report: receives the progress of the run.
    """

    work: BatchRecoverer
    source: Sentences
    output: str
    names: Names | None
    limit: int | None
    by: Mapping[str, Any]
    report: Reporter

    def check(self, *, resume: bool) -> None:
        """Reject incompatible settings, before anything is read or written."""
        work, by = self.work, self.by
        counts = {"workers": by["workers"], "limit": self.limit, "review": work.review}
        for name, count in counts.items():
            if count is not None and not (isinstance(count, Integral) and int(count) > 0):
                raise UsageError(f"{name} must be a whole number, at least 1, not {count!r}")
        if by["executor"] is not None and by["workers"] > 1:
            raise UsageError("give either workers or an executor")
        if (work.review or work.decisions) and not work.recoverer.has_confidences:
            raise UsageError("a review requires the method p3")
        if work.review and work.chosen:
            raise UsageError("a review has columns of its own: no fields are chosen")
        if self.source.many:
            self._check_many(resume=resume)
        else:
            self._check_one(resume=resume)

    def _check_one(self, *, resume: bool) -> None:
        work = self.work
        if resume and (work.review or work.decisions):
            raise UsageError("a review cannot be resumed")
        if self.limit and work.decisions:
            raise UsageError("decisions are about all pairs: leave out the limit")
        if resume and (self.names is None or is_url(self.output)):
            raise UsageError(f"resume requires a file to write to, got {self.output}")
        if work.on_error == "keep" and self.names is None:
            raise UsageError(f"keeping bad records requires a file to write to, got {self.output}")
        for path in map(Path, self.names or ()):
            for given in map(str, self.source.paths):
                with suppress(OSError):  # it does not exist, or no longer
                    if path.samefile(given):
                        raise UsageError(f"{given} is an input; write to another file")

    def _check_many(self, *, resume: bool) -> None:
        path = Path(self.output)
        endings = {end for format in FORMATS.values() for end in format.endings}
        if self.output == "-" or path.is_file() or (path.suffix in endings and not path.is_dir()):
            raise UsageError(f"many parts require a folder to write to, got {self.output}")
        if len(self.source.paths) > 1:
            raise UsageError("many parts are files of pairs, not of sources and of targets")
        if self.work.review or self.work.decisions or self.limit or resume:
            raise UsageError(
                "review, decisions, limit and resume cannot be used with many parts, each of which "
                "is written as a whole; a later run skips those that are done"
            )

    def one(self) -> tuple[Tally, int, int]:
        """Recover one file; return the counts, how many records were done before, and how many
        results were written for review.
        """
        output, apart = self.names[:2] if self.names else (self.output, None)
        alone = locked(Path(output)) if self.names and not is_url(output) else nullcontext()
        pairs: Iterator[Sentence | CijieError] = islice(self.source, self.limit)
        if self.work.decisions:
            pairs = about_known(pairs, self.work.decisions)
        with alone, closing(self._worked(pairs)) as worked:
            self.report(Progress(0))
            tally, reviewed = write(self.work, worked, self.output, apart)
        return tally, 0, reviewed

    def resumed(self) -> tuple[Tally, int, int]:
        """Recover what is left of one file."""
        assert self.names is not None
        signature = self.work.signature
        with kept(self.names, signature) as found:
            before = found.input.size
            # Nothing is said to go on before it is known that it is not another input.
            with located(path=str(self.source)):
                pairs = islice(self.source, self.limit)
                digest = passed(pairs, found.input)
                if isinstance(found, Journal) and next(pairs, None) is not None:
                    raise CijieError(
                        f"has more records than the {before:,} that {self.output} was made of; "
                        "write to another file"
                    )
            self.report(Progress(before, before))
            if isinstance(found, Journal):
                return found.tally, before, 0
            with closing(self._worked(pairs, before, digest)) as worked:
                for done in worked:
                    found.add(done)
            tally, _ = write(self.work, found, self.output, self.names[1], RUN)
            write_journal(self.names, signature, found.input, tally, RUN)
        return tally, before, 0

    def many(self) -> tuple[Tally, int, int]:
        """Recover the unfinished parts."""
        found = parts(str(self.source), self.output, self.work.format)
        with alone_in(self.output) as run:
            left, tally = unfinished(found, signature_of(self.work, self.source.options))
            before, first, all_parts = tally.records, len(found) - len(left), len(found)
            self.report(Progress(before, before, parts=(first, all_parts)))
            work = partial(recover_part, work=self.work, source=self.source, run=run)
            with closing(in_order(work, left, **self.by)) as worked:
                for done, (_, journal) in enumerate(worked, start=first + 1):
                    tally += journal.tally
                    share = done / all_parts
                    self.report(Progress(tally.records, before, share, (done, all_parts)))
        return tally, before, 0

    def _worked(
        self, pairs: Iterable[Sentence | CijieError], before: int = 0, digest: Any = None
    ) -> Generator[RecoveredBatch, None, None]:
        """Yield what becomes of batches; report each when it has been taken."""
        size = self.work.recoverer.batch_size
        items = batches(pairs, size, before=before, digest=digest, source=self.source)
        with closing(in_order(self.work, items, **self.by)) as worked:
            for batch, done in worked:
                yield done
                count, limit = done.end.size, self.limit
                share = batch.share if limit is None else count / limit
                self.report(Progress(count, before, share))
