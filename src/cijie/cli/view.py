"""`cijie view`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cijie.cli.options import (
    INPUT,
    INPUT_GROUP,
    OUTPUT,
    OUTPUT_GROUP,
    GoldFile,
    check_outputs,
    command,
    left_out,
    make_recoverers,
    methods_option,
    option,
    quiet_option,
    segmenter_options,
    stem,
    told_options,
    trial_options,
    unique_names,
)
from cijie.cli.options.systems import (
    any_target_option,
    echo_compared,
    echo_left_out,
    intersection_option,
    pairs_option,
)
from cijie.errors import counted


@command()
@click.argument("results", metavar="RESULTS... | PAIRS", type=INPUT, nargs=-1, required=True)
@told_options
@option(
    "--gold",
    group=INPUT_GROUP,
    type=GoldFile(exists=True, dir_okay=False, allow_dash=True),
    help="The gold segmentations; builtin for those that cijie ships for MuCGEC's development set.",
)
@pairs_option
@intersection_option
@any_target_option
@methods_option
@segmenter_options
@option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    metavar="PAGE",
    type=OUTPUT,
    required=True,
    help="Where to write, *.html.",
)
@option(
    "--split",
    group=OUTPUT_GROUP,
    is_flag=True,
    help="Put the data beside the page, in a file of their own.",
)
@option(
    "--title",
    group=OUTPUT_GROUP,
    help="The heading of the page.  [default: the name of gold, or those of RESULTS]",
)
@trial_options
@quiet_option
def view(
    results: tuple[str, ...],
    told: dict[str, Any],
    gold: str | None,
    pairs: str | None,
    intersection: bool,
    any_target: bool,
    methods: str,
    segmenter_options: dict[str, Any],
    output: str,
    split: bool,
    title: str | None,
    trials: int,
    seed: int,
    quiet: bool,
) -> None:
    """Write a page that shows the RESULTS of systems, sentence by sentence.

    The page shows what the systems changed and why, where they differ, and how sure they are. With
    --gold it also has scores, errors and outcome patterns. One result alone is compared with the
    words that it started from; a file of PAIRS is recovered first, by --methods.

    The page is one file that works from disk, without a network. RESULTS and gold are files as
    `cijie evaluate` takes them; those of `cijie recover` have links and reasons to show.
    """
    from cijie.corpora.reading import ReadOptions
    from cijie.viewer.shown import has_pairs
    from cijie.viewer.view import view as write_view

    if [gold, pairs, *results].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    if split and output == "-":
        raise click.UsageError("--split writes two files, so -o must name a file")
    options = ReadOptions(**told)
    check_outputs((output, str(Path(output).with_suffix(".data.js")) if split else None))
    if pairs and len(results) == 1 and has_pairs(results[0], options):
        raise click.UsageError(f"{results[0]} has pairs itself: leave --pairs out")
    recoverers = make_recoverers(methods, segmenter_options)
    viewed = write_view(
        dict(zip(unique_names(results), results, strict=True)),
        output,
        gold=gold,
        pairs=pairs,
        recoverers=recoverers,
        title=title or (stem(gold) if gold else None),
        split=split,
        intersection=intersection,
        any_target=any_target,
        trials=trials,
        seed=seed,
        options=options,
    )
    if not quiet:
        if viewed.comparison:
            echo_compared(viewed.comparison)
        else:
            click.echo(counted(viewed.sentences, "sentences") + left_out(viewed.skipped), err=True)
            echo_left_out(viewed.left_out)
