"""`cijie recover`, and `cijie align`, which stops at the links."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

import click

from cijie.choices import REVIEWS, FormatName, OnError
from cijie.cli.options.base import argument, command, option, options, refuse
from cijie.cli.options.methods import MethodChoice, SegmenterChoice, Settings, make_method
from cijie.cli.options.output import (
    Messages,
    RecordOutput,
    Workers,
    left_out,
    to_option,
    without_place,
)
from cijie.cli.options.paths import Readable, Written, check_files
from cijie.cli.options.reading import PairOptions
from cijie.cli.progress import Style, shown
from cijie.errors import counted
from cijie.files.opening import is_many, is_read_once
from cijie.signatures import signed

if TYPE_CHECKING:
    from cijie.corpora.review import Decision
    from cijie.jobs.run import Progress, Reporter
    from cijie.recovery.sentence import Field, Sentence
    from cijie.segmenters import Segmenter


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

    @property
    def many(self) -> bool:
        """True for many files."""
        return self.pairs is not None and is_many(self.pairs)


@options()
class RunOptions(Workers, Messages):
    """The output of a run, and how it is resumed.

    Attributes:
        output: Output file; for parts a folder, in which finished parts are skipped.
        fields: Fields to write, such as words,changes.
        review: Write only the N pairs, or in CSV, in TSV and on a terminal the N places, that p3 is
            least sure of.
        decisions: Apply the column 'decision' of a review, CSV or TSV: accept, reject or other
            words; may be repeated.
        resume: Resume an interrupted run of the same command.
        on_error: On a bad record, end the run (raise), or write it with the reason (keep) to
            OUTPUT.quarantine.jsonl.
        progress: A bar on a terminal and a line a minute elsewhere, such lines everywhere, or
            nothing.
    """

    output: str = option("-", "-o --output", type=Written(folders=True), group="Output")
    to: FormatName | None = to_option()
    fields: str | None = option(None, metavar="FIELD,...", group="Output")
    review: int | None = option(None, at_least=1, group="Output")
    decisions: tuple[str, ...] = option(
        (), type=Readable(stdin=False), metavar="REVIEW", group="Input"
    )
    resume: bool = False
    on_error: OnError = "raise"
    progress: Style = option("auto", rare=True)


@command
def recover(
    pairs: PairParts, method: MethodChoice, segmenter: SegmenterChoice, run: RunOptions
) -> None:
    """Recover the word boundaries of the sources in PAIRS from their targets.

    PAIRS is a file of pairs in any format, or - for standard input. Writes the full record, or
    what the format can hold, and a summary to standard error.
    """
    from cijie.corpora.reading import sentences_of
    from cijie.jobs.run import recover_file
    from cijie.recovery.recoverer import habits_of

    if not pairs.many:
        check_files([run.output])
    skipped: Counter[str] = Counter()
    loaded, (name, options) = segmenter.load(skipped), method.options()
    sentences = pairs.sentences(on_error=run.on_error)
    if options.get("habits") == "run":
        once = any(map(is_read_once, sentences.paths))
        if pairs.many or run.on_error != "raise" or once:
            raise click.UsageError(
                "--habits run reads PAIRS twice: it takes no standard input, no pipe and no parts, "
                "and cannot be used with --on-error keep"
            )
        first = run.watch(sentences_of(sentences), "pairs counted")
        options["habits"] = habits_of(first, loaded)
    with _to_read(run) as place, _reported(run, loaded) as report:
        done = recover_file(
            sentences,
            place,
            method=make_method(name, **options),
            segmenter=loaded,
            format=run.to,
            fields=[cast("Field", x.strip()) for x in run.fields.split(",")] if run.fields else (),
            on_error=run.on_error,
            review=run.review,
            decisions=run.decisions,
            limit=pairs.limit,
            workers=run.workers,
            resume=run.resume,
            progress=report,
        )
    if run.quiet:
        return
    if not pairs.many and done.before == done.tally.records > 0:
        run.say(f"{run.output} is already complete; nothing to do")
    run.say(
        counted(done.tally.coverage.pairs, "pairs") + left_out(skipped + Counter(done.skipped)),
        *f"{done.tally}{without_place(done.format, done.held)}".split("\n"),
    )
    if run.review:
        is_table = done.format.name in REVIEWS
        if is_table and done.reviewed < run.review:
            run.say(f"only {counted(done.reviewed, 'places')} in doubt")
        else:
            what = "places" if is_table else "pairs"
            run.say(f"the {counted(done.reviewed, f'least sure {what}')} written")
    if done.decisions:
        run.say(*_decided(done.decisions))
    run.warn_of_nothing(done.tally.records, "pairs")
    if run.on_error == "keep":
        place = run.output if pairs.many else f"{run.output}.quarantine.jsonl"
        where = f", in {place}" if done.tally.quarantined else ""
        run.say(f"{counted(done.tally.quarantined, 'records')} quarantined{where}")
    run.say(run.signed(done.signature))


@contextmanager
def _to_read(run: RunOptions) -> Iterator[str]:
    """Yield the output file; a review for a terminal is written to a file and shown from it."""
    if not run.review or run.output != "-" or run.to or not sys.stdout.isatty():
        yield run.output
        return
    from cijie.corpora.csv import read_rows
    from cijie.pictures.terminal import print_lines
    from cijie.viewer.render import review_lines

    with TemporaryDirectory() as folder:
        path = f"{folder}/review.tsv"
        yield path
        _, *rows = [row for _, row in read_rows(path, "tsv")]
    print_lines(lambda _: review_lines(rows))


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
        elif isinstance(error, KeyboardInterrupt) and run.resume:
            run.say("nothing more is kept; give the same command again")
        elif isinstance(error, KeyboardInterrupt):
            resumed = "" if last and last.parts else " without --resume"
            run.say(f"nothing is kept{resumed}; the same command begins again")
        raise


@options()
class AlignerChoice(MethodChoice, Settings):
    """A method whose links are written."""


@command
def align(pairs: PairOptions, output: RecordOutput, method: AlignerChoice) -> None:
    """Link the characters of the sources in PAIRS with those of their targets.

    Writes records with links; JSON lines, the default, have the coverage of each pair as well. No
    segmenter is needed. The method ibm links words, and is for `cijie recover`. A summary goes to
    standard error.
    """
    from cijie.batching import batched
    from cijie.corpora.jsonl import dump_line
    from cijie.corpora.reading import sentences_of
    from cijie.evaluation.counts import Coverage
    from cijie.files.output import open_output
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
