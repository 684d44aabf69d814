"""`cijie similarity`, `config` and `info`: values, settings, what a file or cijie itself has."""

from __future__ import annotations

import os
import platform
from collections import Counter
from functools import partial
from importlib.metadata import version
from typing import get_args

import click
from click.core import ParameterSource

from cijie import __version__
from cijie.choices import Definition
from cijie.cli.options.base import Command, Readable, argument, option, options, refuse
from cijie.cli.options.files import READING, Reading, left_out
from cijie.cli.options.methods import OPTIONS, MethodChoice, SegmenterChoice, parse_methods
from cijie.cli.settings import SETTINGS_FILE, settings_text
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import sentences_of
from cijie.errors import counted, printable
from cijie.recovery.sentence import Field, Sentence
from cijie.segmenters import DEFAULT_VARIABLE, LIBRARIES, default_segmenter
from cijie.similarity.weights import Weights


@options("Input")
class Characters:
    """Two characters, or one and the number of its neighbours.

    Attributes:
        near: List the characters that look most like CHAR.
        count: How many characters --near lists.
        glyph_table: builtin, literal, identity, or a CSV file CharA,CharB,similarity.
    """

    a: str | None = argument(None)
    b: str | None = argument(None)
    near: str | None = option(None, metavar="CHAR")
    count: int = option(10, "-n", at_least=1, group="Output")
    glyph_table: str = option("builtin", metavar="TABLE", group="Method")

    def __post_init__(self) -> None:
        if (self.a is None) != (self.b is None) or (self.near is None) == (self.a is None):
            raise click.UsageError("give either two characters or --near CHAR")
        if self.near is None:
            refuse(["count"], "without --near")
        for char in (self.a, self.b, self.near):
            if char is not None and len(char) != 1:
                raise click.UsageError(f"{char!r} is not one character")


@Command
def similarity(given: Characters) -> None:
    """Show how similar two characters are by each feature, or list look-alikes.

    A and B are single characters. Two features depend on their sentences: position, and half of
    the context feature.
    """
    from rich.console import Console
    from rich.table import Table

    from cijie.recovery.methods import load_glyph_table
    from cijie.similarity.context import CharacterVectors
    from cijie.similarity.phonology import Phonology

    try:
        glyphs = load_glyph_table(given.glyph_table)
    except FileNotFoundError as error:
        raise click.UsageError(f"glyph table not found: {given.glyph_table!r}") from error
    if given.near is not None:
        for char, value in glyphs.nearest(given.near, given.count):
            click.echo(f"{printable(char)}\t{value:.3f}")
        return
    pair = str(given.a), str(given.b)
    vectors = CharacterVectors.builtin()
    table = Table("feature", "value", "from", box=None)
    table.add_row("glyph", f"{glyphs.similarity(*pair):.3f}", glyphs.name)
    for definition in get_args(Definition):
        phonology = Phonology(definition)
        table.add_row(definition, f"{phonology.similarity(*pair):.3f}", phonology.name)
    table.add_row("emb", f"{vectors.similarity(*pair):.3f}", f"{vectors.name}, characters alone")
    table.add_row("pos", "-", "where they stand in their sentences")
    Console().print(table)


@Command
def config(method: MethodChoice, segmenter: SegmenterChoice) -> None:
    """Show the settings in force, and where each comes from.

    They are what `cijie recover` takes with the same options. Each comes from the command line, the
    file of settings, the environment, or it is the default. The output is a file of settings.
    """
    name, given = method.one()
    [(_, own)] = parse_methods(method.method).values()
    defaults = {each: its.defaults[name] for each, its in OPTIONS.items() if name in its.defaults}
    values = {"method": name, **defaults, **given, **vars(segmenter), "config": None}
    if "weights" in values:
        values["weights"] = str(Weights.of(values["weights"]))
    origins = dict.fromkeys(defaults, f"default of {name}") | dict.fromkeys(own, "command line")
    if segmenter.segmenter is None:
        values["segmenter"] = default_segmenter(partial(click.echo, err=True))
        origins["segmenter"] = f"${DEFAULT_VARIABLE}" if os.environ.get(DEFAULT_VARIABLE) else ""
    context = click.get_current_context()
    for each in values:
        source = context.get_parameter_source(each)
        if source is ParameterSource.COMMANDLINE:
            origins[each] = "command line"
        elif source is ParameterSource.DEFAULT_MAP and each not in own:
            origins[each] = context.meta[SETTINGS_FILE]
    shown = {each: value for each, value in values.items() if value not in (None, ())}
    text = settings_text(
        {each.replace("_", "-"): value for each, value in shown.items()},
        {each.replace("_", "-"): origins.get(each) or "default" for each in shown},
    )
    click.echo(text, nl=False)


@options()
class DescribedFile(Reading):
    """A file to describe, or none."""

    file: str | None = argument(None, type=Readable(folders=True))

    def __post_init__(self) -> None:
        if self.file is None:
            refuse(READING, "without a file")


@Command
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
    if first is not None:
        click.echo(f"the first: {printable(dump_line(first.as_record()).decode().strip())}")


def _show_versions() -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from cijie.projection.evidence import Lexicon, Model
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
