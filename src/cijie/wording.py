"""Words for messages."""

from __future__ import annotations

import re


def counted(count: int, what: str) -> str:
    """A number with what it counts, in the plural: its first word in -s is that of one, if it is 1.

    >>> counted(1, "boundaries inserted"), counted(1, "gold sentences without a pair")
    ('1 boundary inserted', '1 gold sentence without a pair')
    >>> counted(1200, "pairs")
    '1,200 pairs'
    """
    if count == 1:
        what = re.sub(r"(ie)?s\b", lambda end: "y" if end[1] else "", what, count=1)
    return f"{count:,} {what}"
