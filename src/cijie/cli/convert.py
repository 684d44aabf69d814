"""`cijie convert`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from cijie.cli.options import (
    INPUT_GROUP,
    OUTPUT,
    OUTPUT_GROUP,
    check_output,
    command,
    option,
    quiet_option,
)
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cijie.corpora.formats import Format
    from cijie.corpora.records import Record


@command()
@click.argument("source", metavar="IN", type=click.Path(exists=True, allow_dash=True))
@click.argument("target", metavar="OUT", type=OUTPUT)
@option("--from", "source_format", group=INPUT_GROUP, metavar="FORMAT", help="Format of IN.")
@option("--to", "target_format", group=OUTPUT_GROUP, metavar="FORMAT", help="Format of OUT.")
@option(
    "--side",
    group=OUTPUT_GROUP,
    type=click.Choice(["both", "source", "target"]),
    default="both",
    show_default=True,
    help="Write the sources alone, or the targets alone.",
)
@quiet_option
def convert(
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    side: str,
    quiet: bool,
) -> None:
    """Convert IN, a file of sentences, to OUT in another format.

    \b
    FORMAT is one of
      jsonl, parquet, arrow         everything
      csv                           texts and words
      text, bmes, conllu            words, of the source unless --side target
      cherrant, errant, para        words of source and target: M2, or separated by tabs
      mucgec                        source and target
      ctb (IN only), pharaoh (OUT only)

    Without --from and --to the names of the files decide, and where its name does not, the content
    of IN. IN and OUT may be - for standard input and output, whose formats must be named. What a
    format has no place for is left out; what it needs and IN does not have is an error.
    """
    from cijie.corpora.formats import format_to_read, format_to_write
    from cijie.files.output import open_output

    check_output(target)
    if source == "-" and source_format is None:
        raise click.UsageError("name the format of standard input with --from")
    reads = _named(source_format) if source_format else format_to_read(source)
    if target_format:
        writes = _named(target_format)
    else:
        try:
            writes = format_to_write(target)
        except ValueError as error:
            raise click.UsageError(f"{error} with --to") from error
    if reads.reader is None or writes.writer is None:
        raise click.UsageError(f"there is no conversion from {reads.name} to {writes.name}")
    skipped: Counter[str] = Counter()
    count = 0

    def records() -> Iterator[Record]:
        nonlocal count
        for record in progress(reads.read(source, skipped), "sentences", quiet=quiet):
            count += 1
            if side == "both":
                yield record
            else:
                yield record.of_target() if side == "target" else record.of_source()

    with open_output(target) as stream:
        writes.write(records(), stream)
    if not quiet:
        besides = "".join(f"; {counted(n, what)}" for what, n in sorted(skipped.items()))
        done = counted(count, "sentences")
        click.echo(f"{done}, {reads.name} to {writes.name}{besides}", err=True)


def _named(name: str) -> Format:
    from cijie.corpora.formats import formats

    known = formats()
    if name not in known:
        raise click.UsageError(f"no format {name!r}: one of {', '.join(known)}")
    return known[name]
