"""`cijie m2`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    INPUT,
    INPUT_GROUP,
    OUTPUT,
    OUTPUT_GROUP,
    check_output,
    command,
    edit_options,
    left_out,
    method_options,
    option,
    quiet_option,
    refuse,
    segmenter_options,
    sentence_blocks,
    told_options,
)
from cijie.cli.progress import progress
from cijie.errors import UsageError, counted
from cijie.signatures import signed

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences


@command()
@click.argument("files", type=INPUT, nargs=-1)
@option("-orig", "--orig", group=INPUT_GROUP, type=INPUT, help="Sources, one a line.")
@option(
    "-cor",
    "--cor",
    group=INPUT_GROUP,
    type=INPUT,
    multiple=True,
    help="Targets, one a line; for several references name several files.",
)
@told_options
@option(
    "-out",
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=OUTPUT,
    default="-",
    show_default=True,
    help="Where to write.",
)
@option(
    "--dialect",
    group=OUTPUT_GROUP,
    type=click.Choice(["errant", "cherrant"]),
    default="errant",
    show_default=True,
    help="Whose M2: with operations M, R, S, W and the corrected sentences in ChERRANT's.",
)
@edit_options
@method_options
@segmenter_options
@quiet_option
def m2(
    files: tuple[str, ...],
    orig: str | None,
    cor: tuple[str, ...],
    told: dict[str, Any],
    output: str,
    dialect: Any,
    quiet: bool,
    edit_options: dict[str, Any],
    method_options: dict[str, Any],
    segmenter_options: dict[str, Any],
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
    from cijie.corpora.m2 import write_block
    from cijie.corpora.reading import sentences_of
    from cijie.errors import located
    from cijie.files.output import open_output

    skipped: Counter[str] = Counter()
    read_ones = _sentences(files, orig, cor, told)
    sentences = progress(sentences_of(read_ones), "sentences", quiet=quiet)
    check_output(output)
    _check_m2(output)
    blocks, basis = sentence_blocks(
        ((sentence, ()) for sentence in sentences),
        edit_options,
        method_options,
        segmenter_options,
        skipped,
    )
    counts: Counter[str] = Counter()
    with open_output(output) as stream:
        for block in blocks:
            with located(id=block.id):
                written = write_block(block.references, stream, dialect)
            counts["blocks"] += 1
            for annotation in written.annotations:
                counts.update(edit.type for edit in annotation.edits)
    if not quiet:
        blocks_written = counts.pop("blocks", 0)
        types = ", ".join(f"{count:,} {type}" for type, count in sorted(counts.items()))
        what = left_out(skipped + read_ones.skipped)
        click.echo(f"{counted(blocks_written, 'blocks')}: {types or 'no edits'}{what}", err=True)
        click.echo(signed(basis, f"dialect:{dialect}"), err=True)


def _sentences(
    files: tuple[str, ...],
    orig: str | None,
    cor: tuple[str, ...],
    told: dict[str, Any],
) -> Sentences:
    from cijie.corpora.reading import ReadOptions, read

    if orig is not None and (cor or files):
        refuse(["format", "columns"], "on lines of several files")
        # What follows the first file of -cor is an argument to click, a reference to ERRANT.
        return read((orig, *cor, *files), "corrections", ReadOptions(encoding=told["encoding"]))
    if orig is not None or cor or len(files) != 1:
        raise click.UsageError("give either PAIRS, or -orig and -cor")
    sentences = read(files[0], "corrections", ReadOptions(**told))
    _ = sentences.format  # so that what is wrong with it is said before anything is done
    return sentences


def _check_m2(output: str) -> None:
    """Refuse to write edits to a file whose name says that it has another format."""
    from cijie.corpora.detection import format_to_write

    try:
        format = format_to_write(output, "errant")
    except UsageError:
        return
    if format.module != "m2":
        raise click.UsageError(f"{format} has no place for edits, and they are what is written")
