"""Parse lists of numbers and ranges such as `1-10,12.5`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from cijie.errors import UsageError


def parse_ratios(text: str) -> list[Fraction]:
    """Parse distinct shares, written in per cent.

    Raises:
        UsageError: not a number, a duplicate, or a number below 0 or above 100.

    >>> parse_ratios("1-3,12.5")
    [Fraction(1, 100), Fraction(1, 50), Fraction(3, 100), Fraction(1, 8)]
    """
    try:
        ratios = [Fraction(Decimal(percent)) / 100 for percent in _numbers(text)]
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise UsageError(f"expected ratios in per cent, got {text!r}") from error
    if not ratios or min(ratios) < 0 or max(ratios) > 1 or len(set(ratios)) < len(ratios):
        raise UsageError(f"expected different ratios from 0 to 100, got {text!r}")
    return ratios


def parse_files(text: str) -> set[int]:
    """Parse the numbers of files.

    Raises:
        UsageError: not a whole number.

    >>> sorted(parse_files("400-402,410"))
    [400, 401, 402, 410]
    """
    try:
        return set(map(int, _numbers(text)))
    except ValueError as error:
        raise UsageError(f"expected numbers of files, got {text!r}") from error


def _numbers(text: str) -> Iterator[str]:
    """Yield the numbers, with ranges expanded in steps of one."""
    for part in text.split(","):
        if match := re.fullmatch(r"\s*(\d+)-(\d+)\s*", part):
            yield from map(str, range(int(match[1]), int(match[2]) + 1))
        else:
            yield part
