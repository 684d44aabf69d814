"""`cijie recover`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    OUTPUT_GROUP,
    RUNNING_GROUP,
    check_outputs,
    command,
    echo_input,
    make_chosen_method,
    make_segmenter,
    method_options,
    option,
    part_options,
    quiet_option,
    read_pairs,
    refuse,
    segmenter_options,
    workers_option,
)
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.errors import CijieError
    from cijie.jobs.batches import Batch
    from cijie.jobs.work import Done, OnError, Tally, Work


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
@option(
    "--to",
    "target_format",
    group=OUTPUT_GROUP,
    type=click.Choice(["jsonl", "text"]),
    help="JSON lines with spans, links and changes, or words joined by spaces.  "
    "[default: text for *.txt, else jsonl]",
)
@method_options
@segmenter_options
@option(
    "--review",
    group=OUTPUT_GROUP,
    metavar="N",
    type=click.IntRange(min=1),
    help="Write only the N pairs that p3 is least sure of, the least sure first.",
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
    type=click.Choice(["fail", "quarantine"]),
    default="fail",
    show_default=True,
    help="What a record does that cannot be read or recovered: end the run, or go with the reason "
    "to OUTPUT.quarantine.jsonl.",
)
@option(
    "--engine",
    group=RUNNING_GROUP,
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="dask: PAIRS is a pattern for many parts, JSON lines or Parquet, OUTPUT a folder. Parts "
    "that are finished are not done again.",
)
@option(
    "--scheduler",
    group=RUNNING_GROUP,
    metavar="ADDRESS",
    help="A Dask scheduler that runs already.  [default: start one, with --workers]",
)
@quiet_option
def recover(
    output: str,
    target_format: str | None,
    review: int | None,
    workers: int,
    resume: bool,
    on_error: OnError,
    engine: str,
    scheduler: str | None,
    quiet: bool,
    input_options: dict[str, Any],
    method_options: dict[str, Any],
    segmenter_options: dict[str, Any],
) -> None:
    """Recover the word boundaries of the sources in PAIRS from their targets.

    PAIRS is a file of pairs, or - for standard input. A summary goes to standard error.
    """
    from cijie.files.urls import is_pattern
    from cijie.jobs.work import Work, as_jsonl, as_text
    from cijie.recovery.recoverer import Recoverer

    if review and method_options["method"] != "p3":
        raise click.UsageError("--review goes with --method p3")
    if resume and review:
        raise click.UsageError("--resume does not go with --review")
    if engine == "dask":
        _check_parts(output, input_options, bool(review or resume or target_format == "text"))
        if scheduler:
            refuse(["workers"], "with --scheduler, which has workers of its own")
    else:
        refuse(["scheduler"], "without --engine dask")
        if is_pattern(str(input_options["pairs"])):
            raise click.UsageError("many parts want --engine dask")
    skipped: Counter[str] = Counter()
    recoverer = Recoverer(
        make_segmenter(**segmenter_options, skipped=skipped),
        make_chosen_method(**method_options),
    )
    text = (target_format or ("text" if output.endswith(".txt") else "jsonl")) == "text"
    work = Work(recoverer, as_text if text else as_jsonl, on_error, review)
    if engine == "dask":
        tally = _recover_parts(work, input_options["pairs"], output, scheduler, workers, quiet)
    else:
        tally = _recover_file(work, input_options, output, workers, resume, skipped, quiet)
    if not quiet:
        echo_input(tally.coverage.pairs, skipped)
        click.echo(tally, err=True)
        if on_error == "quarantine":
            click.echo(f"{counted(tally.quarantined, 'records')} quarantined", err=True)
        click.echo(recoverer.signature, err=True)


def _recover_file(
    work: Work,
    input_options: dict[str, Any],
    output: str,
    workers: int,
    resume: bool,
    skipped: Counter[str],
    quiet: bool,
) -> Tally:
    from cijie.jobs.batches import batches
    from cijie.jobs.checkpoints import at_once, resumable
    from cijie.jobs.pool import in_order
    from cijie.jobs.work import Tally, least_sure

    quarantine = work.on_error == "quarantine"
    if output == "-" and (resume or quarantine):
        raise click.UsageError("--resume and --on-error quarantine want a file to write to")
    outputs = [output, f"{output}.quarantine.jsonl"][: 1 + quarantine]
    kept = [f"{name}{end}" for name in outputs for end in (".part", ".part.json")]
    check_outputs([*outputs, *(kept if resume else ())])
    unread: list[CijieError] | None = [] if quarantine else None
    pairs = read_pairs(**input_options, skipped=skipped, unread=unread)
    reviewed: list[tuple[float, bytes]] = []
    with resumable(outputs, work.signature) if resume else at_once(outputs) as files:
        if not files.complete:
            cut = batches(pairs, work.recoverer.batch_size, unread=unread, start=files.place)
            worked = in_order(work, cut, workers)
            for batch, done in progress(worked, "pairs", quiet=quiet, size=_size):
                pieces = (done.output, done.quarantine)[: len(outputs)]
                files.write(pieces, batch.end, done.tally)
                if work.review:
                    reviewed = least_sure(work.review, [*reviewed, *done.least])
            if work.review:
                least = b"".join(line for _, line in reviewed)
                files.write([least, b""][: len(outputs)], files.place, Tally())
        return files.tally


def _size(worked: tuple[Batch, Done]) -> int:
    return len(worked[0].pairs)


def _check_parts(output: str, input_options: dict[str, Any], other: bool) -> None:
    if input_options["pairs"] is None or output == "-":
        raise click.UsageError("--engine dask wants a pattern for PAIRS, and a folder for OUTPUT")
    given = {name for name, value in input_options.items() if value not in (None, False, "check")}
    if other or given != {"pairs"}:
        raise click.UsageError(
            "--engine dask reads and writes JSON lines: no --review, --resume, --to text, and none "
            "of the options for other input"
        )


def _recover_parts(
    work: Work, pattern: str, folder: str, scheduler: str | None, workers: int, quiet: bool
) -> Tally:
    from cijie.jobs.cluster import recover_parts
    from cijie.jobs.parts import parts, remove_leftovers, unfinished

    found = parts(pattern, folder)
    left, tally = unfinished(found, work.signature)
    if not quiet:
        click.echo(f"{counted(len(found), 'parts')}, {len(left):,} of them to be done", err=True)
    try:
        if left:
            finished = recover_parts(work, left, scheduler=scheduler, workers=workers)
            for summary in progress(finished, "parts", quiet=quiet):
                tally += summary.tally
    finally:
        remove_leftovers(folder)
    return tally
