"""`cijie bench run`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cijie.cli.options import (
    METHOD_GROUP,
    OUTPUT_GROUP,
    SEGMENTER_GROUP,
    check_outputs,
    command,
    format_option,
    make_segmenter,
    option,
    output_option,
    quiet_option,
    refuse,
    segmenter_options,
    trial_options,
)
from cijie.cli.options.methods import METHODS, any_method
from cijie.cli.progress import progress


@command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False))
@option(
    "--methods",
    group=METHOD_GROUP,
    metavar="METHOD,…",
    default="direct,p1,p2",
    show_default=True,
    help="The methods to run, each with its options after colons: p2:position=local:threshold=.8.",
)
@option(
    "--target",
    group=METHOD_GROUP,
    type=click.Choice(["gold", "auto", "both"]),
    default="gold",
    show_default=True,
    help="Whose target words are projected. gold: the corpus's. auto: the segmenter's.",
)
@output_option
@format_option
@option(
    "--figure",
    "figures",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    multiple=True,
    help="Draw F1 over the ratio of noise, and what noise takes away: a .pdf, .png or .svg file; "
    "may be repeated.",
)
@trial_options
@option(
    "--segmenters",
    group=SEGMENTER_GROUP,
    metavar="NAME,…",
    help="Run the methods over each of these segmenters, instead of --segmenter.",
)
@segmenter_options
@quiet_option
def run(
    directory: str,
    methods: str,
    target: str,
    output: str,
    result_format: Any,
    figures: tuple[str, ...],
    segmenters: str | None,
    trials: int,
    seed: int,
    quiet: bool,
    segmenter_options: dict[str, Any],
) -> None:
    """Run methods on the conditions in DIRECTORY, which `cijie bench synthetic` has made.

    Every method starts from the same segmentation of the sources. Where the condition without
    noise is there, tables and figures also show how much less F1 is than on that. Files that are
    not those of their data card are refused.
    """
    from cijie.files.output import open_output
    from cijie.noise.conditions import read_benchmark
    from cijie.noise.figures import f1_figure
    from cijie.noise.runs import BenchmarkRun, parse_methods, render_results
    from cijie.pictures.figures import check_figure, save_figure

    names = [segmenter_options["segmenter"]]
    if segmenters is not None:
        refuse(["segmenter", "segmenter_settings"], "with --segmenters")
        names = [name.strip() for name in segmenters.split(",")]
    try:
        for figure in figures:
            check_figure(figure)
        parsed = parse_methods(methods, any_method, METHODS)
    except FileNotFoundError as error:
        raise click.UsageError(f"no file {error.filename}") from error
    conditions = read_benchmark(directory)
    check_outputs((output, *figures), *map(str, Path(directory).glob("*/*")))
    made = [make_segmenter(**{**segmenter_options, "segmenter": name}) for name in names]
    chosen = BenchmarkRun(made, parsed, trials=trials, seed=seed)
    targets: Any = ("gold", "auto") if target == "both" else (target,)
    results = [
        result
        for condition in progress(conditions, "conditions", quiet=quiet)
        for result in chosen.on(condition, targets)
    ]
    with open_output(output) as stream:
        signature = chosen.signature(conditions)
        stream.write(render_results(results, signature, result_format).encode())
    for figure in figures:
        save_figure(f1_figure(results), figure)
