"""`cijie config`."""

from __future__ import annotations

import os
from typing import Any

import click
from click.core import ParameterSource

from cijie.cli.options import command, method_options, segmenter_options
from cijie.cli.options.methods import chosen_options
from cijie.cli.options.settings import settings_file


@command()
@method_options
@segmenter_options
def config(method_options: dict[str, Any], segmenter_options: dict[str, Any]) -> None:
    """Show the settings in force, and where each comes from.

    They are what `cijie recover` takes with the same options. Each comes from the command line, the
    file of settings, the environment, or it is the default. The output is a file of settings.
    """
    from cijie.cli.settings import settings_text
    from cijie.recovery.options import with_defaults
    from cijie.segmenters import DEFAULT_VARIABLE, default_segmenter
    from cijie.similarity.weights import Weights

    chosen = chosen_options(**method_options)
    method = chosen.pop("method")
    own = chosen if method == "ibm" else with_defaults(method, chosen)
    values = {"method": method, **own, **segmenter_options}
    otherwise = dict.fromkeys(chosen, f"default of {method}")
    if "weights" in values:
        values["weights"] = str(Weights.of(values["weights"]))
    if values["segmenter"] is None:
        values["segmenter"] = default_segmenter(lambda why: click.echo(why, err=True))
        if DEFAULT_VARIABLE in os.environ:
            otherwise["segmenter"] = f"${DEFAULT_VARIABLE}"
    given = {name: value for name, value in values.items() if value not in (None, ())}
    text = settings_text(
        {_shown(name): value for name, value in given.items()},
        {_shown(name): _origin(name) or otherwise.get(name, "default") for name in given},
    )
    click.echo(text, nl=False)


def _shown(name: str) -> str:
    return "segmenter-option" if name == "segmenter_settings" else name.replace("_", "-")


def _origin(name: str) -> str | None:
    context = click.get_current_context()
    return {
        ParameterSource.COMMANDLINE: "command line",
        ParameterSource.DEFAULT_MAP: settings_file(context),
    }.get(context.get_parameter_source(name) or ParameterSource.DEFAULT)
