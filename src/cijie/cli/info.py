"""`cijie info`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    Readable,
    command,
    left_out,
    refuse,
    told_options,
)
from cijie.errors import counted, printable

if TYPE_CHECKING:
    from cijie.recovery.sentence import Part, Sentence

_SHOWN = 200  # characters of a text


@command()
@click.argument("file", type=Readable(dir_okay=True), required=False)
@told_options
def info(file: str | None, told: dict[str, Any]) -> None:
    """Show what cijie takes FILE to be, or versions, segmenters and data.

    With FILE: its format, how many sentences it has, what is known about them, and the first one.
    Without: the versions of cijie and its libraries, the segmenters that are installed, and the
    data that cijie ships.
    """
    if file is not None:
        _describe(file, told)
        return
    refuse(told, "without a file")
    _show_versions()


def _describe(file: str, told: dict[str, Any]) -> None:
    from cijie.corpora.reading import ReadOptions, read, sentences_of

    sentences = read(file, "sentences", ReadOptions(**told, ids="any"))
    _ = sentences.format
    click.echo(f"{sentences.format}: {sentences.format.what}")
    first: Sentence | None = None
    having: Counter[Part] = Counter()
    count = 0
    for record in sentences_of(sentences):
        first = first or record
        count += 1
        having.update(record.parts)
    click.echo(f"{counted(count, 'sentences')}{left_out(sentences.skipped)}")
    for part, number in having.items():
        click.echo(f"  {part}: {'all' if number == count else f'{number:,}'}")
    if first is not None:
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
                cut = f"{text[:_SHOWN]} …" if len(text) > _SHOWN else text
                click.echo(f"  {what}: {cut}")


def _show_versions() -> None:
    import platform
    from importlib.metadata import version

    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from cijie import __version__
    from cijie.projection.evidence import Model
    from cijie.projection.lexicon import Lexicon
    from cijie.segmenters import adapters
    from cijie.similarity.context import CharacterVectors
    from cijie.similarity.glyph import GlyphTable

    console = Console()
    console.print(f"cijie {__version__}, Python {platform.python_version()}", highlight=False)
    libraries = Table("library", "version", box=None)
    for name in ("numpy", "rapidfuzz", "pypinyin", "regex", "orjson"):
        libraries.add_row(name, version(name))
    segmenters = Table("segmenter", "version", "to install", box=None)
    for adapter in adapters().values():
        installed = adapter.installed()
        segmenters.add_row(
            adapter.extra,
            installed or "not installed",
            "" if installed else escape(adapter.to_install()),
        )
    data = Table("data", "name", box=None)
    data.add_row("glyph table", GlyphTable.builtin().name)
    data.add_row("character vectors", CharacterVectors.builtin().name)
    data.add_row("word list", Lexicon.builtin().name)
    data.add_row("model of P3", Model.builtin().name)
    for table in (libraries, segmenters, data):
        console.print()
        console.print(table)
