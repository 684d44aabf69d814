"""`cijie annotate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.annotate_page import page
from cijie.cli.options import (
    FILE,
    INPUT,
    INPUT_GROUP,
    METHOD_GROUP,
    OUTPUT_GROUP,
    Group,
    check_output,
    check_outputs,
    echo_input,
    format_option,
    left_out,
    make_segmenter,
    option,
    output_option,
    pair_options,
    quiet_option,
    read_pair_file,
    read_pairs,
    segmenter_options,
    unique_names,
)
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.gold.annotation import Annotation
    from cijie.recovery.pair import Pair

_intersection_option = option(
    "--intersection",
    group=INPUT_GROUP,
    is_flag=True,
    help="Take only the sentences that all annotators have done.",
)


@click.group(cls=Group)
def annotate() -> None:
    """Annotate how sources are segmented: proposals, merging, adjudication, agreement.

    Annotations are spans of code points with checksums of the texts that they belong to; they hold
    no text themselves.
    """


annotate.add_command(page)


@annotate.command()
@pair_options
@output_option
@option(
    "--method",
    "methods",
    group=METHOD_GROUP,
    type=click.Choice(["direct", "dictionary", "p1", "p2", "p3"]),
    multiple=True,
    help="Propose what this method recovers; may be repeated.  "
    "[default: direct, p1, p2 and p3, if there is no --system]",
)
@option(
    "--system",
    "systems",
    group=INPUT_GROUP,
    metavar="FILE",
    type=FILE,
    multiple=True,
    help="Propose the segmentations in a file, of any format that `cijie evaluate` reads; may be "
    "repeated.",
)
@option(
    "--least-sure-first",
    group=OUTPUT_GROUP,
    is_flag=True,
    help="Order sentences by how sure p3 is, and not as in PAIRS.",
)
@segmenter_options
@quiet_option
def propose(
    output: str,
    methods: tuple[Any, ...],
    systems: tuple[str, ...],
    least_sure_first: bool,
    quiet: bool,
    input_options: dict[str, Any],
    segmenter_options: dict[str, Any],
) -> None:
    """Propose segmentations of the sources in PAIRS, for annotators to start from.

    Methods are taken with their default options; what `cijie recover` made with others is a
    --system. The output holds the texts.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.corpora.segmentations import read_to_compare
    from cijie.files.output import open_output
    from cijie.gold import proposals

    skipped: Counter[str] = Counter()
    pairs = list(read_pairs(**input_options, skipped=skipped))
    check_output(output)
    if not systems:
        methods = methods or ("direct", "p1", "p2", "p3")
    named = {}
    if systems:
        first, others = read_to_compare(systems[0], systems[1:], pairs)
        named = dict(zip(unique_names(systems, methods), [first, *others], strict=True))
    segmenter = make_segmenter(**segmenter_options)
    if least_sure_first and "p3" not in methods:
        raise click.UsageError("--least-sure-first goes with --method p3")
    proposed: Iterable[proposals.Proposals] = progress(
        proposals.propose(pairs, methods, segmenter, named), "sentences", quiet=quiet
    )
    if least_sure_first:
        proposed = sorted(proposed, key=attrgetter("confidence"))
    differing = 0
    with open_output(output) as stream:
        for each in proposed:
            stream.write(dump_line(each.as_record()))
            differing += bool(each.regions)
    if not quiet:
        echo_input(len(pairs), skipped)
        names = ", ".join([*methods, *named])
        click.echo(
            f"proposals: {names}; they differ in {counted(differing, 'sentences')}", err=True
        )
        click.echo(f"segmenter:{segmenter.name}", err=True)


