"""`cijie recover`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    check_output,
    echo_input,
    make_method,
    make_segmenter,
    method_options,
    output_option,
    pair_options,
    quiet_option,
    read_pairs,
    segmenter_options,
)
from cijie.cli.progress import progress

if TYPE_CHECKING:
    from cijie.errors import CijieError
    from cijie.jobs.batches import Batch
    from cijie.jobs.work import Done, OnError


@click.command()
@pair_options
@output_option
@click.option(
    "--to",
    "target_format",
    type=click.Choice(["jsonl", "text"]),
    help="JSON lines with spans, links and changes, or words joined by spaces.  "
    "[default: text for *.txt, else jsonl]",
)
@method_options
@segmenter_options
@click.option(
    "--review",
    metavar="N",
    type=click.IntRange(min=1),
    help="Write only the N pairs that p3 is least sure of, the least sure first.",
)
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many processes work, each with a segmenter of its own.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Keep what is done when the run is stopped; with the same command it goes on there.",
)
@click.option(
    "--on-error",
    type=click.Choice(["fail", "quarantine"]),
    default="fail",
    show_default=True,
    help="What a record does that cannot be read or recovered: end the run, or go with the reason "
    "to OUTPUT.quarantine.jsonl.",
)
@quiet_option
def recover(
    output: str,
    target_format: str | None,
    review: int | None,
    workers: int,
    resume: bool,
    on_error: OnError,
    quiet: bool,
    input_options: dict[str, Any],
    method_options: dict[str, Any],
    segmenter_options: dict[str, Any],
) -> None:
    """Recover the word boundaries of the sources in PAIRS from their targets.

    PAIRS is a file of pairs, or - for standard input. A summary goes to standard error.
    """
    from cijie.jobs.batches import batches
    from cijie.jobs.checkpoints import at_once, resumable
    from cijie.jobs.pool import in_order
    from cijie.jobs.work import Tally, Work, as_jsonl, as_text, least_sure
    from cijie.recovery import Recoverer

    if review and method_options["method"] != "p3":
        raise click.UsageError("--review goes with --method p3")
    if resume and review:
        raise click.UsageError("--resume does not go with --review")
    if output == "-" and (resume or on_error == "quarantine"):
        raise click.UsageError("--resume and --on-error quarantine want a file to write to")
    outputs = [output]
    if on_error == "quarantine":
        outputs.append(f"{output}.quarantine.jsonl")
    for name in outputs:
        check_output(name, *(input_options[kind] for kind in ("pairs", "orig", "cor")))
    skipped: Counter[str] = Counter()
    unread: list[CijieError] | None = [] if on_error == "quarantine" else None
    pairs = read_pairs(**input_options, skipped=skipped, unread=unread)
    recoverer = Recoverer(
        make_segmenter(**segmenter_options, skipped=skipped),
        make_method(**method_options),
    )
    text = (target_format or ("text" if output.endswith(".txt") else "jsonl")) == "text"
    work = Work(recoverer, as_text if text else as_jsonl, on_error, review)
    reviewed: list[tuple[float, bytes]] = []
    with resumable(outputs, work.signature) if resume else at_once(outputs) as files:
        if not files.complete:
            cut = batches(pairs, recoverer.batch_size, unread=unread, start=files.place)
            worked = in_order(work, cut, workers)
            for batch, done in progress(worked, "pairs", quiet=quiet, size=_pairs):
                pieces = (done.output, done.quarantine)[: len(outputs)]
                files.write(pieces, batch.end, done.tally)
                if review:
                    reviewed = least_sure(review, [*reviewed, *done.least])
            if review:
                files.write([b"".join(line for _, line in reviewed)], files.place, Tally())
        tally = files.tally
    if not quiet:
        echo_input(tally.coverage.pairs, skipped)
        click.echo(tally, err=True)
        if tally.quarantined:
            click.echo(f"{tally.quarantined:,} records in {outputs[1]}", err=True)
        click.echo(recoverer.signature, err=True)


def _pairs(worked: tuple[Batch, Done]) -> int:
    return len(worked[0].pairs)
