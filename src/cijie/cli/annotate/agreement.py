"""`cijie annotate agreement`."""

from __future__ import annotations

from typing import Any

import click

from cijie.cli.annotate.common import (
    FOLDER_OR_FILE,
    echo_read,
    intersection_option,
    read_all,
    study_in,
)
from cijie.cli.options import (
    FILE,
    OUTPUT_GROUP,
    check_outputs,
    command,
    format_option,
    option,
    output_option,
    quiet_option,
)


@command()
@click.argument("pairs", metavar="FOLDER|PAIRS", type=FOLDER_OR_FILE)
@click.argument("annotations", metavar="[ANNOTATIONS]...", type=FILE, nargs=-1)
@output_option
@format_option
@option(
    "--page",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    help="Where to write a page that shows where they differ, side by side.  "
    "[default: nowhere, or agreement.html in FOLDER]",
)
@intersection_option
@quiet_option
def agreement(
    pairs: str,
    annotations: tuple[str, ...],
    output: str,
    result_format: Any,
    page: str | None,
    intersection: bool,
    quiet: bool,
) -> None:
    """Measure how far annotators agree on where words end, and how long they took.

    FOLDER is what `start` made, with the files that the annotators exported. Instead of FOLDER,
    PAIRS may hold the texts: proposals, or pairs in MuCGEC's format or as *.jsonl. The tables have
    F1, Krippendorff's alpha and kappa over all positions, near learners' errors, and elsewhere.
    They also have the time, keys and clicks of annotators who agreed to be counted.
    """
    from cijie.evaluation.tables import render_tables
    from cijie.files.output import open_output
    from cijie.gold import agreement
    from cijie.gold.report import agreement_page

    study = study_in(pairs, ANNOTATIONS=annotations)
    check_outputs((output, page))
    if study:
        page = page or str(study.agreement_page)
        known, read, skipped = read_all(study.proposals, study.annotations())
        study.check(read)
    elif not annotations:
        raise click.UsageError("PAIRS need ANNOTATIONS")
    else:
        known, read, skipped = read_all(pairs, annotations)
    measured = agreement.agreement(known, read, intersection=intersection)
    text = render_tables(
        list(measured.tables()), measured.as_record(), measured.signature, result_format
    )
    html = agreement_page(measured, known, read, intersection=intersection) if page else b""
    with open_output(output) as stream:
        stream.write(text.encode())
    if page:
        with open_output(page) as stream:
            stream.write(html)
    if not quiet:
        echo_read(known, read, skipped, measured.sentences)
        if page:
            click.echo(f"side by side: {page}", err=True)
