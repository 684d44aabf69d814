"""`cijie annotate`: a folder for the work of several annotators, from pairs to gold."""

from __future__ import annotations

from collections import Counter

import click
import cloup

from cijie.choices import Method
from cijie.cli.options.base import (
    READ_FILE_OR_STDIN,
    Command,
    argument,
    option,
    options,
)
from cijie.cli.options.files import Messages, NewDirectory, PairOptions, TableOutput, left_out
from cijie.cli.options.methods import SegmenterChoice
from cijie.corpora.reading import sentences_of
from cijie.errors import counted
from cijie.evaluation.tables import render_tables
from cijie.gold.sheets import names_given
from cijie.gold.shipped import read_guidelines
from cijie.gold.study import Study, propose, start_study


@options("Output")
class Guidelines:
    """The text that pages show.

    Attributes:
        guideline: A text in Markdown that pages show.  [default: cijie's guideline; none for votes]
    """

    guideline: str | None = option(None, type=READ_FILE_OR_STDIN)


@options("Input")
class StudyFolder:
    """The folder of a study.

    Attributes:
        intersection: Take only the sentences that all annotators have done.
    """

    folder: str = argument(type=click.Path(exists=True, file_okay=False))
    intersection: bool = False


@options("Output")
class Annotation(NewDirectory, Guidelines):
    """A new study: the annotators, and what they start from.

    Attributes:
        annotators: How many annotators (called A, B, C, …), or their names, separated by commas.
        start: What annotation starts from: agreed (the boundaries that all proposals have), none,
            or the name of a proposal.
        methods: Propose what this method recovers; may be repeated.
    """

    annotators: str = option(metavar="N|NAMES")
    start: str = option("agreed", metavar="START")
    methods: tuple[Method, ...] = option(("direct", "p1", "p2", "p3"), "--method", group="Method")


@Command
def start(pairs: PairOptions, given: Annotation, segmenter: SegmenterChoice) -> None:
    """Make a folder with a page for each annotator of the sources in PAIRS.

    A page is one file that works in any browser, from disk and without a network. It contains the
    texts, so pass it on like them. What annotators export is put into the folder.
    """
    names = names_given(given.annotators)
    read = pairs.sentences()
    known = list(sentences_of(read))
    loaded = segmenter.load()
    study, sentences = start_study(
        given.output,
        given.watch(propose(known, given.methods, loaded), "sentences"),
        names,
        start=given.start,
        guidelines=read_guidelines(given.guideline),
    )
    differing = counted(sum(not each.is_unanimous for each in sentences), "sentences")
    given.say(
        counted(len(known), "pairs") + left_out(read.skipped),
        f"proposals: {', '.join(given.methods)}; they differ in {differing}",
        f"segmenter:{loaded.name}",
    )
    pages = ", ".join(study.page(name).name for name in names)
    given.say_next(
        f"give each annotator a page of {study.folder}: {pages}",
        f"put what they export into {study.folder}",
        f"cijie annotate merge {study.folder}",
    )


@options("Output")
class Merging(StudyFolder, Guidelines, Messages):
    """A study to merge.

    Attributes:
        adjudicator: Who is going to adjudicate on the page.
    """

    adjudicator: str = option("adjudicator", metavar="NAME")


@Command
def merge(given: Merging) -> None:
    """Merge several annotations: find the sentences that all segment the same way, and the rest.

    FOLDER is what `start` made, with the files that the annotators exported. Sentences that
    annotators cut differently, or that somebody flagged, go to to-adjudicate.jsonl: with all
    versions, the regions in which they differ, and the comments. The page of the adjudicator shows
    these.
    """
    study = Study.open(given.folder)
    skipped: Counter[str] = Counter()
    sentences = study.annotated(skipped, intersection=given.intersection)
    contested = study.merge(sentences, given.adjudicator, read_guidelines(given.guideline))
    given.say(
        counted(len(sentences), "sentences") + left_out(skipped),
        f"{len(sentences) - len(contested):,} unanimous; {len(contested):,} to adjudicate, "
        f"{sum(each.is_unanimous for each in contested):,} of them flagged only; "
        f"{counted(sum(len(each.regions) for each in contested), 'regions')} with differences",
    )
    page = study.adjudication_page
    decide = f"adjudicate on {page}, and put what it exports into {given.folder}"
    flag = " --intersection" if given.intersection else ""
    given.say_next(
        f"cijie annotate agreement {given.folder}{flag}",
        *[decide] * bool(contested),
        f"cijie annotate adjudicate {given.folder}{flag}",
    )


@Command
def adjudicate(given: StudyFolder, messages: Messages) -> None:
    """Put the gold together: the unanimous sentences, and the answers of the adjudicator.

    FOLDER is what `start` made and `merge` wrote to, with the file that the adjudicator exported.
    Every sentence that annotators segment differently, or flagged, must have one answer;
    no other sentence may have one. Gold, gold.jsonl, has neither texts nor comments.
    """
    study = Study.open(given.folder)
    skipped: Counter[str] = Counter()
    sentences = study.annotated(intersection=given.intersection)
    answers = study.adjudicate(sentences, skipped)
    messages.say(
        f"{counted(len(sentences), 'sentences')}: {len(sentences) - len(answers):,} unanimous, "
        f"{len(answers):,} adjudicated, "
        f"{sum(each.flag for each in answers):,} of them flagged{left_out(skipped)}"
    )
    messages.say_next(
        f"cijie evaluate {study.folder / 'gold.jsonl'} RESULTS --pairs {study.proposals}"
    )


@Command
def agreement(given: StudyFolder, output: TableOutput) -> None:
    """Measure how far annotators agree on where words end, and how long they took.

    FOLDER is what `start` made, with the files that the annotators exported. The tables have F1 and
    Krippendorff's alpha, of all annotators and of each two, and the time of annotators who agreed
    to be counted. A page in FOLDER, agreement.html, shows where they differ, side by side.
    """
    study = Study.open(given.folder)
    skipped: Counter[str] = Counter()
    measured = study.agreement(study.annotated(skipped, intersection=given.intersection))
    text = render_tables(measured.tables, measured.signature, output.table_format)
    output.write_tables(text, measured.signature)
    output.say(
        counted(measured.sentences, "sentences") + left_out(skipped),
        f"side by side: {study.folder / 'agreement.html'}",
    )


annotate = cloup.Group(
    "annotate",
    help="""Annotate how sources are segmented: pages, merging, adjudication, agreement.

    `start` makes a folder with a page for each annotator. What they export is put into the folder,
    and so may be annotations that were made elsewhere, as annotation-NAME.jsonl. The other commands
    take the folder to gold.

    Annotations are spans of code points with checksums of the texts that they belong to; they hold
    no text themselves.
    """,
    sections=[cloup.Section("Commands", [start, merge, adjudicate, agreement])],
)
