"""`cijie similarity` and `cijie config`: look up values."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import get_args

import click
from click.core import ParameterSource

from cijie.choices import Definition
from cijie.cli.options.base import argument, command, option, options, refuse
from cijie.cli.options.methods import OPTIONS, MethodChoice, SegmenterChoice, specified
from cijie.cli.options.paths import SETTINGS_FILE
from cijie.errors import printable


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


@command
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


@command
def config(method: MethodChoice, segmenter: SegmenterChoice) -> None:
    """Show the settings in force, and where each comes from.

    They are what `cijie recover` takes with the same options. Each comes from the command line, the
    file of settings, the environment, or it is the default. The output is a file of settings.
    """
    from cijie.cli.settings import settings_text
    from cijie.segmenters import DEFAULT_VARIABLE, default_segmenter
    from cijie.similarity.weights import Weights

    chosen, given = method.options()
    own = {name: its.defaults for name, its in OPTIONS.items() if chosen in its.defaults}
    values = {name: given.get(name, defaults[chosen]) for name, defaults in own.items()}
    if "weights" in values:
        values["weights"] = str(Weights.of(values["weights"]))
    values = {"method": chosen, **values, **asdict(segmenter)}
    del values["config"]
    origins = dict.fromkeys(own, f"default of {chosen}") | dict.fromkeys(
        specified(method.method)[1], "command line"
    )
    if segmenter.segmenter is None:
        values["segmenter"] = default_segmenter(lambda why: click.echo(why, err=True))
        if DEFAULT_VARIABLE in os.environ:
            origins["segmenter"] = f"${DEFAULT_VARIABLE}"
    shown = {name: value for name, value in values.items() if value not in (None, ())}
    text = settings_text(
        {name.replace("_", "-"): value for name, value in shown.items()},
        {name.replace("_", "-"): _origin(name) or origins.get(name, "default") for name in shown},
    )
    click.echo(text, nl=False)


def _origin(name: str) -> str | None:
    context = click.get_current_context()
    return {
        ParameterSource.COMMANDLINE: "command line",
        ParameterSource.DEFAULT_MAP: context.meta.get(SETTINGS_FILE),
    }.get(context.get_parameter_source(name) or ParameterSource.DEFAULT)
