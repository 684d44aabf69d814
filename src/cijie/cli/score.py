"""`cijie score`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    FILE,
    INPUT_GROUP,
    OUTPUT,
    OUTPUT_GROUP,
    check_outputs,
    command,
    edit_options,
    format_option,
    left_out,
    method_options,
    option,
    output_option,
    quiet_option,
    refuse,
    segmenter_options,
    sentence_blocks,
    told_options,
    trial_options,
    unique_names,
)
from cijie.cli.options.systems import intersection_option
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.edits.annotate import SentenceBlocks
    from cijie.edits.blocks import Dialect
    from cijie.edits.correction_scores import CorrectionScores
    from cijie.edits.cutting import Corrections

SCORE_GROUP = "Score"


@command()
@click.argument("files", metavar="[SYSTEM]...", type=FILE, nargs=-1)
@option(
    "--references",
    group=INPUT_GROUP,
    type=FILE,
    help="The sources with their references.  [default: the last file]",
)
@option("--source", group=INPUT_GROUP, type=FILE, help="Sources, one a line, instead of SYSTEMs.")
@option(
    "--system",
    "outputs",
    group=INPUT_GROUP,
    type=FILE,
    multiple=True,
    help="What a system makes of them, line by line; for several systems again.",
)
@option(
    "--reference",
    "lines",
    group=INPUT_GROUP,
    type=FILE,
    multiple=True,
    help="Their references, line by line; for several of a source again. An empty line is none.",
)
@told_options
@intersection_option
@option(
    "--by-order",
    group=INPUT_GROUP,
    is_flag=True,
    help="M2: blocks belong together by their order alone, although their sources differ.",
)
@edit_options
@option(
    "--beta",
    group=SCORE_GROUP,
    type=click.FloatRange(min=0, min_open=True),
    default=0.5,
    show_default=True,
    help="How much recall weighs in F.",
)
@option(
    "--rules",
    group=SCORE_GROUP,
    type=click.Choice(["errant", "cherrant"]),
    default="cherrant",
    show_default=True,
    help="Corrections are equal if their words are, or if their characters are.",
)
@method_options
@segmenter_options
@output_option
@format_option
@option(
    "--sentences",
    group=OUTPUT_GROUP,
    type=OUTPUT,
    metavar="FILE",
    help="Where to write each sentence's result: *.jsonl, with its edits, or *.tsv.",
)
@option(
    "--write-m2",
    group=OUTPUT_GROUP,
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Where to write the edits of references and systems as M2, with one segmentation.",
)
@option(
    "--dialect",
    group=OUTPUT_GROUP,
    type=click.Choice(["errant", "cherrant"]),
    default="cherrant",
    show_default=True,
    help="Whose M2 they are.",
)
@trial_options
@quiet_option
def score(
    files: tuple[str, ...],
    references: str | None,
    source: str | None,
    outputs: tuple[str, ...],
    lines: tuple[str, ...],
    told: dict[str, Any],
    intersection: bool,
    by_order: bool,
    edit_options: dict[str, Any],
    beta: float,
    rules: Any,
    method_options: dict[str, Any],
    segmenter_options: dict[str, Any],
    output: str,
    result_format: Any,
    sentences: str | None,
    write_m2: str | None,
    dialect: Any,
    trials: int,
    seed: int,
    quiet: bool,
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
    from cijie.edits.scoring import score_blocks
    from cijie.files.output import new_directory, open_output

    systems, references = _systems(files, references, source, outputs, lines)
    names = unique_names(systems, taken=["references"])
    check_outputs((output, sentences))
    if sentences is not None and Path(sentences).suffix not in _SENTENCES:
        raise click.UsageError(f"--sentences wants a name that ends in {' or '.join(_SENTENCES)}")
    if write_m2 is None:
        refuse(["dialect"], "without --write-m2")
    skipped: Counter[str] = Counter()
    named = dict(zip(names, systems, strict=True))
    if references is not None and _is_m2([references, *systems], told):
        from cijie.corpora.corrections import read_blocks

        unused = [*edit_options, *method_options, *segmenter_options]
        refuse([*unused, "intersection", "write_m2"], "on M2")
        blocks = read_blocks(references, named, by_order=by_order, encoding=told["encoding"])
        basis = "m2"
    else:
        refuse(["by_order"], "on other files than M2")
        corrections = _corrections(named, references, source, lines, told, intersection, skipped)
        blocks, basis = sentence_blocks(
            corrections, edit_options, method_options, segmenter_options, skipped
        )
    with ExitStack() as stack:
        blocks = progress(blocks, "sentences", quiet=quiet)
        if write_m2 is not None:
            folder = stack.enter_context(new_directory(write_m2))
            blocks = _written(blocks, folder, names, dialect, stack)
        scores = score_blocks(
            names, blocks, beta=beta, rules=rules, trials=trials, seed=seed, basis=basis
        )
    if sentences is not None:
        with open_output(sentences) as stream:
            stream.writelines(_SENTENCES[Path(sentences).suffix](scores))
    with open_output(output) as stream:
        stream.write(scores.render(result_format).encode())
    if not quiet:
        click.echo(f"{counted(scores.sentences, 'sentences')}{left_out(skipped)}", err=True)
        if scores.not_scored:
            what = counted(scores.not_scored, "sentences")
            click.echo(f"not annotated, and not scored: {what}", err=True)
        for name, system in scores.systems.items():
            if system.deleted:
                what = counted(system.deleted, "sentences")
                click.echo(f"warning: {name} deletes {what} altogether", err=True)


def _systems(
    files: tuple[str, ...],
    references: str | None,
    source: str | None,
    outputs: tuple[str, ...],
    lines: tuple[str, ...],
) -> tuple[tuple[str, ...], str | None]:
    """The files of the systems, and that of the references, if it is one with their sources."""
    if source is not None and outputs and lines and not files and references is None:
        return outputs, None
    if lines and source is None and not outputs:
        raise click.UsageError(
            "--reference names lines, for --source and --system; "
            "a file of sources with their references is --references"
        )
    if source is not None or outputs or lines:
        raise click.UsageError("--source, --system and --reference go together, without SYSTEMs")
    if references is None and files:
        *systems, references = files
    else:
        systems = list(files)
    if not systems:
        raise click.UsageError("give a SYSTEM and references")
    return tuple(systems), references


def _is_m2(paths: Sequence[str], told: Mapping[str, Any]) -> bool:
    """Whether files are M2, all of them or none.

    Raises:
        FormatError: some are, and some are not.
    """
    from cijie.corpora.corrections import is_m2
    from cijie.corpora.reading import ReadOptions
    from cijie.errors import FormatError

    found = {path: is_m2(path, ReadOptions(**told)) for path in paths}
    if len(set(found.values())) > 1:
        is_so, is_not = (next(p for p, m2 in found.items() if m2 == so) for so in (True, False))
        message = (
            f"{is_so} is M2, but this is not: give only texts, or only M2; "
            "cijie score --write-m2 makes M2 from texts"
        )
        raise FormatError(message, path=is_not)
    return found[paths[0]]


def _corrections(
    systems: Mapping[str, str],
    references: str | None,
    source: str | None,
    lines: Sequence[str],
    told: Mapping[str, Any],
    intersection: bool,
    skipped: Counter[str],
) -> Iterator[Corrections]:
    from cijie.corpora.corrections import read_corrections, read_lines_of_corrections
    from cijie.corpora.reading import ReadOptions

    if references is not None:
        return read_corrections(
            references,
            systems,
            intersection=intersection,
            skipped=skipped,
            options=ReadOptions(**told),
        )
    assert source is not None
    refuse(["intersection", "format", "columns"], "on files of lines")
    return read_lines_of_corrections(
        source, list(systems.values()), lines, encoding=told["encoding"], skipped=skipped
    )


def _written(
    sentences: Iterable[SentenceBlocks],
    folder: Path,
    names: Sequence[str],
    dialect: Dialect,
    stack: ExitStack,
) -> Iterator[SentenceBlocks]:
    """The same sentences; meanwhile they are written to files of M2, one a system."""
    from cijie.corpora.m2 import write_block
    from cijie.errors import located

    streams = [
        stack.enter_context((folder / f"{name}.m2").open("wb")) for name in ("references", *names)
    ]
    for sentence in sentences:
        with located(id=sentence.id):
            for stream, block in zip(
                streams, (sentence.references, *sentence.outputs), strict=True
            ):
                write_block(block, stream, dialect)
        yield sentence


def _as_jsonl(scores: CorrectionScores) -> Iterator[bytes]:
    from cijie.corpora.jsonl import dump_line

    return map(dump_line, scores.sentence_records())


def _as_tsv(scores: CorrectionScores) -> Iterator[bytes]:
    measures = "correction", "detection"
    for number, record in enumerate(scores.sentence_records()):
        if not number:
            heads = [f"{measure} {name}" for measure in measures for name in record[measure]]
            yield ("\t".join(["id", "system", "reference", *heads]) + "\n").encode()
        values = [value for measure in measures for value in record[measure].values()]
        first = [record[name] for name in ("id", "system", "reference")]
        yield ("\t".join(map(str, [*first, *values])) + "\n").encode()


_SENTENCES = {".jsonl": _as_jsonl, ".tsv": _as_tsv}
