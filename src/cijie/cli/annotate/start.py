"""`cijie annotate start`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cijie.cli.annotate.common import (
    echo_next,
    guideline_option,
    guideline_texts,
    names_of,
    start_option,
)
from cijie.cli.annotate.proposing import proposed, proposing_options
from cijie.cli.options import (
    OUTPUT_GROUP,
    command,
    new_directory_option,
    option,
    pair_options,
    quiet_option,
    segmenter_options,
)


@command()
@pair_options
@option(
    "--annotators",
    group=OUTPUT_GROUP,
    metavar="N|NAMES",
    required=True,
    help="How many annotators (called A, B, C, …), or their names, separated by commas.",
)
@start_option
@guideline_option
@new_directory_option
@proposing_options
@segmenter_options
@quiet_option
def start(
    annotators: str,
    start: str,
    guidelines: tuple[str, ...],
    output: str,
    proposing_options: dict[str, Any],
    quiet: bool,
    **options: Any,
) -> None:
    """Make a folder with a page for each annotator of the sources in PAIRS.

    A page is one file that works in any browser, from disk and without a network. It contains the
    texts, so pass it on like them. What annotators export is put into the folder.
    """
    from cijie.gold.study import start_study

    names = names_of(annotators)
    made = proposed(**proposing_options, **options, quiet=quiet)
    study = start_study(
        output,
        (each.as_record() for each in made),
        names,
        start=start,
        guidelines=guideline_texts(guidelines),
    )
    if not quiet:
        pages = ", ".join(study.page(name).name for name in study.annotators)
        echo_next(
            f"give each annotator a page of {Path(output)}: {pages}",
            f"put what they export into {Path(output)}",
            f"cijie annotate merge {Path(output)}",
        )
