"""The file of settings, and options that would have no effect."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource

from cijie.cli.options.base import METHOD_GROUP, option

_FILE = "cijie.config"  # what the context of a command calls the file of its settings


def _take(ctx: click.Context, _: click.Parameter, path: str | None) -> None:
    """Make the settings of a file the defaults of the command's options."""
    if path is None:
        return
    from cijie.cli.config import read_config

    options = {
        name.removeprefix("--"): option.name
        for option in ctx.command.params
        if option.name != "config"
        for name in option.opts
        if name.startswith("--")
    }
    settings = read_config(path)
    ctx.meta[_FILE] = path
    for name, value in settings.items():
        if name not in options:
            raise click.UsageError(f"{path}: {ctx.info_name} has no option --{name}", ctx)
        if isinstance(value, (list, dict)):
            raise click.UsageError(f"{path}: --{name} takes one value, not {value!r}", ctx)
        if name == "segmenter" and ":" in str(value):
            # A file of settings may come from anybody, and must not say which code is run.
            raise click.UsageError(f"{path}: name {value} on the command line, not here", ctx)
    ctx.default_map = {str(options[name]): value for name, value in settings.items()}


config_option = option(
    "--config",
    group=METHOD_GROUP,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    is_eager=True,
    expose_value=False,
    callback=_take,
    help="A TOML file with options by their long names, as `cijie tune --best` writes; options "
    "on the command line win.",
)


def settings_file(ctx: click.Context) -> str | None:
    """The file of settings that the command was given."""
    path: str | None = ctx.meta.get(_FILE)
    return path


def refuse(parameters: Iterable[str], where: str) -> None:
    """Refuse options on the command line that would have no effect.

    Those of a --config file are left alone, as it may serve several commands and methods.
    """
    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        given = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if given and parameter.name in parameters:
            raise click.UsageError(f"{parameter.opts[-1]} has no effect {where}")
