"""Identifiers of records: checked, made unique, or taken as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from cijie.corpora.files import StrPath
from cijie.errors import FormatError

IdPolicy = Literal["check", "unique", "any"]
"""`"check"`: a repeated id is an error. `"unique"`: a repeated id gets a suffix, `5`, `5-2`, `5-3`.
`"any"`: ids are taken as they are, in constant memory."""


def id_checker(policy: IdPolicy, path: StrPath) -> Callable[[str, int], str]:
    """A function from an id and its line to the id to use.

    It raises `FormatError` for a repeated id under `"check"`, naming both lines.

    >>> unique = id_checker("unique", "pairs.tsv")
    >>> unique("5", 1), unique("5", 2), unique("5-2", 3)
    ('5', '5-2', '5-2-2')
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}

    def check(id: str, line: int) -> str:
        if policy == "any":
            return id
        if id in lines and policy == "check":
            raise FormatError(f"the id of line {lines[id]} again", path=path, line=line, id=id)
        unique = id
        while unique in lines:
            counts[id] = counts.get(id, 1) + 1
            unique = f"{id}-{counts[id]}"
        lines[unique] = line
        return unique

    return check
