"""`cijie recover`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    INPUT_GROUP,
    OUTPUT_GROUP,
    RUNNING_GROUP,
    check_outputs,
    chosen_options,
    command,
    echo_input,
    make_method,
    make_segmenter,
    method_options,
    option,
    pair_file,
    part_options,
    progress_option,
    quiet_option,
    refuse,
    segmenter_options,
    target_format_option,
    without_place,
    workers_option,
)
from cijie.cli.progress import Style, shown
from cijie.cli.progress import progress as progress_bar
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.jobs.run import Progress, RecoveryRun, Reporter


@command()
@part_options
@option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=click.Path(allow_dash=True),
    default="-",
    show_default=True,
    help="Where to write; a folder for many parts.",
)
@target_format_option
@method_options
@segmenter_options
@option(
    "--review",
    group=OUTPUT_GROUP,
    metavar="N",
    type=click.IntRange(min=1),
    help="Write only the N pairs that p3 is least sure of, the least sure first; on a terminal, "
    "the places in doubt and why.",
)
@option(
    "--limit",
    group=INPUT_GROUP,
    metavar="N",
    type=click.IntRange(min=1),
    help="Read only the first N pairs.",
)
@workers_option
@option(
    "--resume",
    group=RUNNING_GROUP,
    is_flag=True,
    help="Keep what is done when the run is stopped; with the same command it goes on there.",
)
@option(
    "--on-error",
    group=RUNNING_GROUP,
    type=click.Choice(["raise", "keep"]),
    default="raise",
    show_default=True,
    help="A record that cannot be read or recovered ends the run (raise), or is "
    "kept in OUTPUT.quarantine.jsonl with the reason (keep).",
)
@option(
    "--engine",
    group=RUNNING_GROUP,
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="dask: PAIRS is a pattern for many parts, OUTPUT a folder. Parts that are finished are "
    "not done again.",
)
@option(
    "--scheduler",
    group=RUNNING_GROUP,
    metavar="ADDRESS",
    help="A Dask scheduler that runs already.  [default: start one, with --workers]",
)
@progress_option
@quiet_option
def recover(
    output: str,
    target_format: Any,
    on_error: str,
    engine: Any,
    quiet: bool,
    progress: Style,
    input_options: dict[str, Any],
    method_options: dict[str, Any],
    segmenter_options: dict[str, Any],
    **run_options: Any,
) -> None:
    """Recover the word boundaries of the sources in PAIRS from their targets.

    PAIRS is a file of pairs in any format, or - for standard input. What is written is all that was
    found out, or what the format has a place for. A summary goes to standard error.
    """
    from cijie.corpora.reading import sentences_of
    from cijie.jobs.outputs import made_for
    from cijie.jobs.run import RecoveryRun
    from cijie.recovery.recoverer import Recoverer, habits_of

    if engine == "dask":
        if run_options["scheduler"]:
            refuse(["workers"], "with --scheduler, which has workers of its own")
    else:
        refuse(["scheduler"], "without --engine dask")
        check_outputs([output, *map(str, made_for(output)[1:])])
    skipped: Counter[str] = Counter()
    segmenter = make_segmenter(**segmenter_options, skipped=skipped)
    chosen, pairs = chosen_options(**method_options), pair_file(**input_options, on_error=on_error)
    if chosen.get("habits") == "run":
        if engine == "dask" or on_error != "raise" or "-" in pairs.paths:
            raise click.UsageError(
                "--habits run reads PAIRS twice: not standard input, and not with --engine dask or "
                "--on-error keep"
            )
        first = progress_bar(sentences_of(pairs), "pairs counted", quiet=quiet)
        chosen["habits"] = habits_of(first, segmenter)
    recoverer = Recoverer(segmenter, make_method(**chosen))
    with _to_read(output, review=bool(run_options["review"]), text=target_format) as place:
        run = RecoveryRun(
            recoverer,
            pairs,
            place,
            target_format=target_format,
            engine=engine,
            **run_options,
        )
        with _told(run, progress, quiet=quiet) as report:
            done = run(report)
    if quiet:
        return
    if run.engine == "local" and done.before == done.tally.records > 0:
        click.echo(f"{output} was finished before; nothing was left to do", err=True)
    echo_input(done.tally.coverage.pairs, skipped + Counter(done.skipped))
    click.echo(f"{done.tally}{without_place(run.format, run.parts)}", err=True)
    if on_error == "keep":
        click.echo(f"{counted(done.tally.quarantined, 'records')} quarantined", err=True)
    click.echo(done.signature, err=True)


@contextmanager
def _to_read(output: str, *, review: bool, text: str | None) -> Iterator[str]:
    """Where to write; a review that goes to a terminal goes to a file, and from there is told."""
    if not review or output != "-" or text or not sys.stdout.isatty():
        yield output
        return
    from cijie.pictures.terminal import print_lines
    from cijie.recovery.recovery import Recovery
    from cijie.viewer.diff import difference_lines, doubtful
    from cijie.viewer.shown import read_shown

    with TemporaryDirectory() as folder:
        path = f"{folder}/review.jsonl"
        yield path
        found = [
            each
            for sentence in read_shown(path)
            if isinstance(sentence, Recovery)
            for each in doubtful(sentence.id, sentence)
        ]
    print_lines(lambda _: difference_lines(found))


@contextmanager
def _told(run: RecoveryRun, style: Style, *, quiet: bool) -> Iterator[Reporter]:
    """Tell how far a run has come, where it goes on, and what is kept if it is stopped."""
    last: Progress | None = None

    def tell(text: str) -> None:
        if not quiet:
            click.echo(text, err=True)

    with shown("records", "off" if quiet else style) as show:

        def report(now: Progress) -> None:
            nonlocal last
            if last is None and now.parts is not None:
                done, all_parts = now.parts
                left = f"{all_parts - done:,} of them to be done"
                tell(f"{counted(all_parts, 'parts')}, {left}")
            elif last is not None and last.parts is None and 0 < last.records == now.before:
                tell(f"going on after {counted(now.before, 'records')}")
            if now.waiting and last is not None and not last.waiting:
                tell("there is no Dask worker; waiting for one")
            last = now
            show(now.records, now.before)

        try:
            yield report
        except BaseException:
            if last is not None and last.parts is not None and last.parts[0]:
                tell(f"{counted(last.parts[0], 'parts')} finished; the same command does the rest")
            elif last is not None and run.resume and last.records:
                tell(f"{counted(last.records, 'records')} kept; the same command goes on there")
            raise