@annotate.command()
@click.argument("pairs", type=INPUT)
@click.argument("annotations", metavar="ANNOTATIONS...", type=FILE, nargs=-1, required=True)
@output_option
@option(
    "--sheet",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    required=True,
    help="Where to write the sentences to be adjudicated.",
)
@_intersection_option
@quiet_option
def merge(
    pairs: str,
    annotations: tuple[str, ...],
    output: str,
    sheet: str,
    intersection: bool,
    quiet: bool,
) -> None:
    """Merge the ANNOTATIONS of several annotators: what they cut alike, and what they do not.

    PAIRS holds the texts: the proposals they worked from. Sentences cut alike go to --output, as
    stand-off gold; the others, and those that somebody flagged, go to --sheet, with all versions
    and the regions in which they differ.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.files.output import open_output
    from cijie.gold import adjudication
    from cijie.gold.shipped import gold_record

    check_outputs((output, sheet))
    known, read, skipped = _read(pairs, annotations)
    merged = adjudication.merge(known, read, intersection=intersection)
    with open_output(output) as gold_stream, open_output(sheet) as sheet_stream:
        gold_stream.writelines(dump_line(gold_record(*each)) for each in merged.unanimous)
        sheet_stream.writelines(dump_line(each.as_sheet_record()) for each in merged.sheet)
    if not quiet:
        _echo_read(known, read, skipped, len(merged.unanimous) + len(merged.sheet))
        click.echo(
            f"{len(merged.unanimous):,} unanimous; {len(merged.sheet):,} to adjudicate, "
            f"{merged.flagged:,} of them flagged only; "
            f"{counted(merged.regions, 'regions')} with differences",
            err=True,
        )


@annotate.command()
@click.argument("sheet", type=FILE)
@click.argument("answers", metavar="ANSWERS...", type=FILE, nargs=-1, required=True)
@option(
    "--unanimous",
    group=INPUT_GROUP,
    type=FILE,
    required=True,
    help="The gold that `cijie annotate merge` wrote.",
)
@output_option
@quiet_option
def adjudicate(
    sheet: str, answers: tuple[str, ...], unanimous: str, output: str, quiet: bool
) -> None:
    """Put the gold together: what is --unanimous, and the ANSWERS to the adjudication SHEET.

    Every sentence of the sheet must have one answer, and no other sentence any.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.errors import CijieError
    from cijie.files.output import open_output
    from cijie.gold import adjudication
    from cijie.gold.annotation import read_annotations
    from cijie.gold.proposals import read_proposals
    from cijie.gold.shipped import gold_record, read_gold_records

    check_output(output)
    contested = read_proposals(sheet)
    agreed = read_gold_records(unanimous)
    for id in contested:
        if id in agreed:
            raise CijieError(f"both unanimous, in {unanimous}, and in {sheet}", id=id)
    skipped: Counter[str] = Counter()
    read = read_annotations(answers, {id: x.pair for id, x in contested.items()}, skipped)
    result = adjudication.adjudicate(contested, read)
    with open_output(output) as stream:
        stream.writelines(map(dump_line, agreed.values()))
        stream.writelines(dump_line(gold_record(*each)) for each in result.decided)
    if not quiet:
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


@annotate.command()
@click.argument("pairs", type=INPUT)
@click.argument("annotations", metavar="ANNOTATIONS...", type=FILE, nargs=-1, required=True)
@output_option
@format_option
@_intersection_option
@quiet_option
def agreement(
    pairs: str,
    annotations: tuple[str, ...],
    output: str,
    result_format: Any,
    intersection: bool,
    quiet: bool,
) -> None:
    """Measure how far the ANNOTATIONS of several annotators agree in where words end.

    PAIRS holds the texts: proposals, or pairs in MuCGEC's format or as *.jsonl. Reported are F1,
    Krippendorff's alpha and kappa over all positions, near learner errors, and elsewhere.
    """
    from cijie.evaluation.tables import render_tables
    from cijie.files.output import open_output
    from cijie.gold import agreement

    check_output(output)
    known, read, skipped = _read(pairs, annotations)
    measured = agreement.agreement(known, read, intersection=intersection)
    text = render_tables(
        list(measured.tables()), measured.as_record(), measured.signature, result_format
    )
    with open_output(output) as stream:
        stream.write(text.encode())
    if not quiet:
        _echo_read(known, read, skipped, measured.sentences)


def _read(
    pairs: str, annotations: tuple[str, ...]
) -> tuple[dict[str, Pair], dict[str, dict[str, Annotation]], Counter[str]]:
    from cijie.gold.annotation import read_annotations

    known = {pair.id: pair for pair in read_pair_file(pairs)}
    skipped: Counter[str] = Counter()
    return known, read_annotations(annotations, known, skipped), skipped


def _echo_read(
    known: dict[str, Pair],
    read: dict[str, dict[str, Annotation]],
    skipped: Counter[str],
    taken: int,
) -> None:
    if nobody := len(known.keys() - set().union(*read.values())):
        skipped["sentences that nobody annotated"] = nobody
    for name, annotated in read.items():
        if len(annotated) > taken:
            skipped[f"sentences of {name}"] = len(annotated) - taken
    click.echo(f"{counted(taken, 'sentences')}{left_out(skipped)}", err=True)
