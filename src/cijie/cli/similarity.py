"""`cijie similarity`."""

from __future__ import annotations

import click

from cijie.cli.options import INPUT_GROUP, OUTPUT_GROUP, command, glyph_table_option, option, refuse


@command()
@click.argument("a", required=False)
@click.argument("b", required=False)
@option(
    "--near",
    group=INPUT_GROUP,
    metavar="CHAR",
    help="List the characters that look most like CHAR.",
)
@option(
    "-n",
    "count",
    group=OUTPUT_GROUP,
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many characters --near lists.",
)
@glyph_table_option
def similarity(
    a: str | None, b: str | None, near: str | None, count: int, glyph_table: str
) -> None:
    """Say how alike two characters are, by each feature, or list the look-alikes of one.

    A and B are single characters. Two features depend on their sentences: position, and half of
    the context feature.
    """
    from rich.console import Console
    from rich.table import Table

    from cijie.recovery.methods import load_glyph_table
    from cijie.similarity.context import CharacterVectors
    from cijie.similarity.phonology import Phonology

    if (a is None) != (b is None) or (near is None) == (a is None):
        raise click.UsageError("give either two characters or --near CHAR")
    if near is None:
        refuse(["count"], "without --near")
    for char in (a, b, near):
        if char is not None and len(char) != 1:
            raise click.UsageError(f"{char!r} is not one character")
    try:
        glyphs = load_glyph_table(glyph_table)
    except FileNotFoundError as error:
        raise click.UsageError(f"no glyph table {glyph_table!r}") from error
    if near is not None:
        for char, value in glyphs.nearest(near, count):
            click.echo(f"{char}\t{value:.3f}")
        return
    assert a is not None
    assert b is not None
    vectors = CharacterVectors.builtin()
    table = Table("feature", "value", "from", box=None)
    table.add_row("glyph", f"{glyphs.similarity(a, b):.3f}", glyphs.name)
    for definition in ("pinyin-marks", "pinyin-numbers", "tone-aware"):
        phonology = Phonology(definition)
        table.add_row("pinyin", f"{phonology.similarity(a, b):.3f}", phonology.name)
    table.add_row("emb", f"{vectors.similarity(a, b):.3f}", f"{vectors.name}, characters alone")
    table.add_row("pos", "-", "where they stand in their sentences")
    Console().print(table)
