"""`cijie annotate page`."""

from __future__ import annotations

from collections import Counter

import click

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
@click.argument("proposals", type=INPUT)
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
@option(
    "--start",
    group=OUTPUT_GROUP,
    metavar="NAME",
    help="The proposal to start from, or none.  [default: each sentence's first]",
)
@option(
    "--guideline",
    group=OUTPUT_GROUP,
    type=INPUT,
    help="A text that the page shows on demand.  [default: cijie's guideline, but for votes none]",
)
@quiet_option
def page(
    proposals: str,
    output: str,
    annotator: str,
    start: str | None,
    guideline: str | None,
    quiet: bool,
) -> None:
    """Write a page on which the sentences in PROPOSALS are annotated.

    PROPOSALS may also be an adjudication sheet or a voting sheet. The page is one file that works
    from disk, without a network; it keeps what was done in the browser and exports it as JSON
    lines. It contains the texts, so pass it on like them.
    """
    from cijie.files.lines import read_lines
    from cijie.files.output import open_output
    from cijie.gold.shipped import builtin_guideline
    from cijie.viewer.pages import render_page
    from cijie.viewer.sheets import sheet_data

    check_output(output)
    if not annotator.strip():
        raise click.UsageError("--annotator is empty")
    data = sheet_data(proposals, annotator=annotator, start=start)
    if guideline:
        text = "\n".join(line for _, line in read_lines(guideline))
    else:
        text = "" if data["mode"] == "vote" else builtin_guideline()
    with open_output(output) as stream:
        stream.write(render_page("annotate", {**data, "guideline": text}))
    if not quiet:
        starts = Counter(item.get("start", 0) >= 0 for item in data["items"])
        click.echo(f"{counted(len(data['items']), 'sentences')} to {data['mode']}", err=True)
        if starts[False]:
            click.echo(f"{starts[False]:,} of them with no cut yet", err=True)
