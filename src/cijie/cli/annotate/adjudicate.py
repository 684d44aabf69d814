"""`cijie annotate adjudicate`."""

from __future__ import annotations

from collections import Counter

import click

from cijie.cli.annotate.common import FOLDER_OR_FILE, echo_next, study_in
from cijie.cli.options import (
    FILE,
    INPUT_GROUP,
    OUTPUT,
    OUTPUT_GROUP,
    check_outputs,
    command,
    left_out,
    option,
    quiet_option,
)
from cijie.errors import counted


@command()
@click.argument("sheet", metavar="FOLDER|SHEET", type=FOLDER_OR_FILE)
@click.argument("answers", metavar="[ANSWERS]...", type=FILE, nargs=-1)
@option(
    "--unanimous",
    group=INPUT_GROUP,
    type=FILE,
    help="The gold that `cijie annotate merge` wrote.",
)
@option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=OUTPUT,
    help="Where to write the gold.  [default: -, or gold.jsonl in FOLDER]",
)
@option(
    "--remarks",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    help="Where to write what annotators and adjudicators said.  "
    "[default: nowhere, or remarks.jsonl in FOLDER]",
)
@quiet_option
def adjudicate(
    sheet: str,
    answers: tuple[str, ...],
    unanimous: str | None,
    output: str | None,
    remarks: str | None,
    quiet: bool,
) -> None:
    """Put the gold together: what all cut alike, and the answers of the adjudicator.

    FOLDER is what `start` made and `merge` wrote to, with the file that the adjudicator exported.
    Instead of FOLDER, SHEET may be the adjudication sheet, with ANSWERS and --unanimous. Every
    sentence of the sheet must have one answer; no other sentence may have one. Gold has neither
    texts nor remarks.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.files.output import open_output
    from cijie.gold import adjudication
    from cijie.gold.annotation import read_annotations
    from cijie.gold.proposals import read_proposals
    from cijie.gold.shipped import gold_record

    study = study_in(sheet, ANSWERS=answers, **{"--unanimous": unanimous})
    check_outputs((output, remarks))
    if study:
        study.check_merged()
        contested, agreed_path = str(study.sheet), str(study.unanimous)
        answers = tuple(map(str, study.answers()))
        output, remarks = output or str(study.gold), remarks or str(study.remarks)
    elif unanimous is None or not answers:
        raise click.UsageError("a SHEET needs ANSWERS and --unanimous")
    else:
        contested, agreed_path = sheet, unanimous
    output = output or "-"
    proposals = read_proposals(contested)
    agreed = adjudication.read_unanimous(agreed_path, proposals)
    skipped: Counter[str] = Counter()
    read = read_annotations(answers, {id: x.pair for id, x in proposals.items()}, skipped)
    result = adjudication.adjudicate(proposals, read)
    with open_output(output) as stream:
        stream.writelines(dump_line(record) for record, _ in agreed.values())
        stream.writelines(dump_line(gold_record(*each)) for each in result.decided)
    if remarks:
        said = adjudication.remark_records(
            {id: x for id, (_, x) in agreed.items()}, proposals, result
        )
        with open_output(remarks) as stream:
            stream.writelines(map(dump_line, said))
    if quiet:
        return
    versions = "".join(f"; as {name}: {n:,}" for name, n in result.decided_as.items())
    sentences = counted(len(agreed) + len(result.decided), "sentences")
    click.echo(
        f"{sentences}: {len(agreed):,} unanimous, "
        f"{len(result.decided):,} adjudicated, {result.flagged:,} of them flagged"
        f"{left_out(skipped)}",
        err=True,
    )
    regions = counted(result.regions, "regions")
    click.echo(f"{regions}{versions}; otherwise: {result.own:,}", err=True)
    if study:
        echo_next(f"cijie evaluate {output} RESULTS --pairs {study.proposals}")
