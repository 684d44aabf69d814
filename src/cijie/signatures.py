"""Signatures: everything that a result depends on, in a line."""

from __future__ import annotations

from cijie import __version__


def signed(*parts: str) -> str:
    """A signature of parts that a result depends on, with the version of cijie.

    >>> signed("method:p1", "join:equal-length").partition("|")[2]
    'method:p1|join:equal-length'
    """
    return "|".join([f"cijie:{__version__}", *parts])
