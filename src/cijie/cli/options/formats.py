"""Options that say what files are: the same ones for every command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, get_args

import click

from cijie.choices import FormatName, unknown
from cijie.cli.options.base import INPUT_GROUP, OUTPUT_GROUP, grouped, option
from cijie.errors import UsageError

if TYPE_CHECKING:
    from cijie.corpora.formats import Format, Trait
    from cijie.recovery.sentence import Part

_COLUMNS = (
    *("id", "source", "target", "references", "source_tokens", "target_tokens", "words", "spans"),
    *("initial_spans", "target_spans", "status"),
)


def _columns(_: click.Context, __: click.Parameter, text: str | None) -> Mapping[str, str]:
    """What the columns of a file are called, by cijie's names for them."""
    columns = {}
    for part in text.split(",") if text else ():
        name, equals, theirs = part.partition("=")
        if not equals or not theirs:
            raise click.BadParameter(f"wanted is NAME=COLUMN,NAME=COLUMN, not {text!r}")
        if name not in _COLUMNS:
            raise click.BadParameter(unknown("column", name, _COLUMNS))
        columns[name] = theirs
    return columns


def _encoding(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    """The name of an encoding that there is."""
    from cijie.corpora.formats import check_encoding

    if name is not None:
        try:
            check_encoding(name)
        except UsageError as error:
            raise click.BadParameter(str(error)) from error
    return name


TOLD = {
    "format": option(
        "--from",
        "format",
        group=INPUT_GROUP,
        metavar="FORMAT",
        type=click.Choice(get_args(FormatName)),
        help="What the input is; `cijie convert --help` lists the formats.  [default: what its "
        "name says, else its content]",
    ),
    "encoding": option(
        "--encoding",
        group=INPUT_GROUP,
        callback=_encoding,
        help="The encoding of the input, such as gb18030 or utf-16.  [default: utf-8]",
    ),
    "columns": option(
        "--columns",
        group=INPUT_GROUP,
        metavar="NAME=COLUMN,…",
        callback=_columns,
        help="What the input calls id, source, target and so on, in formats that have columns or "
        "keys.",
    ),
}
"""Options of all commands that read sentences: see `cijie.corpora.reading.ReadOptions`."""
told_options = grouped("told", **TOLD)
target_format_option = option(
    "--to",
    "target_format",
    group=OUTPUT_GROUP,
    metavar="FORMAT",
    type=click.Choice(get_args(FormatName)),
    help="What the output is.  [default: what its name says, else jsonl]",
)


def output_format(
    output: str, name: str | None, parts: Sequence[Part], *, default: str = "jsonl"
) -> Format:
    """The format of an output: the one of `target_format_option`, else what the name says.

    Records have these parts; see `Format.check_results`.
    """
    from cijie.corpora.detection import format_to_write
    from cijie.corpora.formats import format_named

    format = format_named(name) if name else format_to_write(output, default)
    format.check_results(parts)
    return format


def without_place(format: Format, parts: Iterable[Trait]) -> str:
    """What a format has no place for, for the end of a summary's line."""
    lost = [part for part in parts if part not in format.holds]
    return f"; left out, for {format} has no place for it: {', '.join(lost)}" if lost else ""
