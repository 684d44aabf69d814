"""`cijie evaluate`."""

from __future__ import annotations

from typing import Any

import click

from cijie.cli.comparison import (
    echo_compared,
    intersection_option,
    link_coverage,
    pairs_option,
)
from cijie.cli.options import (
    INPUT,
    GoldFile,
    check_output,
    format_option,
    output_option,
    quiet_option,
    read_pair_file,
    trial_options,
    unique_names,
)


@click.command()
@click.argument("gold", type=GoldFile(exists=True, dir_okay=False, allow_dash=True))
@click.argument("systems", metavar="SYSTEM...", type=INPUT, nargs=-1, required=True)
@output_option
@format_option
@pairs_option
@intersection_option
@trial_options
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
    input. GOLD may be builtin, the gold that cijie ships for MuCGEC's development set. Sentences
    that GOLD has not are not scored. What was left out goes to standard error.
    """
    from cijie.corpora.files import open_output
    from cijie.corpora.segmentations import read_to_compare
    from cijie.evaluation.comparison import compare
    from cijie.evaluation.report import render

    inputs = [gold, *systems, *([pairs] if pairs else [])]
    check_output(output)
    if inputs.count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    reference, files = read_to_compare(gold, systems, read_pair_file(pairs) if pairs else ())
    named = dict(zip(unique_names(systems), files, strict=True))
    comparison = compare(reference, named, intersection=intersection, trials=trials, seed=seed)
    coverage = link_coverage(named, comparison.ids)
    with open_output(output) as stream:
        stream.write(render(comparison, result_format, coverage).encode())
    if not quiet:
        echo_compared(comparison)
