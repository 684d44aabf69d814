"""`cijie recover`, and `cijie align`, which stops at the links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import click

from cijie.batching import batched
from cijie.choices import OnError
from cijie.cli.options.base import Command, Readable, Written, argument, option, options, refuse
from cijie.cli.options.files import (
    PairOptions,
    RecordOutput,
    Style,
    Workers,
    left_out,
    shown,
    without_place,
)
from cijie.cli.options.methods import MethodChoice, SegmenterChoice, Settings
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import sentences_of
from cijie.errors import counted
from cijie.evaluation.counts import Coverage
from cijie.files.output import open_output
from cijie.recovery.sentence import Field, Sentence
from cijie.segmenters import Segmenter
from cijie.signatures import signed

if TYPE_CHECKING:  # help, completion and what is said of wrong options are spared what follows
    from cijie.corpora.review import Decision
    from cijie.jobs.run import Progress, Reporter


@options("Input")
class PairParts(PairOptions):
    """Pairs, or many files of them.

    Attributes:
        limit: Read only the first N pairs.
    """

    pairs: str | None = argument(
        None, type=Readable(many=True, hint=" `cijie show SOURCE TARGET` takes texts.")
    )
    limit: int | None = option(None, at_least=1)


@options()
class RunOptions(Workers, RecordOutput):
    """The output of a run, and how it is resumed.

    Attributes:
        output: Output file; for parts a folder, in which finished parts are skipped.
        fields: Fields to write, such as words,changes.
        review: Write only the N places that p3 is least sure of, to CSV or TSV.
        decisions: Apply the column 'decision' of a review, CSV or TSV: accept, reject or other
            words; may be repeated.
        resume: Resume an interrupted run of the same command.
        on_error: On a bad record, end the run (raise), or write it with the reason (keep) to
            OUTPUT.quarantine.jsonl.
        scheduler: A Dask scheduler, whose workers share the work.
        progress: plain: lines on a terminal, too, the first after five seconds.
    """

    output: str = option("-", "-o --output", type=Written(folders=True), group="Output")
    fields: str | None = option(None, metavar="FIELD,...", group="Output")
    review: int | None = option(None, at_least=1, group="Output")
    decisions: tuple[str, ...] = option(
        (), type=Readable(stdin=False), metavar="REVIEW", group="Input"
    )
    resume: bool = False
    on_error: OnError = "raise"
    progress: Style = option("auto", rare=True)
    scheduler: str | None = option(None, metavar="ADDRESS", rare=True)


@Command
def recover(
    pairs: PairParts, method: MethodChoice, segmenter: SegmenterChoice, run: RunOptions
) -> None:
    """Recover the word boundaries of the sources in PAIRS from their targets.

    PAIRS is a file of pairs in any format, or - for standard input. Writes the full record, or
    what the format can hold, and a summary to standard error.
    """
    from cijie.jobs.batches import QUARANTINE
    from cijie.jobs.executors import dask_executor
    from cijie.jobs.run import recover_file

    skipped: Counter[str] = Counter()
    loaded, chosen = segmenter.load(skipped), method.make()
    sentences = pairs.sentences(on_error=run.on_error)
    many = sentences.many
    cluster: AbstractContextManager[Executor | None] = nullcontext()
    if run.scheduler:
        refuse(["workers"], "with --scheduler, which has workers of its own")
        waiting = partial(run.say, "no Dask worker yet; waiting for one")
        cluster = dask_executor(run.scheduler, waiting)
    with cluster as executor, _reported(run, loaded) as report:
        done = recover_file(
            sentences,
            run.output,
            method=chosen,
            segmenter=loaded,
            format=run.to,
            fields=[cast("Field", x.strip()) for x in run.fields.split(",")] if run.fields else (),
            on_error=run.on_error,
            review=run.review,
            decisions=run.decisions,
            limit=pairs.limit,
            workers=run.workers,
            executor=executor,
            resume=run.resume,
            progress=report,
        )
    if run.quiet:
        return
    if not many and done.before == done.tally.records > 0:
        run.say(f"{run.output} is already complete; nothing to do")
    run.say(
        counted(done.tally.coverage.pairs, "pairs") + left_out(skipped + Counter(done.skipped)),
        *f"{done.tally}{without_place(done.format, done.held)}".split("\n"),
    )
    if run.review:
        run.say(f"the {counted(done.reviewed, 'least sure places')} written")
    if done.decisions:
        run.say(*_decided(done.decisions))
    run.warn_of_nothing(done.tally.records, "pairs")
    if run.on_error == "keep":
        place = run.output if many else run.output + QUARANTINE
        where = f", in {place}" if done.tally.quarantined else ""
        run.say(f"{counted(done.tally.quarantined, 'records')} quarantined{where}")
    run.say(run.signed(done.signature))


def _decided(rows: Sequence[Decision]) -> Iterator[str]:
    """Yield what became of the decisions of a person: their number, and each that changes words."""
    changed = [row for row in rows if row.chosen != row.words]
    made = sum(bool(row.decided) for row in rows)
    yield f"{made:,} of {counted(len(rows), 'places')} decided, {len(changed):,} for other words"
    yield from (f"  {row.id}  {row.words} → {row.chosen}" for row in changed)


@contextmanager
def _reported(run: RunOptions, segmenter: Segmenter) -> Iterator[Reporter]:
    """Print the progress of a run, where it resumes, and what is kept if it is stopped."""
    last: Progress | None = None
    style: Style = "off" if run.quiet else run.progress
    try:  # the bar is gone when an error is explained
        with shown("records", style, f"loading {segmenter.name}") as show:

            def report(now: Progress) -> None:
                nonlocal last
                if last is None and now.parts is not None:
                    done, all_parts = now.parts
                    left = f"{all_parts - done:,} of them to be done"
                    run.say(f"{counted(all_parts, 'parts')}, {left}")
                elif last and not last.parts and 0 < last.records == now.before:
                    run.say(f"resuming after {counted(now.before, 'records')}")
                last = now
                show(now.records, now.before, now.share)

            yield report
    except BaseException as error:
        if last is not None and last.parts is not None and last.parts[0]:
            kept = counted(last.parts[0], "parts")
            run.say(f"{kept} finished; the same command does the rest")
        elif last is not None and run.resume and last.records:
            kept = counted(last.records, "records")
            run.say(f"{kept} kept; the same command goes on there")
        elif isinstance(error, KeyboardInterrupt):
            keeps = run.resume or (last and last.parts)
            yet = "yet" if keeps else "without --resume"
            run.say(f"nothing is kept {yet}; the same command begins again")
        raise


@options()
class AlignerChoice(MethodChoice, Settings):
    """A method whose links are written."""


@Command
def align(pairs: PairOptions, output: RecordOutput, method: AlignerChoice) -> None:
    """Link the characters of the sources in PAIRS with those of their targets.

    Writes records with links; JSON lines, the default, have the coverage of each pair as well. No
    segmenter is needed. The method ibm links words, and is for `cijie recover`. A summary goes to
    standard error.
    """
    from cijie.recovery.methods import WordAligner, link_all, link_record

    format = output.format(["links", "target"])
    writer = format.writer(["links", "target"])
    refuse(["join_rule"], "on links")
    aligner = method.make().aligner
    if isinstance(aligner, WordAligner):
        raise click.UsageError(
            f"the method {method.method} requires the words of the targets: use `cijie recover`"
        )
    coverage = Coverage()
    sentences = pairs.sentences()
    read = output.watch(sentences_of(sentences), "pairs")

    def row(linked: Sentence) -> Any:
        return dump_line(link_record(linked)) if format.name == "jsonl" else writer.row(linked)

    with open_output(output.output) as stream, writer.into(stream) as sink:
        for batch in batched(link_all(read, aligner)):
            coverage += Coverage.of(*[x.alignment for x in batch if x.alignment is not None])
            sink.write(writer.pack([row(linked) for linked in batch]))
    output.warn_of_nothing(coverage.pairs, "pairs")
    output.say(
        counted(coverage.pairs, "pairs") + left_out(sentences.skipped),
        coverage,
        output.signed(signed(aligner.signature)),
    )
