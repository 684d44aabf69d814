"""`cijie annotate page`."""

from __future__ import annotations

import click

from cijie.cli.annotate.common import guideline_option, guideline_texts, start_option
from cijie.cli.options import (
    INPUT,
    OUTPUT,
    OUTPUT_GROUP,
    check_output,
    command,
    option,
    quiet_option,
)
from cijie.errors import counted


@command()
@click.argument("sheet", type=INPUT)
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
    "--annotator",
    group=OUTPUT_GROUP,
    metavar="NAME",
    required=True,
    help="Who is going to annotate.",
)
@start_option
@guideline_option
@quiet_option
def page(
    sheet: str,
    output: str,
    annotator: str,
    start: str,
    guidelines: tuple[str, ...],
    quiet: bool,
) -> None:
    """Write a page on which the sentences of a SHEET are annotated.

    A SHEET is what `propose` writes, an adjudication sheet of `merge`, or a voting sheet of `cijie
    bench learner`. The page is one file that works in any browser, from disk and without a network.
    It keeps what was done in the browser and exports it as JSON lines. It contains the texts, so
    pass it on like them.
    """
    from cijie.files.output import open_output
    from cijie.gold.sheets import annotation_page, sheet_data

    check_output(output)
    if not annotator.strip():
        raise click.UsageError("--annotator is empty")
    data = sheet_data(sheet, annotator=annotator, start=start)
    html = annotation_page(data, guideline_texts(guidelines, mode=data["mode"]))
    with open_output(output) as stream:
        stream.write(html)
    if not quiet:
        click.echo(f"{counted(len(data['items']), 'sentences')} to {data['mode']}", err=True)
