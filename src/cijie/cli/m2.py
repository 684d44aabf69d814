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
    left_out,
    make_chosen_method,
    make_segmenter,
    method_options,
    option,
    pair_format,
    pair_format_option,
    quiet_option,
    refuse,
    segmenter_options,
)
from cijie.cli.progress import progress
from cijie.errors import counted
from cijie.signatures import signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cijie.recovery.pair import Corrected


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
@pair_format_option
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
    help="Whose M2: with types M, R, S, W and the corrected sentences in ChERRANT's.",
)
@option(
    "--level",
    group=OUTPUT_GROUP,
    type=click.Choice(["word", "char"]),
    default="word",
    show_default=True,
    help="Edits of recovered words, or of characters, which need no segmenter.",
)
@method_options
@segmenter_options
@quiet_option
def m2(
    files: tuple[str, ...],
    orig: str | None,
    cor: tuple[str, ...],
    source_format: str | None,
    output: str,
    dialect: Any,
    level: str,
    quiet: bool,
    method_options: dict[str, Any],
    segmenter_options: dict[str, Any],
) -> None:
    """Write the edits between sources and targets as M2, at word level on recovered boundaries.

    As with ERRANT, `cijie m2 -orig S.txt -cor T.txt [T2.txt …] -out X.m2 --dialect errant`; or
    `cijie m2 PAIRS -out X.m2 --dialect cherrant` with a file in MuCGEC's format or JSON lines, all
    of whose references are used. Nothing is left out: block n is line n.
    """
    from cijie.edits.annotate import annotate_characters, annotate_words
    from cijie.files.output import open_output
    from cijie.recovery.recoverer import Recoverer

    skipped: Counter[str] = Counter()
    sentences = progress(
        _sentences(files, orig, cor, source_format, skipped), "sentences", quiet=quiet
    )
    check_output(output)
    if level == "char":
        refuse([*method_options, *segmenter_options], "with --level char")
        signature = signed("edits of characters", f"dialect:{dialect}")
        blocks = annotate_characters(sentences, dialect)
    else:
        recoverer = Recoverer(
            make_segmenter(**segmenter_options, skipped=skipped),
            make_chosen_method(**method_options),
        )
        signature = f"{recoverer.signature}|dialect:{dialect}"
        blocks = annotate_words(sentences, recoverer, dialect)
    counts: Counter[str] = Counter()
    with open_output(output) as stream:
        for block in blocks:
            stream.write(f"{block}\n".encode())
            counts["blocks"] += 1
            for annotation in block.annotations:
                counts.update(edit.type for edit in annotation.edits)
    if not quiet:
        blocks_written = counts.pop("blocks", 0)
        types = ", ".join(f"{count:,} {type}" for type, count in sorted(counts.items()))
        what = left_out(skipped)
        click.echo(f"{counted(blocks_written, 'blocks')}: {types or 'no edits'}{what}", err=True)
        click.echo(signature, err=True)


def _sentences(
    files: tuple[str, ...],
    orig: str | None,
    cor: tuple[str, ...],
    source_format: str | None,
    skipped: Counter[str],
) -> Iterator[Corrected]:
    source_format = pair_format(source_format, files[0] if files else None, orig)
    if orig is not None and (cor or files):
        from cijie.corpora.parallel import read_references

        # What follows the first file of -cor is an argument to click, a reference to ERRANT.
        return read_references(orig, [*cor, *files])
    if orig is not None or cor or len(files) != 1:
        raise click.UsageError("give either PAIRS, or -orig and -cor")
    if source_format == "jsonl":
        from cijie.corpora import jsonl

        return jsonl.read_sentences(files[0])
    from cijie.corpora import mucgec

    return mucgec.read_sentences(files[0], skipped=skipped)
