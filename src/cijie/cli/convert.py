"""`cijie convert` and `cijie info`: files of sentences."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import click

from cijie.choices import FormatName
from cijie.cli.options.base import argument, command, option, options, refuse
from cijie.cli.options.output import Messages, left_out, to_option, without_place
from cijie.cli.options.paths import OUTPUT_FILE, READ_FILE, Readable
from cijie.cli.options.reading import READING, Reading
from cijie.errors import counted, printable

if TYPE_CHECKING:
    from cijie.recovery.sentence import Field, Sentence

_LONGEST = 200  # characters of a text


@options("Input")
class Conversion(Reading, Messages):
    """Input, output and the fields to convert.

    Attributes:
        side: Write the sources alone, or the targets alone.
        pairs: The pairs with the texts, if IN has only spans (annotated gold).
    """

    source: str = argument(metavar="IN", type=Readable(folders=True))
    target: str = argument(metavar="OUT", type=OUTPUT_FILE)
    side: Literal["both", "source", "target"] = "both"
    pairs: str | None = option(None, type=READ_FILE)
    to: FormatName | None = to_option("from the name of the output")

    def __post_init__(self) -> None:
        if self.source == "-" and self.format is None:
            raise click.UsageError("name the format of standard input with --from")


@command
def convert(given: Conversion) -> None:
    """Convert IN, a file of sentences, to OUT in another format.

    \b
    FORMAT is one of
      jsonl, parquet                everything
      csv, tsv, csv-bom (OUT only)  everything, with a header
      lines                         texts, one per line
      text, bmes                    words, of the source unless --side target
      conllu                        words, corrections, changes, confidences
      cherrant, errant, para        words of source and targets: M2, or rows
      mucgec                        source and references, in rows
      json, ctb (IN only), pharaoh (OUT only)

    Without --from and --to the names of the files decide; where they do not, name the format. IN
    and OUT may be - for standard input and output, whose formats must be named. Files may be
    compressed: *.gz, *.bz2, *.xz, *.zst. What OUT cannot hold is left out, with a message; what it
    needs and IN does not have is an error.
    """
    from cijie.corpora.writing import convert_file

    done = convert_file(
        given.source,
        given.target,
        side=given.side,
        pairs=None if given.pairs is None else given.read(given.pairs, "pairs"),
        options=given.options(),
        format=given.to,
        watch=lambda sentences: given.watch(sentences, "sentences"),
    )
    besides = left_out(done.skipped) + without_place(done.target, done.lost)
    given.warn_of_nothing(done.count, "sentences")
    given.say(f"{counted(done.count, 'sentences')}, {done.source} to {done.target}{besides}")


@options()
class DescribedFile(Reading):
    """A file to describe, or none."""

    file: str | None = argument(None, type=Readable(folders=True))

    def __post_init__(self) -> None:
        if self.file is None:
            refuse(READING, "without a file")


@command
def info(given: DescribedFile) -> None:
    """Show the detected format of FILE, or versions, segmenters and data.

    With FILE: its format, the number of sentences, their fields, and the first one.
    Without: the versions of cijie and its libraries, the segmenters that are installed, and the
    data that cijie ships.
    """
    if given.file is not None:
        _show_file(given.file, given)
    else:
        _show_versions()


def _show_file(file: str, options: Reading) -> None:
    from cijie.corpora.reading import sentences_of

    sentences = options.read(file, "sentences", ids="any")
    click.echo(f"{sentences.format}: {sentences.format.what}")
    first: Sentence | None = None
    having: Counter[Field] = Counter()
    count = 0
    for record in sentences_of(sentences):
        first = first or record
        count += 1
        having.update(record.fields)
    click.echo(f"{counted(count, 'sentences')}{left_out(sentences.skipped)}")
    for field, number in having.items():
        click.echo(f"  {field}: {'all' if number == count else f'{number:,}'}")
    if first is None:
        return
    click.echo("the first:")
    shown = {
        "id": first.id,
        "source": first.source,
        "words": first.segmentation,
        "target": first.target,
        "target words": first.target_segmentation,
        "status": first.status,
    }
    for what, value in shown.items():
        if value is not None:
            text = printable(str(value))
            short = f"{text[:_LONGEST]} …" if len(text) > _LONGEST else text
            click.echo(f"  {what}: {short}")


def _show_versions() -> None:
    import platform
    from importlib.metadata import version

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from cijie import __version__
    from cijie.projection.evidence import Lexicon, Model
    from cijie.segmenters import LIBRARIES
    from cijie.similarity.context import CharacterVectors
    from cijie.similarity.glyph import GlyphTable

    console = Console()
    console.print(f"cijie {__version__}, Python {platform.python_version()}", highlight=False)
    libraries = Table("library", "version", box=None)
    for name in ("numpy", "rapidfuzz", "pypinyin", "regex", "orjson"):
        libraries.add_row(name, version(name))
    segmenters = Table("segmenter", "version", "to install", box=None)
    for name, library in LIBRARIES.items():
        installed = library.installed()
        to_install = "" if installed else escape(f"pip install 'cijie[{library.extra or name}]'")
        segmenters.add_row(name, installed or "not installed", to_install)
    data = Table("data", "name", box=None)
    data.add_row("glyph table", GlyphTable.builtin().name)
    data.add_row("character vectors", CharacterVectors.builtin().name)
    data.add_row("word list", Lexicon.builtin().name)
    data.add_row("model of P3", Model.builtin().name)
    for table in (libraries, segmenters, data):
        console.print()
        console.print(table)
