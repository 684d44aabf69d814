"""Settings of commands as TOML files: `name = value`, names as the long options have them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

from cijie.errors import FormatError
from cijie.files.lines import StrPath, read_lines
from cijie.files.output import open_output

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Setting = str | float | bool | list[str]


def read_config(path: StrPath) -> dict[str, Setting]:
    """Read settings; `-` is standard input.

    Raises:
        FormatError: not TOML, or a value that is no string, number, truth value or list of
            strings.
    """
    text = "\n".join(line for _, line in read_lines(path))
    try:
        settings: dict[str, Setting] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise FormatError(f"not TOML: {error}", path=path) from error
    for name, value in settings.items():
        items = value if isinstance(value, list) else []
        if not isinstance(value, str | float | int | list) or not all(
            isinstance(item, str) for item in items
        ):
            raise FormatError(f"{name} cannot be set to {value!r}", path=path)
    return settings


def write_config(
    settings: Mapping[str, str | float], path: StrPath, *, comments: Sequence[str] = ()
) -> None:
    """Write settings, after lines of comment."""
    lines = [f"# {comment}" for comment in comments]
    # A JSON string or number is one of TOML as well.
    lines += [
        f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings.items()
    ]
    with open_output(path) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
