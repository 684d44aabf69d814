"""Options about what is written, and about the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from cijie.cli.options.base import OUTPUT_GROUP, RUNNING_GROUP, Decorator, option, together
from cijie.cli.options.paths import OUTPUT

output_option = option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=OUTPUT,
    default="-",
    show_default=True,
    is_eager=True,  # what else is written depends on its ending
    help="Where to write.",
)


def format_by_ending(
    name: str, formats: Sequence[str], endings: Mapping[str, str], text: str
) -> Decorator:
    """The option --format; where it is not given, the ending of the output says the format.

    Args:
        name: the parameter.
        formats: the formats, the default first.
        endings: the format of each ending.
        text: what help says.
    """

    def chosen(context: click.Context, parameter: click.Parameter, value: str) -> str:
        if context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT:
            return value
        return endings.get(Path(context.params["output"]).suffix.lower(), value)

    return option(
        "--format",
        name,
        group=OUTPUT_GROUP,
        type=click.Choice(formats),
        default=formats[0],
        show_default=f"what the name of the output says, else {formats[0]}",
        callback=chosen,
        help=text,
    )


new_directory_option = option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    metavar="DIR",
    type=click.Path(file_okay=False),
    required=True,
    help="The directory to make; it must not exist, or be empty.",
)
format_option = format_by_ending(
    "result_format",
    ["text", "json", "tsv", "latex"],
    {".json": "json", ".tsv": "tsv", ".tex": "latex"},
    "text: tables to read. json: all values. tsv: a value a line. latex: tables for booktabs.",
)
quiet_option = option(
    "-q", "--quiet", group=RUNNING_GROUP, is_flag=True, help="No progress, no summary."
)
progress_option = option(
    "--progress",
    group=RUNNING_GROUP,
    type=click.Choice(["auto", "plain", "off"]),
    default="auto",
    show_default=True,
    help="A bar on a terminal and a line a minute elsewhere, such lines everywhere, or nothing.",
)
workers_option = option(
    "--workers",
    group=RUNNING_GROUP,
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many processes share the work; each needs as much memory as one alone.",
)
trial_options = together(
    option(
        "--trials",
        group=RUNNING_GROUP,
        type=click.IntRange(min=1),
        default=10_000,
        show_default=True,
        help="How many random trials each significance test makes.",
    ),
    option(
        "--seed",
        group=RUNNING_GROUP,
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="The seed of the random trials.",
    ),
)
