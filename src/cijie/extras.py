"""Optional libraries: imported on first use, with an error that names the extra to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cijie.errors import MissingExtraError


def library(module: str, extra: str, *, what: str | None = None) -> Any:
    """Import an optional library.

    Args:
        module: the module to import.
        extra: the extra of cijie that installs it.
        what: what the error calls it; its module's first name by default.

    Raises:
        MissingExtraError: it is not installed.

    >>> library("no_such_library", "figures")
    Traceback (most recent call last):
    cijie.errors.MissingExtraError: no_such_library is not installed: pip install 'cijie[figures]'
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(what or module.partition(".")[0], extra) from error
