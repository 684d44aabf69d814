"""`cijie annotate merge`."""

from __future__ import annotations

import click

from cijie.cli.annotate.common import (
    FOLDER_OR_FILE,
    echo_next,
    echo_read,
    guideline_option,
    guideline_texts,
    intersection_option,
    read_all,
    study_in,
)
from cijie.cli.options import (
    FILE,
    OUTPUT,
    OUTPUT_GROUP,
    check_outputs,
    command,
    option,
    quiet_option,
)
from cijie.errors import counted


@command()
@click.argument("pairs", metavar="FOLDER|PAIRS", type=FOLDER_OR_FILE)
@click.argument("annotations", metavar="[ANNOTATIONS]...", type=FILE, nargs=-1)
@option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=OUTPUT,
    help="Where to write the sentences that are cut alike.  [default: -]",
)
@option(
    "--sheet",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    help="Where to write the sentences to be adjudicated.",
)
@option(
    "--adjudicator",
    group=OUTPUT_GROUP,
    metavar="NAME",
    default="adjudicator",
    show_default=True,
    help="Who is going to adjudicate on the page in FOLDER.",
)
@guideline_option
@intersection_option
@quiet_option
def merge(
    pairs: str,
    annotations: tuple[str, ...],
    output: str | None,
    sheet: str | None,
    adjudicator: str,
    guidelines: tuple[str, ...],
    intersection: bool,
    quiet: bool,
) -> None:
    """Merge several annotations: find what all cut alike, and what is left to decide.

    FOLDER is what `start` made, with the files that the annotators exported. A page for the
    adjudicator is written there. Instead of FOLDER, PAIRS may hold the texts, such as proposals.
    Sentences that all cut alike then go to --output, as stand-off gold. The others go to --sheet,
    and so do sentences that somebody flagged: with all versions, the regions in which they differ,
    and the comments.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.files.output import open_output
    from cijie.gold import adjudication

    study = study_in(pairs, ANNOTATIONS=annotations, **{"--output": output, "--sheet": sheet})
    if study:
        gold, contested = str(study.unanimous), str(study.sheet)
        known, read, skipped = read_all(study.proposals, study.annotations())
        study.check(read)
    else:
        if not annotations or not sheet:
            raise click.UsageError("PAIRS need ANNOTATIONS and --sheet")
        gold, contested = output or "-", sheet
        check_outputs((gold, contested))
        known, read, skipped = read_all(pairs, annotations)
    merged = adjudication.merge(known, read, intersection=intersection)
    with open_output(gold) as gold_stream, open_output(contested) as sheet_stream:
        gold_stream.writelines(map(dump_line, merged.unanimous_records()))
        sheet_stream.writelines(dump_line(each.as_sheet_record()) for each in merged.sheet)
    if study and merged.sheet:
        study.write_adjudication_page(adjudicator, guideline_texts(guidelines))
    if quiet:
        return
    echo_read(known, read, skipped, len(merged.unanimous) + len(merged.sheet))
    click.echo(
        f"{len(merged.unanimous):,} unanimous; {len(merged.sheet):,} to adjudicate, "
        f"{merged.flagged:,} of them flagged only; "
        f"{counted(merged.regions, 'regions')} with differences",
        err=True,
    )
    if study:
        page = study.adjudication_page
        left = [f"adjudicate on {page}, and put what it exports into {pairs}"] * bool(merged.sheet)
        echo_next(f"cijie annotate agreement {pairs}", *left, f"cijie annotate adjudicate {pairs}")
