"""`cijie tune`."""

from __future__ import annotations

from typing import Any

import click

from cijie.cli.options import (
    OUTPUT_GROUP,
    RUNNING_GROUP,
    check_outputs,
    command,
    option,
    output_option,
    quiet_option,
)
from cijie.cli.options.paper import experiment_options, make_cases, make_features
from cijie.cli.progress import progress


@command()
@experiment_options
@output_option
@option(
    "--best",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    help="Write the chosen setting to this TOML file, for `cijie recover --config`.",
)
@option(
    "--settings",
    "settings_file",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    help="Write the scores of all settings to this TSV file.",
)
@option(
    "--figure",
    "figures",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    multiple=True,
    help="Draw how F1 depends on each weight: a .pdf, .png or .svg file; may be repeated.",
)
@option(
    "--folds",
    group=RUNNING_GROUP,
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    help="How many parts the pairs are divided into.",
)
@option(
    "--seed",
    group=RUNNING_GROUP,
    type=int,
    default=0,
    show_default=True,
    help="Which division into folds it is.",
)
@quiet_option
def tune(
    output: str,
    best: str | None,
    settings_file: str | None,
    figures: tuple[str, ...],
    folds: int,
    seed: int,
    quiet: bool,
    result_format: Any,
    feature_options: dict[str, Any],
    join_rule: Any,
    **case_options: Any,
) -> None:
    """Choose P2's weights and threshold by cross-validation on PAIRS with gold.

    All weights in steps of .1 that add up to 1 are tried with every threshold from .30 to .90, in
    steps of .05. These 3,718 settings are ranked by their mean F1 over the folds.
    """
    from cijie.cli.settings import settings_text
    from cijie.files.output import open_output
    from cijie.paper.figures import sensitivity_figure
    from cijie.paper.report import render_tuning, setting_lines
    from cijie.paper.tuning import Grid
    from cijie.pictures.figures import check_figure, save_figure

    check_outputs((output, best, settings_file, *figures))
    for figure in figures:
        check_figure(figure)
    features = make_features(feature_options)
    cases = make_cases(**case_options, quiet=quiet)
    grid = Grid(cases, features, folds=folds, seed=seed, join_rule=join_rule)
    what = f"of {len(grid.vectors)} weight vectors"
    tuning = grid.tuning(progress(grid.counts(), what, quiet=quiet))
    with open_output(output) as stream:
        stream.write(render_tuning(tuning, result_format).encode())
    if settings_file:
        with open_output(settings_file) as stream:
            stream.writelines(f"{line}\n".encode() for line in setting_lines(tuning))
    if best:
        chosen = tuning.settings[tuning.best]
        settings = {
            "method": "p2",
            "weights": str(chosen.weights),
            "threshold": chosen.threshold,
            **{name.replace("_", "-"): value for name, value in feature_options.items() if value},
        }
        with open_output(best) as stream:
            stream.write(f"# chosen by cijie tune: {tuning.signature}\n".encode())
            stream.write(settings_text(settings).encode())
    for figure in figures:
        save_figure(sensitivity_figure(tuning), figure)
