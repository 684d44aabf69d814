"""`cijie score`, and `cijie m2`, which writes the edits that are scored."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Literal, cast

import click

from cijie.choices import Detail
from cijie.cli.options.base import (
    OUTPUT_FILE,
    READ_FILE,
    READ_FILE_OR_STDIN,
    Command,
    Named,
    argument,
    named,
    option,
    options,
    refuse,
)
from cijie.cli.options.files import (
    Messages,
    Reading,
    TableOutput,
    Trials,
    left_out,
    table_option,
    write,
)
from cijie.cli.options.methods import METHOD_FIELDS, SEGMENTER_FIELDS, MethodChoice, SegmenterChoice
from cijie.corpora.corrections import are_m2
from cijie.corpora.formats import format_to_write
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import Sentences, sentences_of
from cijie.errors import UsageError, check_choice, counted
from cijie.jobs.corrections import score_files, write_edits
from cijie.viewer.correction_data import correction_data
from cijie.viewer.pages import render_page


@options("Edit")
class EditChoice:
    """The level of edits, and the words that they are made of.

    Attributes:
        level: Edits of words, or of characters, which need no segmenter.
        source_words: The words of the sources, instead of recovered ones: M2, JSON lines, or lines
            of words with spaces between.
        tagger: Adds parts of speech to the types of edits: jieba, thulac, ltp, hanlp, stanza or
            spacy, with options behind colons (ltp:model=LTP/base); or module:function, from a list
            of words to their tags.
    """

    level: Literal["word", "char"] = "word"
    source_words: str | None = option(None, type=READ_FILE, metavar="FILE")
    tagger: str | None = option(None, metavar="NAME")

    def settings(
        self, method: MethodChoice, segmenter: SegmenterChoice, skipped: Counter[str]
    ) -> dict[str, Any]:
        """Return these options as arguments of `cijie.jobs.corrections`; count skips."""
        settings = {"level": self.level, "tagger": self.tagger, "source_words": self.source_words}
        if self.level == "char":
            unused = [*METHOD_FIELDS, *SEGMENTER_FIELDS, "source_words", "tagger"]
            refuse(unused, "with --level char")
            return settings
        if self.source_words is not None:
            refuse(METHOD_FIELDS, "with --source-words")
        return settings | {"segmenter": segmenter.load(skipped), "method": method.make()}


@options("Input")
class Systems(Reading):
    """The corrections of systems, and references: texts or M2.

    Attributes:
        source: Sources, one per line, instead of SYSTEMs.
        outputs: A system's corrections, line by line; may be repeated.
        lines: Their references, line by line; may be repeated, for several of a source. An empty
            line is no reference.
        intersection: Take only the sentences that gold and all systems have.
        by_order: M2: blocks belong together by their order alone, although their sources differ.
    """

    files: tuple[str, ...] = argument(
        (), metavar="[REFERENCES] [SYSTEM]...", type=Named(stdin=False)
    )
    source: str | None = option(None, type=READ_FILE)
    outputs: tuple[str, ...] = option((), "--system", type=Named(stdin=False))
    lines: tuple[str, ...] = option((), "--reference", type=READ_FILE)
    intersection: bool = False
    by_order: bool = False

    def __post_init__(self) -> None:
        of_lines = self.source is not None, bool(self.outputs), bool(self.lines)
        if any(of_lines) and (self.files or not all(of_lines)):
            raise click.UsageError(
                "--source, --system and --reference must be given together, without REFERENCES"
            )
        if not any(of_lines) and len(self.files) < 2:
            raise click.UsageError("expected REFERENCES and a SYSTEM")

    def settings(self, skipped: Counter[str]) -> dict[str, Any]:
        """Return these options as arguments of `score_files`."""
        if self.source is not None:
            refuse(["intersection", "columns"], "on files of lines")
        return {
            "references": self.lines or self.files[0],
            "systems": named(self.outputs or self.files[1:]),
            "sources": self.source,
            "read": self.options(),
            "intersection": self.intersection,
            "by_order": self.by_order,
            "skipped": skipped,
        }


@options("Output")
class Scores(TableOutput):
    """Scoring of edits, and its output.

    Attributes:
        beta: How much recall weighs in F.
        rules: Compare corrections by words (errant) or by characters (cherrant).
        ignore: Edits that do not count, on either side: those of punctuation alone.
        by: Further tables: level (the detection, where only the place must be right), operation,
            type, length. json and tsv have them all.
        sentences: Where to write each sentence's result, with its edits, as JSON lines: *.jsonl.
        write_m2: Where to write the edits of references and systems as M2, with one segmentation.
        dialect: Dialect of the M2 files.
    """

    table_format: Any = table_option(" html: a page of all sentences and their edits.")
    beta: float = option(0.5, type=click.FloatRange(min=0, min_open=True), group="Score")
    rules: Literal["errant", "cherrant"] = option("cherrant", group="Score")
    ignore: Literal["punctuation"] | None = option(None, group="Score")
    by: str | None = option(None, metavar="NAME,…")
    sentences: str | None = option(None, type=OUTPUT_FILE, metavar="FILE")
    write_m2: str | None = option(None, type=click.Path(file_okay=False), metavar="DIR")
    dialect: Literal["errant", "cherrant"] = "cherrant"

    def __post_init__(self) -> None:
        for name in self.details:
            check_choice("table", name, Detail)
        if self.sentences is not None and Path(self.sentences).suffix != ".jsonl":
            raise click.UsageError("--sentences requires a name that ends in .jsonl")
        if self.write_m2 is None:
            refuse(["dialect"], "without --write-m2")

    @property
    def details(self) -> list[Detail]:
        """The names of further tables."""
        return [cast("Detail", name) for name in (self.by or "").split(",") if name]


@Command
def score(
    given: Systems,
    edits: EditChoice,
    method: MethodChoice,
    segmenter: SegmenterChoice,
    output: Scores,
    trials: Trials,
) -> None:
    """Score how each SYSTEM corrects sentences, and compare the systems.

    REFERENCES come first, as gold does in `cijie evaluate`: `cijie score dev.txt system.tsv`. They
    and SYSTEMs are files of sources with corrections and ids, in any format that has both;
    sentences of one id belong together. Or they are M2 of either dialect, block by block: `cijie
    score ref.m2 hyp.m2`. Or give files of lines: `cijie score --source S.txt --system H.txt
    --reference R1.txt --reference R2.txt`.

    All texts of a sentence are cut into words like the source. Its words are recovered from the
    nearest reference, or given by --source-words. So equal texts have equal edits, and a reference
    is always right. Of several references, the one that fits best counts, as in ERRANT and
    ChERRANT. Systems are called after their files, or as NAME=FILE says.
    """
    skipped = Counter[str]()
    settings = given.settings(skipped)
    if given.source is None and are_m2(given.files, given.options()):
        unused = ["level", "source_words", "tagger", *METHOD_FIELDS, *SEGMENTER_FIELDS]
        refuse([*unused, "intersection", "write_m2"], "on M2")
    else:
        refuse(["by_order"], "on other files than M2")
        settings |= edits.settings(method, segmenter, skipped)
    scores = score_files(
        **settings,
        write_m2=output.write_m2,
        dialect=output.dialect,
        watch=output.watch,
        beta=output.beta,
        rules=output.rules,
        ignore=output.ignore,
        **vars(trials),
    )
    if output.sentences is not None:
        write(output.sentences, map(dump_line, scores.sentence_records()))
    if output.table_format == "html":
        output.write(render_page("view", correction_data(scores)))
    else:
        output.write_tables(scores.render(output.table_format, output.details), scores.signature)
    output.say(counted(scores.sentences, "sentences") + left_out(skipped))
    if scores.not_scored:
        what = counted(scores.not_scored, "sentences")
        output.say(f"not annotated, and not scored: {what}")
    for name, system in scores.systems.items():
        if system.deleted:
            what = counted(system.deleted, "sentences")
            output.say(f"warning: {name} deletes {what} altogether")


@options("Input")
class Texts(Reading):
    """Sources with their targets: one file, or parallel files of lines.

    Attributes:
        orig: Sources, one per line.
        cor: Targets, one per line; for several references name several files.
    """

    files: tuple[str, ...] = argument((), type=READ_FILE_OR_STDIN)
    orig: str | None = option(None, "-orig --orig", type=READ_FILE_OR_STDIN)
    cor: tuple[str, ...] = option((), "-cor --cor", type=READ_FILE_OR_STDIN)

    def sentences(self) -> Sentences:
        """Read the sentences."""
        if self.orig is not None and (self.cor or self.files):
            refuse(["columns"], "on lines of several files")
            # What follows the first file of -cor is an argument to click, a reference to ERRANT.
            return self.read((self.orig, *self.cor, *self.files), "corrections")
        if self.orig is not None or self.cor or len(self.files) != 1:
            raise click.UsageError("give either PAIRS, or -orig and -cor")
        return self.read(self.files[0], "corrections")


@options("Output")
class M2Output(Messages):
    """An M2 file.

    Attributes:
        output: Where to write.
        dialect: Whose M2. R is a redundant word in ChERRANT's, a replaced one in ERRANT's, which
            has no corrected sentences.
    """

    output: str = option("-", "-out -o --output", type=OUTPUT_FILE)
    dialect: Literal["errant", "cherrant"] = "cherrant"

    def __post_init__(self) -> None:
        """Refuse to write edits to a file with the extension of another format."""
        try:
            format = format_to_write(self.output, "cherrant")
        except UsageError:  # of a name that says nothing
            return
        if format.module != "m2":
            raise click.UsageError(f"{format} cannot hold edits; write to a file *.m2")


@Command
def m2(
    texts: Texts,
    edits: EditChoice,
    method: MethodChoice,
    segmenter: SegmenterChoice,
    output: M2Output,
) -> None:
    """Write the edits between sources and targets as M2, at word level on recovered boundaries.

    A source has the words that are recovered from the nearest of its targets, or those of
    --source-words. Every target is cut like the source, so no edit is only about segmentation.

    To compare a system with references, make the M2 of both with `cijie score --write-m2`. Two runs
    of `m2` may cut the same source differently.

    `cijie m2 PAIRS -o X.m2` takes a file of pairs in any format, all of whose references are used;
    or, as with ERRANT, `cijie m2 -orig S.txt -cor T.txt [T2.txt …] -out X.m2 --dialect errant`.
    Nothing is left out: block n is record n.
    """
    skipped: Counter[str] = Counter()
    sentences = texts.sentences()
    count, types, signature = write_edits(
        output.watch(sentences_of(sentences), "sentences"),
        output.output,
        dialect=output.dialect,
        **edits.settings(method, segmenter, skipped),
    )
    output.warn_of_nothing(count, "sentences")
    shown = ", ".join(f"{number:,} {type}" for type, number in sorted(types.items()))
    output.say(
        f"{counted(count, 'blocks')}: {shown or 'no edits'}{left_out(skipped + sentences.skipped)}",
        output.signed(signature),
    )
