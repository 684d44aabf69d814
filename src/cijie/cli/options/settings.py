"""The file of settings, and options that would have no effect."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.core import ParameterSource

from cijie.cli.options.base import RUNNING_GROUP, option

_FILE = "cijie.config"  # what the context of a command calls the file of its settings


def _take(ctx: click.Context, _: click.Parameter, path: str | None) -> None:
    """Make the settings of a file the defaults of the command's options, where it has them."""
    if path is None:
        return
    from cijie.cli.settings import read_settings, refusal

    settings = read_settings(path)
    for name, value in settings.items():
        if why := refusal(name, value):
            raise click.UsageError(f"{path}: {why}", ctx)
    ctx.meta[_FILE] = path
    ctx.default_map = {
        str(option.name): settings[name.removeprefix("--")]
        for option in ctx.command.params
        if isinstance(option, click.Option) and not option.multiple
        for name in option.opts
        if name.removeprefix("--") in settings
    }


config_option = option(
    "--config",
    group=RUNNING_GROUP,
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    is_eager=True,
    expose_value=False,
    callback=_take,
    envvar="CIJIE_CONFIG",
    help="A TOML file of settings, as `cijie config` and `cijie tune --best` write it. Options on "
    "the command line win.  [default: $CIJIE_CONFIG]",
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
