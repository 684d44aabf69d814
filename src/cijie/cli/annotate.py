"""`cijie annotate`: a folder for the work of several annotators, from pairs to gold."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from cijie.cli.options import (
    FILE,
    INPUT,
    INPUT_GROUP,
    METHOD_GROUP,
    OUTPUT_GROUP,
    Group,
    check_output,
    echo_input,
    format_option,
    left_out,
    make_segmenter,
    new_directory_option,
    option,
    output_option,
    pair_options,
    quiet_option,
    read_pairs,
    segmenter_options,
    unique_names,
)
from cijie.cli.progress import progress
from cijie.errors import counted

FOLDER = click.Path(exists=True, file_okay=False)

guideline_option = option(
    "--guideline",
    "guidelines",
    group=OUTPUT_GROUP,
    type=INPUT,
    multiple=True,
    help="A text in Markdown that pages show; twice for two languages, as *.en.md and *.zh.md.  "
    "[default: cijie's guideline; none for votes]",
)
_intersection_option = option(
    "--intersection",
    group=INPUT_GROUP,
    is_flag=True,
    help="Take only the sentences that all annotators have done.",
)


@click.group(cls=Group)
def annotate() -> None:
    """Annotate how sources are segmented: pages, merging, adjudication, agreement.

    `start` makes a folder with a page for each annotator. What they export is put into the folder,
    and so may be annotations that were made elsewhere, as annotation-NAME.jsonl. The other commands
    take the folder to gold.

    Annotations are spans of code points with checksums of the texts that they belong to; they hold
    no text themselves.
    """


@annotate.command()
@pair_options
@option(
    "--annotators",
    group=OUTPUT_GROUP,
    metavar="N|NAMES",
    required=True,
    help="How many annotators (called A, B, C, …), or their names, separated by commas.",
)
@option(
    "--start",
    group=OUTPUT_GROUP,
    metavar="START",
    default="agreed",
    show_default=True,
    help="What annotation starts from: agreed (the boundaries that all proposals have), none, or "
    "the name of a proposal.",
)
@guideline_option
@new_directory_option
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
    help="Propose the segmentations in a file, of any format that `cijie evaluate` reads; may "
    "be repeated.",
)
@option(
    "--least-sure-first",
    group=OUTPUT_GROUP,
    is_flag=True,
    help="Order sentences by how sure p3 is, and not as in PAIRS.",
)
@segmenter_options
@quiet_option
def start(
    annotators: str,
    start: str,
    guidelines: tuple[str, ...],
    output: str,
    input_options: dict[str, Any],
    segmenter_options: dict[str, Any],
    methods: tuple[Any, ...],
    systems: tuple[str, ...],
    least_sure_first: bool,
    quiet: bool,
) -> None:
    """Make a folder with a page for each annotator of the sources in PAIRS.

    A page is one file that works in any browser, from disk and without a network. It contains the
    texts, so pass it on like them. What annotators export is put into the folder.
    """
    from cijie.corpora.segmentations import read_to_compare
    from cijie.gold.guideline import guidelines_in
    from cijie.gold.proposals import propose
    from cijie.gold.sheets import names_given
    from cijie.gold.study import start_study

    names = names_given(annotators)
    if not systems:
        methods = methods or ("direct", "p1", "p2", "p3")
    if least_sure_first and "p3" not in methods:
        raise click.UsageError("--least-sure-first goes with --method p3")
    skipped: Counter[str] = Counter()
    pairs = list(read_pairs(**input_options, skipped=skipped))
    named: dict[str, Any] = {}
    if systems:
        first, others = read_to_compare(systems[0], systems[1:], pairs)
        named = dict(zip(unique_names(systems, methods), [first, *others], strict=True))
    segmenter = make_segmenter(**segmenter_options)
    study, sentences = start_study(
        output,
        progress(propose(pairs, methods, segmenter, named), "sentences", quiet=quiet),
        names,
        start=start,
        guidelines=guidelines_in(guidelines),
        least_sure_first=least_sure_first,
    )
    if quiet:
        return
    echo_input(len(pairs), skipped)
    differing = counted(sum(not each.is_unanimous for each in sentences), "sentences")
    proposed = ", ".join([*methods, *named])
    pages = ", ".join(study.page(name).name for name in names)
    click.echo(f"proposals: {proposed}; they differ in {differing}", err=True)
    click.echo(f"segmenter:{segmenter.name}", err=True)
    echo_next(
        f"give each annotator a page of {study.folder}: {pages}",
        f"put what they export into {study.folder}",
        f"cijie annotate merge {study.folder}",
    )


@annotate.command()
@click.argument("folder", type=FOLDER)
@option(
    "--adjudicator",
    group=OUTPUT_GROUP,
    metavar="NAME",
    default="adjudicator",
    show_default=True,
    help="Who is going to adjudicate on the page.",
)
@guideline_option
@_intersection_option
@quiet_option
def merge(
    folder: str, adjudicator: str, guidelines: tuple[str, ...], intersection: bool, quiet: bool
) -> None:
    """Merge several annotations: find what all cut alike, and what is left to decide.

    FOLDER is what `start` made, with the files that the annotators exported. Sentences that all cut
    alike go to unanimous.jsonl, as stand-off gold. The others go to to-adjudicate.jsonl, and so do
    sentences that somebody flagged: with all versions, the regions in which they differ, and the
    comments. The page of the adjudicator shows these.
    """
    from cijie.gold.guideline import guidelines_in
    from cijie.gold.study import Study

    study = Study.open(folder)
    skipped: Counter[str] = Counter()
    sentences = study.annotated(skipped, intersection=intersection)
    contested = study.merge(sentences, adjudicator, guidelines_in(guidelines))
    if quiet:
        return
    click.echo(f"{counted(len(sentences), 'sentences')}{left_out(skipped)}", err=True)
    click.echo(
        f"{len(sentences) - len(contested):,} unanimous; {len(contested):,} to adjudicate, "
        f"{sum(each.is_unanimous for each in contested):,} of them flagged only; "
        f"{counted(sum(len(each.regions) for each in contested), 'regions')} with differences",
        err=True,
    )
    page = study.adjudication_page
    decide = [f"adjudicate on {page}, and put what it exports into {folder}"]
    flag = " --intersection" if intersection else ""
    echo_next(
        f"cijie annotate agreement {folder}{flag}",
        *(decide if contested else []),
        f"cijie annotate adjudicate {folder}{flag}",
    )


@annotate.command()
@click.argument("folder", type=FOLDER)
@_intersection_option
@quiet_option
def adjudicate(folder: str, intersection: bool, quiet: bool) -> None:
    """Put the gold together: what all cut alike, and the answers of the adjudicator.

    FOLDER is what `start` made and `merge` wrote to, with the file that the adjudicator exported.
    Every sentence that annotators cut differently, or that somebody flagged, must have one answer;
    no other sentence may have one. Gold, gold.jsonl, has neither texts nor remarks; these are in
    remarks.jsonl.
    """
    from cijie.gold.study import Study

    study = Study.open(folder)
    skipped: Counter[str] = Counter()
    result = study.adjudicate(study.annotated(intersection=intersection), skipped)
    if quiet:
        return
    unanimous, decided = len(result.unanimous), len(result.decided)
    click.echo(
        f"{counted(unanimous + decided, 'sentences')}: {unanimous:,} unanimous, "
        f"{decided:,} adjudicated, {result.flagged:,} of them flagged{left_out(skipped)}",
        err=True,
    )
    regions = counted(result.regions, "regions")
    versions = "".join(f"; as {name}: {n:,}" for name, n in result.decided_as.items())
    click.echo(f"{regions}{versions}; otherwise: {result.own:,}", err=True)
    echo_next(f"cijie evaluate {study.gold} RESULTS --pairs {study.proposals}")


@annotate.command()
@click.argument("folder", type=FOLDER)
@output_option
@format_option
@_intersection_option
@quiet_option
def agreement(
    folder: str, output: str, result_format: Any, intersection: bool, quiet: bool
) -> None:
    """Measure how far annotators agree on where words end, and how long they took.

    FOLDER is what `start` made, with the files that the annotators exported. The tables have F1,
    Krippendorff's alpha and kappa over all positions, near learners' errors, and elsewhere. They
    also have the time, keys and clicks of annotators who agreed to be counted. A page in FOLDER,
    agreement.html, shows where they differ, side by side.
    """
    from cijie.evaluation.tables import render_tables
    from cijie.files.output import open_output
    from cijie.gold.report import agreement_record, agreement_tables
    from cijie.gold.study import Study

    check_output(output)
    study = Study.open(folder)
    skipped: Counter[str] = Counter()
    measured = study.agreement(study.annotated(skipped, intersection=intersection))
    tables, record = agreement_tables(measured), agreement_record(measured)
    with open_output(output) as stream:
        text = render_tables(tables, record, measured.signature, result_format)
        stream.write(text.encode())
    if not quiet:
        click.echo(f"{counted(measured.sentences, 'sentences')}{left_out(skipped)}", err=True)
        click.echo(f"side by side: {study.agreement_page}", err=True)


def echo_next(*lines: str) -> None:
    """Say what comes next."""
    click.echo("next: " + "\n      ".join(lines), err=True)
