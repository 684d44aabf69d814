"""Identifiers of records: checked, made unique, or taken as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import isnan
from numbers import Real
from operator import index
from typing import Any, Literal, get_args

from cijie.choices import unknown
from cijie.errors import FormatError, UsageError
from cijie.files.names import StrPath

IdPolicy = Literal["check", "unique", "any"]
"""`"check"`: a repeated id is an error. `"unique"`: a repeated id gets a suffix, `5`, `5-2`, `5-3`.
`"any"`: ids are taken as they are. The first two remember all ids: those that are numbered as their
lines are, `s-1`, `s-2`, … in constant memory, others in some 200 bytes each."""


def id_checker(policy: IdPolicy, path: StrPath) -> Callable[[str, int], str]:
    """A function from an id and its line to the id to use.

    It raises `FormatError` for a repeated id under `"check"`, naming both lines.

    Raises:
        UsageError: an unknown policy.

    >>> unique = id_checker("unique", "pairs.tsv")
    >>> unique("5", 1), unique("5", 2), unique("5-2", 3)
    ('5', '5-2', '5-2-2')
    """
    if policy not in get_args(IdPolicy):
        raise UsageError(unknown("policy for ids", policy, get_args(IdPolicy)))
    lines = SeenIds()
    counts: dict[str, int] = {}

    def check(id: str, line: int) -> str:
        if policy == "any":
            return id
        unique = id
        while (before := lines.add(unique, line)) is not None:
            if policy == "check":
                message = f"line {before} already has this id"
                raise FormatError(message, path=path, line=line, id=id)
            counts[id] = counts.get(id, 1) + 1
            unique = f"{id}-{counts[id]}"
        return unique

    return check


class SeenIds:
    """The lines of ids, in little memory where ids and lines go up together.

    Ids with the same beginning, whose numbers go up by one, line by line from the first on, are
    one entry.

    >>> seen = SeenIds()
    >>> added = [seen.add(f"s-{line + 7}", line) for line in range(1, 1000)]
    >>> any(added), seen.add("s-17", 1000), seen.add("t", 1001), len(seen)
    (False, 10, None, 2)
    """

    # A number without leading zeros, so that it has one spelling.
    _NUMBERED = re.compile(r"(.*?)(0|[1-9][0-9]{0,17})", re.DOTALL)

    def __init__(self) -> None:
        self._others: dict[str, int] = {}
        # By what stands before the number: the first number, its line, and how many follow.
        self._runs: dict[str, list[int]] = {}

    def __len__(self) -> int:
        """How many entries are kept."""
        return len(self._others) + len(self._runs)

    def add(self, id: str, line: int) -> int | None:
        """Remember an id; where it was added before, its line is returned and stays."""
        if id in self._others:
            return self._others[id]
        if match := self._NUMBERED.fullmatch(id):
            number = int(match[2])
            run = self._runs.setdefault(match[1], [number, line, 0])
            first, first_line, size = run
            at = number - first
            if 0 <= at < size:
                return first_line + at
            if at == size and line == first_line + size:
                run[2] += 1
                return None
        self._others[id] = line
        return None


def given_id(values: Mapping[str, Any], default: object) -> str:
    """The id in a record, a string or a whole number, as a string; `default` where it is missing.

    Numbers are those of Python, NumPy and pandas, whole ones with a decimal point included; None,
    NaN and pandas' NA are missing ones.

    Raises:
        FormatError: it is something else.

    >>> [given_id({"id": id}, 1) for id in ("5", 5, 5.0, None, float("nan"))]
    ['5', '5', '5', '1', '1']
    """
    id = values.get("id")
    if isinstance(id, str):
        return str(id)  # not a subclass, such as NumPy's
    if id is None or type(id).__name__ in _MISSING:
        return str(default)
    if not isinstance(id, bool) and type(id).__name__ not in _BOOLEAN:
        with suppress(TypeError):
            return str(index(id))
        if isinstance(id, Real):
            number = float(id)
            if isnan(number):
                return str(default)
            if number.is_integer() and abs(number) < _EXACT:
                return str(int(number))
    raise FormatError(f"'id' is neither a string nor a whole number: {id!r}", id=default)


_MISSING = {"NAType", "NaTType"}  # pandas' NA and NaT, which need not be imported to be known
_BOOLEAN = {"bool", "bool_"}  # NumPy's
_EXACT = 1 << 53  # beyond it not every whole number is a floating-point number
