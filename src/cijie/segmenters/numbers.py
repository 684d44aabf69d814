"""Numbers, dates and long punctuation as single words, as LTP and the Penn Treebank keep them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WHOLE = re.compile(
    r"""
    \d{4}年                              # a year; 3年 may be a duration
  | \d{1,2}月份?  | \d{1,2}[日号]          # a month or a day of the calendar
  | \d+(?:[:：]\d{2}){1,2}(?!\d)          # a time
  | (?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)      # an amount, with groups of thousands,
    (?:[.．]\d+)*[%％‰百千万亿]*            # decimals, and what it is counted in
  | …{2,} | —{2,} | \.{2,}
    """,
    re.VERBOSE,
)

_FIRST = re.compile(r"[\d…—.]")  # what each of them begins with


def may_have_numbers(text: str) -> bool:
    """Whether there may be something to keep whole; in most texts there is not."""
    return _FIRST.search(text) is not None


def keep_whole(text: str, starts: Iterable[int]) -> list[int]:
    """Drop the word starts that fall inside a number, a date or a run of …… or ——.

    >>> keep_whole("2012年涨了3.14%……", [0, 4, 5, 6, 7, 8, 9, 11, 12, 13])
    [0, 5, 6, 7, 12]
    """
    inside = {k for match in _WHOLE.finditer(text) for k in range(match.start() + 1, match.end())}
    return [start for start in starts if start not in inside]
