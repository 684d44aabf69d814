"""`cijie evaluate`."""

from __future__ import annotations

from typing import Any

import click

from cijie.cli.comparison import (
    echo_compared,
    intersection_option,
    link_coverage,
    pairs_option,
    read_compared,
    read_known_pairs,
    seed_option,
    trials_option,
)
from cijie.cli.options import INPUT, check_output, output_option, quiet_option


@click.command()
@click.argument("gold", type=INPUT)
@click.argument("systems", metavar="SYSTEM...", type=INPUT, nargs=-1, required=True)
@output_option
@click.option(
    "--format",
    "result_format",
    type=click.Choice(["text", "json", "tsv", "latex"]),
    default="text",
    show_default=True,
    help="Tables to read, all values, a value a line, or tables for booktabs.",
)
@pairs_option
@intersection_option
@trials_option
@seed_option
@quiet_option
def evaluate(
    gold: str,
    systems: tuple[str, ...],
    output: str,
    result_format: Any,
    pairs: str | None,
    intersection: bool,
    trials: int,
    seed: int,
    quiet: bool,
) -> None:
    """Score the segmentations of each SYSTEM against GOLD, and compare the systems.

    Files are JSON lines, as `cijie recover` writes them or in the stand-off form with checksums,
    or plain text, a sentence a line with white space between words; one may be - for standard
    input. Sentences that GOLD has not are not scored. What was left out goes to standard error.
    """
    from cijie.corpora.files import open_output
    from cijie.evaluation.comparison import compare
    from cijie.evaluation.report import render

    inputs = [gold, *systems, *([pairs] if pairs else [])]
    check_output(output, *inputs)
    if inputs.count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    reference, named = read_compared(gold, systems, read_known_pairs(pairs))
    comparison = compare(reference, named, intersection=intersection, trials=trials, seed=seed)
    coverage = link_coverage(named, comparison.ids)
    with open_output(output) as stream:
        stream.write(render(comparison, result_format, coverage).encode())
    if not quiet:
        echo_compared(comparison)
