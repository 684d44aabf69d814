"""`cijie view`."""

from __future__ import annotations

from pathlib import Path

import click

from cijie.cli.options import (
    INPUT,
    INPUT_GROUP,
    OUTPUT,
    OUTPUT_GROUP,
    GoldFile,
    check_outputs,
    command,
    option,
    quiet_option,
    read_pair_file,
    stem,
    trial_options,
    unique_names,
)
from cijie.cli.options.systems import (
    compared,
    echo_compared,
    intersection_option,
    pairs_option,
    with_links,
)


@command()
@click.argument("systems", metavar="RESULTS...", type=INPUT, nargs=-1, required=True)
@option(
    "--gold",
    group=INPUT_GROUP,
    type=GoldFile(exists=True, dir_okay=False, allow_dash=True),
    required=True,
    help="The gold segmentations; builtin for those that cijie ships for MuCGEC's development set.",
)
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
@option("--title", group=OUTPUT_GROUP, help="The heading of the page.  [default: the name of GOLD]")
@pairs_option
@intersection_option
@trial_options
@quiet_option
def view(
    systems: tuple[str, ...],
    gold: str,
    output: str,
    split: bool,
    title: str | None,
    pairs: str | None,
    intersection: bool,
    trials: int,
    seed: int,
    quiet: bool,
) -> None:
    """Write a page that shows the RESULTS of systems against gold, sentence by sentence.

    The page is one file that works from disk, without a network. It has scores, error regions,
    outcome patterns, links and boundary changes, with search and filters. Gold and RESULTS are
    files as `cijie evaluate` takes them; those of `cijie recover` have links and changes to show.
    """
    from cijie.corpora.segmentations import read_to_compare
    from cijie.evaluation.sentences import common_ids
    from cijie.evaluation.statistics import statistics_of
    from cijie.files.output import open_output
    from cijie.jobs.scores import link_coverage
    from cijie.viewer.comparison import comparison_data, read_sentences
    from cijie.viewer.pages import render_data, render_page

    inputs = [gold, *systems, *([pairs] if pairs else [])]
    if inputs.count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    if split and output == "-":
        raise click.UsageError("--split writes two files, so it needs the name of one")
    data_file = Path(output).with_suffix(".data.js") if split else None
    check_outputs((output, None if data_file is None else str(data_file)))
    known = list(read_pair_file(pairs)) if pairs else []
    reference, files = read_to_compare(gold, systems, known)
    named = dict(zip(unique_names(systems), files, strict=True))
    statistics = statistics_of(reference, named, intersection=intersection)
    comparison = compared(statistics, trials=trials, seed=seed)
    ids = common_ids(reference, named, intersection=intersection)
    data = comparison_data(
        comparison,
        read_sentences(ids, reference, named, {x.id: x.target for x in known}),
        title=title or stem(gold),
        coverage=with_links(link_coverage(named, ids)),
    )
    if data_file is not None:
        with open_output(data_file) as stream:
            stream.write(render_data(data))
    with open_output(output) as stream:
        beside = None if data_file is None else data_file.name
        stream.write(render_page("view", data, data_file=beside))
    if not quiet:
        echo_compared(comparison)
