"""`cijie score`, and `cijie m2`, which writes the edits that are scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from cijie.cli.options.base import argument, command, option, options, refuse
from cijie.cli.options.edits import METHOD_FIELDS, SEGMENTER_FIELDS, EditChoice
from cijie.cli.options.methods import MethodChoice, SegmenterChoice
from cijie.cli.options.output import Messages, TableOutput, Trials, left_out, write
from cijie.cli.options.paths import OUTPUT_FILE, READ_FILE, READ_FILE_OR_STDIN
from cijie.cli.options.reading import Reading
from cijie.errors import UsageError, counted, printable
from cijie.files.names import named_files
from cijie.signatures import signed

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences
    from cijie.edits.correction_scores import CorrectionScores


@options("Input")
class Systems(Reading):
    """What systems make of sentences, and references: texts, or M2."""

    files: tuple[str, ...] = argument((), metavar="[SYSTEM]...", type=READ_FILE)
    references: str | None = option(
        None, "The sources with their references.  [default: the last file]", type=READ_FILE
    )
    source: str | None = option(None, "Sources, one per line, instead of SYSTEMs.", type=READ_FILE)
    outputs: tuple[str, ...] = option(
        (),
        "What a system makes of them, line by line; may be repeated.",
        "--system",
        type=READ_FILE,
    )
    lines: tuple[str, ...] = option(
        (),
        "Their references, line by line; may be repeated, for several of a source. An empty line "
        "is no reference.",
        "--reference",
        type=READ_FILE,
    )
    intersection: bool = option(False, "Take only the sentences that gold and all systems have.")
    by_order: bool = option(
        False, "M2: blocks belong together by their order alone, although their sources differ."
    )

    def __post_init__(self) -> None:
        of_lines = self.source is not None, bool(self.outputs), bool(self.lines)
        if of_lines == (False, False, True):
            raise click.UsageError(
                "--reference names lines, for --source and --system; "
                "a file of sources with their references is --references"
            )
        if any(of_lines) and not (all(of_lines) and not self.files and self.references is None):
            raise click.UsageError(
                "--source, --system and --reference must be given together, without SYSTEM"
            )
        if not any(of_lines) and len(self.files) < (2 if self.references is None else 1):
            raise click.UsageError("expected a SYSTEM and --references FILE")

    @property
    def paths(self) -> tuple[tuple[str, ...], str | None]:
        """The files of the systems, and that of references with sources, if it is one."""
        if self.source is not None or self.references is not None:
            return self.outputs or self.files, self.references
        *systems, references = self.files
        return tuple(systems), references


@options("Output")
class Scores(TableOutput):
    """How edits are scored, and what is written of it."""

    beta: float = option(
        0.5,
        "How much recall weighs in F.",
        type=click.FloatRange(min=0, min_open=True),
        group="Score",
    )
    rules: Literal["errant", "cherrant"] = option(
        "cherrant",
        "Corrections are equal if their words are, or if their characters are.",
        group="Score",
    )
    sentences: str | None = option(
        None,
        "Where to write each sentence's result: *.jsonl, with its edits, or *.tsv.",
        type=OUTPUT_FILE,
        metavar="FILE",
    )
    write_m2: str | None = option(
        None,
        "Where to write the edits of references and systems as M2, with one segmentation.",
        type=click.Path(file_okay=False),
        metavar="DIR",
    )
    dialect: Literal["errant", "cherrant"] = option("cherrant", "Whose M2 they are.")

    def __post_init__(self) -> None:
        if self.sentences is not None and Path(self.sentences).suffix not in _SENTENCES:
            raise click.UsageError(
                f"--sentences requires a name that ends in {' or '.join(_SENTENCES)}"
            )
        if self.write_m2 is None:
            refuse(["dialect"], "without --write-m2")


@command
def score(
    given: Systems,
    edits: EditChoice,
    method: MethodChoice,
    segmenter: SegmenterChoice,
    output: Scores,
    trials: Trials,
) -> None:
    """Score how each SYSTEM corrects sentences, and compare the systems.

    SYSTEMs and references are files of sources with corrections and ids, in any format that has
    both; sentences of one id belong together: `cijie score system.tsv --references dev.txt`. Or
    they are M2 of either dialect, block by block: `cijie score hyp.m2 ref.m2`. Or give files of
    lines: `cijie score --source S.txt --system H.txt --reference R1.txt --reference R2.txt`.

    All texts of a sentence are cut into words like the source. Its words are recovered from the
    nearest reference, or given by --source-words. So equal texts have equal edits, and a reference
    is always right. Of several references, the one that fits best counts, as in ERRANT and
    ChERRANT.
    """
    from cijie.corpora.corrections import are_m2
    from cijie.jobs.corrections import score_files, score_m2_files

    paths, references = given.paths
    systems, skipped = named_files(paths, ["references"]), Counter[str]()
    scoring = {"beta": output.beta, "rules": output.rules, **vars(trials)}
    if references is not None and are_m2((references, *paths), given.options()):
        unused = ["level", "source_words", "tagger", *METHOD_FIELDS, *SEGMENTER_FIELDS]
        refuse([*unused, "intersection", "write_m2"], "on M2")
        scores = score_m2_files(
            references, systems, by_order=given.by_order, encoding=given.encoding, **scoring
        )
    else:
        refuse(["by_order"], "on other files than M2")
        if references is None:
            refuse(["intersection", "columns"], "on files of lines")
        scores = score_files(
            given.lines if references is None else references,
            systems,
            sources=given.source,
            read=given.options(),
            intersection=given.intersection,
            write_m2=output.write_m2,
            dialect=output.dialect,
            skipped=skipped,
            watch=output.watch,
            **edits.settings(method, segmenter, skipped),
            **scoring,
        )
    if output.sentences is not None:
        write(output.sentences, _SENTENCES[Path(output.sentences).suffix](scores))
    output.write(scores.render(output.table_format).encode())
    output.say(counted(scores.sentences, "sentences") + left_out(skipped))
    if scores.not_scored:
        what = counted(scores.not_scored, "sentences")
        output.say(f"not annotated, and not scored: {what}")
    for name, system in scores.systems.items():
        if system.deleted:
            what = counted(system.deleted, "sentences")
            output.say(f"warning: {name} deletes {what} altogether")


def _as_jsonl(scores: CorrectionScores) -> Iterator[bytes]:
    from cijie.corpora.jsonl import dump_line

    return map(dump_line, scores.sentence_records())


def _as_tsv(scores: CorrectionScores) -> Iterator[bytes]:
    return (("\t".join(map(printable, row)) + "\n").encode() for row in scores.sentence_rows())


_SENTENCES = {".jsonl": _as_jsonl, ".tsv": _as_tsv}


@options("Input")
class Texts(Reading):
    """Sources with their targets: a file of them, or files of lines."""

    files: tuple[str, ...] = argument((), type=READ_FILE_OR_STDIN)
    orig: str | None = option(
        None, "Sources, one per line.", "-orig --orig", type=READ_FILE_OR_STDIN
    )
    cor: tuple[str, ...] = option(
        (),
        "Targets, one per line; for several references name several files.",
        "-cor --cor",
        type=READ_FILE_OR_STDIN,
    )

    def sentences(self) -> Sentences:
        """The sentences."""
        if self.orig is not None and (self.cor or self.files):
            refuse(["columns"], "on lines of several files")
            # What follows the first file of -cor is an argument to click, a reference to ERRANT.
            return self.read((self.orig, *self.cor, *self.files), "corrections")
        if self.orig is not None or self.cor or len(self.files) != 1:
            raise click.UsageError("give either PAIRS, or -orig and -cor")
        return self.read(self.files[0], "corrections")


@options("Output")
class M2Output(Messages):
    """A file of M2."""

    output: str = option("-", "Where to write.", "-out -o --output", type=OUTPUT_FILE)
    dialect: Literal["errant", "cherrant"] = option(
        "errant", "Whose M2: with operations M, R, S, W and the corrected sentences in ChERRANT's."
    )

    def __post_init__(self) -> None:
        """Refuse to write edits to a file whose name says that it has another format."""
        from cijie.corpora.formats import format_to_write

        try:
            format = format_to_write(self.output, "errant")
        except UsageError:
            return
        if format.module != "m2":
            raise click.UsageError(f"{format} cannot hold edits; write to a file *.m2")


@command
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

    As with ERRANT, `cijie m2 -orig S.txt -cor T.txt [T2.txt …] -out X.m2 --dialect errant`; or
    `cijie m2 PAIRS -out X.m2 --dialect cherrant` with a file of pairs in any format, all of whose
    references are used. Nothing is left out: block n is record n.
    """
    from cijie.corpora.corrections import edit_blocks
    from cijie.corpora.m2 import write_block
    from cijie.corpora.reading import sentences_of
    from cijie.errors import located
    from cijie.files.output import open_output

    skipped: Counter[str] = Counter()
    sentences = texts.sentences()
    watched = output.watch(sentences_of(sentences), "sentences")
    blocks, basis = edit_blocks(
        ((sentence, ()) for sentence in watched), **edits.settings(method, segmenter, skipped)
    )
    count, types = 0, Counter[str]()
    with open_output(output.output) as stream:
        for block in blocks:
            count += 1
            with located(id=block.id):
                written = write_block(block.references, stream, output.dialect)
            for annotation in written.annotations:
                types.update(edit.type for edit in annotation.edits)
    shown = ", ".join(f"{number:,} {type}" for type, number in sorted(types.items()))
    output.say(
        f"{counted(count, 'blocks')}: {shown or 'no edits'}{left_out(skipped + sentences.skipped)}",
        signed(basis, f"dialect:{output.dialect}"),
    )
