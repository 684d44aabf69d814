"""`cijie evaluate`."""

from __future__ import annotations

from typing import Any

import click

from cijie.cli.options import (
    GoldParts,
    Parts,
    check_output,
    command,
    format_option,
    output_option,
    quiet_option,
    told_options,
    trial_options,
    unique_names,
    workers_option,
)
from cijie.cli.options.systems import (
    any_target_option,
    echo_compared,
    intersection_option,
    pairs_option,
)
from cijie.cli.progress import shown


@command()
@click.argument("gold", type=GoldParts(dir_okay=True))
@click.argument("systems", metavar="SYSTEM...", type=Parts(dir_okay=True), nargs=-1, required=True)
@told_options
@output_option
@format_option
@pairs_option
@intersection_option
@any_target_option
@trial_options
@workers_option
@quiet_option
def evaluate(
    gold: str,
    systems: tuple[str, ...],
    told: dict[str, Any],
    output: str,
    result_format: Any,
    pairs: str | None,
    intersection: bool,
    any_target: bool,
    trials: int,
    seed: int,
    workers: int,
    quiet: bool,
) -> None:
    """Score the segmentations of each SYSTEM against GOLD, and compare the systems.

    Files have words, in any format that has them: JSON lines as `cijie recover` writes them or in
    the stand-off form with checksums, text with white space between words, and others; one may be
    - for standard input. --from, --encoding and --columns are about GOLD and all SYSTEMs.
    GOLD may be builtin, the gold that cijie ships for MuCGEC's development set. Sentences that are
    not in GOLD are not scored. What was left out goes to standard error.

    GOLD and SYSTEMs may also be in parts, each a quoted pattern, or a folder for the *.jsonl in it.
    Parts with the same name belong together. They are scored one by one, so memory for one of them
    is enough.
    """
    from cijie.corpora.reading import ReadOptions
    from cijie.evaluation.report import render
    from cijie.files.output import open_output
    from cijie.jobs.scores import evaluate_files, scored_parts

    if [gold, *systems, pairs].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    named = dict(zip(unique_names(systems), systems, strict=True))
    parts = scored_parts(gold, named, intersection=intersection)
    check_output(output, *(file for part in parts for file in part.files))
    progress = shown("parts", "off" if quiet or len(parts) == 1 else "auto")
    with progress as show:
        comparison = evaluate_files(
            gold,
            named,
            pairs=pairs,
            intersection=intersection,
            any_target=any_target,
            trials=trials,
            seed=seed,
            workers=workers,
            progress=lambda done, of: show(done, share=done / of),
            options=ReadOptions(**told),
        )
    with open_output(output) as stream:
        stream.write(render(comparison, result_format).encode())
    if not quiet:
        echo_compared(comparison)
