"""Checks of plain values against declared types, with errors in plain English."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from cijie.errors import FormatError

T = TypeVar("T")

_KINDS = {
    "str": "a string",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}


def checked(values: object, kind: type[T]) -> T:
    """Validate plain values and convert them to a declared type.

    Args:
        values: plain values, such as the object in a line of JSON.
        kind: the type, such as a subclass of `msgspec.Struct`.

    Raises:
        FormatError: a value is missing or of another kind; the message names it.

    >>> class Vote(msgspec.Struct):
    ...     annotator: str
    ...     references: list[int]
    >>> checked({"annotator": "A", "references": [1, "2"]}, Vote)
    Traceback (most recent call last):
    cijie.errors.FormatError: references[1]: expected a whole number, got a string
    >>> checked({"annotator": "A"}, Vote)
    Traceback (most recent call last):
    cijie.errors.FormatError: 'references' is missing
    """
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise FormatError(_in_english(str(error))) from None


def _in_english(message: str) -> str:
    """Rewrite a message of msgspec: ``Expected `int`, got `str` - at `$.references[1]` ``."""
    said, _, place = message.partition(" - at ")
    said = re.sub(r".* missing required field `(.*)`", r"'\1' is missing", said)
    said = re.sub(r"`([^`]*)`", _kinds, said)
    where = place.strip("`").removeprefix("$").removeprefix(".")
    return f"{where}: {said[0].lower()}{said[1:]}" if where else said


def _kinds(found: re.Match[str]) -> str:
    kinds: list[Any] = found[1].split(" | ")
    return " or ".join(_KINDS.get(kind, kind) for kind in kinds)
