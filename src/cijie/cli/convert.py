"""`cijie convert`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from cijie.cli.options import OUTPUT, check_output, quiet_option
from cijie.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cijie.corpora.formats import Format
    from cijie.corpora.records import Record


@click.command()
@click.argument("source", metavar="IN", type=click.Path(exists=True))
@click.argument("target", metavar="OUT", type=OUTPUT)
@click.option("--from", "source_format", metavar="FORMAT", help="Format of IN.")
@click.option("--to", "target_format", metavar="FORMAT", help="Format of OUT.")
@click.option(
    "--side",
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
    of IN. What a format has no place for is left out; what it needs and IN does not have is an
    error.
    """
    from cijie.corpora.files import open_output
    from cijie.corpora.formats import format_to_read, format_to_write

    check_output(target)
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
        left_out = "".join(f"; {n:,} {what}" for what, n in sorted(skipped.items()))
        click.echo(f"{count:,} sentences, {reads.name} to {writes.name}{left_out}", err=True)


def _named(name: str) -> Format:
    from cijie.corpora.formats import formats

    known = formats()
    if name not in known:
        raise click.UsageError(f"no format {name!r}: one of {', '.join(known)}")
    return known[name]
