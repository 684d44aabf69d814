"""Options about what is written, and about the run."""

from __future__ import annotations

import click

from cijie.cli.options.base import OUTPUT_GROUP, RUNNING_GROUP, option, together
from cijie.cli.options.paths import OUTPUT

output_option = option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=OUTPUT,
    default="-",
    show_default=True,
    help="Where to write.",
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
format_option = option(
    "--format",
    "result_format",
    group=OUTPUT_GROUP,
    type=click.Choice(["text", "json", "tsv", "latex"]),
    default="text",
    show_default=True,
    help="text: tables to read. json: all values. tsv: a value a line. latex: tables for booktabs.",
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
