"""`cijie convert`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    INPUT_GROUP,
    OUTPUT,
    Readable,
    check_output,
    command,
    option,
    quiet_option,
    target_format_option,
    told_options,
    without_place,
)
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cijie.corpora.formats import Trait
    from cijie.recovery.sentence import Sentence


@command()
@click.argument("source", metavar="IN", type=Readable(dir_okay=True))
@click.argument("target", metavar="OUT", type=OUTPUT)
@told_options
@option(
    "--side",
    group=INPUT_GROUP,
    type=click.Choice(["both", "source", "target"]),
    default="both",
    show_default=True,
    help="Write the sources alone, or the targets alone.",
)
@target_format_option
@quiet_option
def convert(
    source: str,
    target: str,
    told: dict[str, Any],
    target_format: str | None,
    side: str,
    quiet: bool,
) -> None:
    """Convert IN, a file of sentences, to OUT in another format.

    \b
    FORMAT is one of
      jsonl, parquet, arrow         everything
      csv, tsv                      everything, with a header
      lines                         texts, one a line
      text, bmes, conllu            words, of the source unless --side target
      cherrant, errant, para        words of source and targets: M2, or rows
      mucgec                        source and references, in rows
      ctb (IN only), pharaoh (OUT only)

    Without --from and --to the names of the files decide, and where its name does not, the content
    of IN. IN and OUT may be - for standard input and output, whose formats must be named. Files
    may be compressed: *.gz, *.bz2, *.xz, *.zst. What OUT has no place for is left out, and said;
    what it needs and IN does not have is an error.
    """
    from cijie.corpora.detection import format_to_write
    from cijie.corpora.formats import format_named
    from cijie.corpora.reading import ReadOptions, read, sentences_of
    from cijie.corpora.writing import parts_of, write
    from cijie.files.output import open_output

    check_output(target)
    count = 0
    numbered = True  # whether each id is the number of its sentence
    if source == "-" and told["format"] is None:
        raise click.UsageError("name the format of standard input with --from")
    sentences = read(source, "sentences", ReadOptions(**told, ids="any"))
    _ = sentences.format
    try:
        writes = format_named(target_format) if target_format else format_to_write(target)
    except ValueError as error:
        raise click.UsageError(str(error)) from error

    def records() -> Iterator[Sentence]:
        nonlocal count, numbered
        for record in progress(sentences_of(sentences), "sentences", quiet=quiet):
            count += 1
            numbered = numbered and record.id == str(count)
            if side == "both":
                yield record
            else:
                yield record.of_target() if side == "target" else record.of_source()

    parts, taken = parts_of(records())
    writes.writer(parts)  # else there is no file to begin with
    with open_output(target) as stream:
        write(taken, stream, writes, parts)
    if not quiet:
        skipped = sentences.skipped
        besides = "".join(f"; {counted(n, what)}" for what, n in sorted(skipped.items()))
        held: list[Trait] = [] if numbered else ["ids"]
        besides += without_place(writes, [*held, *sorted(parts)])
        click.echo(
            f"{counted(count, 'sentences')}, {sentences.format} to {writes}{besides}", err=True
        )
