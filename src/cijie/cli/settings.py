"""Files of settings: TOML, `name = value`, with the names of the long options.

Such a file may come from anywhere, so it holds only what is listed here: settings of
methods, and segmenters that need neither code nor a model from elsewhere. It never says where
something runs, what is loaded as code or from a hub, or what is written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from cijie.cli.options.methods import METHODS
from cijie.errors import FormatError, unknown
from cijie.files.lines import read_lines
from cijie.files.opening import StrPath
from cijie.recovery.options import METHOD_OPTIONS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LARGEST = 1 << 14  # characters of a file of settings

_Check = Callable[[object], bool]


def _one_of(names: Iterable[str]) -> tuple[_Check, str]:
    names = tuple(names)
    return (lambda value: value in names), f"one of {', '.join(names)}"


def _is_number(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and abs(value) <= sys.float_info.max  # type: ignore[arg-type]


def _is_file(value: object) -> bool:
    return isinstance(value, str) and Path(value).is_file()  # not a device, not a pipe


def _one_of_or_file(*names: str) -> tuple[_Check, str]:
    return (
        lambda value: value in names or _is_file(value),
        f"{', '.join(names)} or the path of a file",
    )


def allowed() -> dict[str, tuple[_Check, str]]:
    """Return the settings that a file may hold, each with a check and what it expects."""
    from cijie.segmenters import LIBRARIES

    self_contained = (name for name, library in LIBRARIES.items() if library.self_contained)
    return {
        "method": _one_of(METHODS),
        "weights": (lambda value: isinstance(value, str), 'text such as "glyph=.7,pos=.3"'),
        "threshold": (_is_number, "a number"),
        "glyph-table": _one_of_or_file("builtin", "literal", "identity"),
        "phonology": _one_of(METHOD_OPTIONS["phonology"].choices),
        "position": _one_of(METHOD_OPTIONS["position"].choices),
        "context": _one_of(("embedded", "none")),
        "habits": _one_of_or_file("builtin", "none", "run"),
        "min-confidence": (_is_number, "a number"),
        "ibm-model": (_is_file, "the path of a file"),
        "join-rule": _one_of(METHOD_OPTIONS["join_rule"].choices),
        "segmenter": _one_of(self_contained),
        "user-words": (_is_file, "the path of a file"),
    }


def refusal(name: str, value: object) -> str | None:
    """Return why a file must not hold this setting, or None if it may.

    >>> refusal("threshold", 0.8)
    >>> refusal("threshold", "0.8")
    "threshold must be a number, not '0.8'"
    >>> refusal("treshold", 0.8)
    "unknown setting 'treshold': did you mean 'threshold'?"
    """
    known = allowed()
    if name not in known:
        return unknown("setting", name, known)
    passes, expected = known[name]
    if passes(value):
        return None
    elsewhere = f"; name {value} on the command line" if name in ("context", "segmenter") else ""
    return f"{name} must be {expected}, not {value!r}{elsewhere}"


def read_settings(path: StrPath) -> dict[str, Any]:
    """Read the settings in a file; `-` is standard input. `refusal` checks them.

    Raises:
        FormatError: not TOML.
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
    """Format settings for `read_settings`, each with its origin.

    What a file must not hold is in a comment.

    >>> print(settings_text({"threshold": 0.8, "context": "bert"}, {"threshold": "default"}))
    threshold = 0.8  # default
    # context = "bert"  # for the command line alone
    <BLANKLINE>
    """
    known = allowed()
    origins = origins or {}
    lines = []
    for name, value in settings.items():
        # A JSON string or number is one of TOML as well.
        line = f"{name} = {json.dumps(value, ensure_ascii=False)}"
        why = origins.get(name, "")
        if name not in known or not known[name][0](value):
            line, why = f"# {line}", "for the command line alone"
        lines.append(f"{line}  # {why}" if why else line)
    return "".join(f"{line}\n" for line in lines)
