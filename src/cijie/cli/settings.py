"""Files of settings in TOML: defaults of options, from anybody, and so of a few options alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import click

from cijie.choices import Method
from cijie.errors import FormatError, printable, unknown
from cijie.files.lines import read_lines
from cijie.files.opening import StrPath
from cijie.recovery.options import METHOD_OPTIONS
from cijie.segmenters import LIBRARIES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SETTINGS_FILE = "cijie.config"  # in the meta of a context: the file of its settings
# The paper's IBM-style aligner has a model of its own, so the library takes it as an object, not by
# a name. Commands name it as they name the library's methods.
METHODS = (*get_args(Method), "ibm")
SETTINGS = ("method", *METHOD_OPTIONS, "ibm_model", "segmenter", "user_words")
"""The options that a file may set. No other says where something runs or what is written."""

_LARGEST = 1 << 14  # characters of a file of settings
_FILES = {  # and names that are no files
    "glyph_table": ("builtin", "literal", "identity"),
    "ibm_model": (),
    "user_words": (),
}


class SettingsFile(click.Path):
    """A file of settings, which become the defaults of the command's options."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = str(super().convert(value, param, ctx))
        assert ctx is not None
        options = {option.name: option for option in ctx.command.params}
        ctx.default_map = {}
        ctx.meta[SETTINGS_FILE] = path
        for name, setting in read_settings(path).items():
            if why := refusal(name, setting):
                raise click.UsageError(f"{path}: {why}", ctx)
            option = options.get(name.replace("-", "_"))
            if option is not None:
                try:
                    option.type.convert(str(setting), option, ctx)
                except click.BadParameter as error:
                    raise click.UsageError(f"{path}: {name}: {error.message}", ctx) from error
                ctx.default_map[str(option.name)] = str(setting)
        return path


def refusal(name: str, value: object) -> str | None:
    """Say why a file must not have this setting; None if it may.

    It must not name code, a model to fetch, or what is no file: a device, a pipe, a URL.
    """
    field = name.replace("-", "_")
    if field not in SETTINGS:
        return unknown("setting", name, [each.replace("_", "-") for each in SETTINGS])
    known = {
        "method": METHODS,
        "context": ("embedded", "none"),
        "segmenter": [name for name, its in LIBRARIES.items() if its.self_contained],
        **_FILES,
    }.get(field, [value])
    is_file = field in _FILES
    if value in known or (is_file and isinstance(value, str) and Path(value).is_file()):
        return None
    expected = [f"one of {', '.join(known)}"] * bool(known) + ["the path of a file"] * is_file
    elsewhere = "" if is_file else f"; name {value} on the command line"
    return f"{name} must be {' or '.join(expected)}, not {value!r}{elsewhere}"


def read_settings(path: StrPath) -> dict[str, Any]:
    """Read a file of settings as it is: its names and values are not checked.

    Raises:
        FormatError: it is not TOML, or too large.
    """
    text = ""
    for _, line in read_lines(path):
        text += f"{line}\n"
        if len(text) > _LARGEST:
            raise FormatError(
                f"expected settings, got more than {_LARGEST:,} characters", path=path
            )
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not TOML: {error}", path=path) from error


def settings_text(settings: Mapping[str, object], origins: Mapping[str, str] | None = None) -> str:
    """Return settings as TOML, with the origin of each; what a file must not say is a comment."""
    lines = []
    for name, value in settings.items():
        line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
        line += f"  # {printable(origins[name])}\n" if origins else "\n"
        if refusal(name, value):
            line = f"# for the command line alone: {line}"
        lines.append(line)
    return "".join(lines)
