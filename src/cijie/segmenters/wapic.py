"""wapic, cijie's default: a CRF distilled from LTP, with a bundled model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

# Numbers, dates and long punctuation, which LTP and the Penn Treebank keep as single words.
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


def wapic(model: str | None = None, numbers: bool = True) -> Callable[[str], list[str]]:
    """Segment with wapic 0.1.0.

    Args:
        model: path of a model of one's own instead of the bundled one.
        numbers: whether numbers, dates and runs of …… and —— stay whole, as in LTP (`2012年`,
            `3.14%`); wapic by itself cuts them apart.
    """
    loaded = _model(model)

    def cut(text: str) -> list[str]:
        # `segment_batch` would be faster on many cores, but it hangs after a fork.
        if not (numbers and _FIRST.search(text)):  # as nearly always
            return list(loaded.segment(text))
        starts = keep_whole(text, loaded.word_starts(text))
        return [text[start:end] for start, end in pairwise([0, *starts[1:]])]

    return cut


@lru_cache(maxsize=1)
def _model(path: str | None) -> Any:
    """Load a model once in a process, and in those that are forked from it."""
    import wapic

    return wapic.Segmenter(path)


def keep_whole(text: str, starts: Iterable[int]) -> list[int]:
    """Drop the word starts that fall inside a number, a date or a run of …… or ——.

    >>> keep_whole("2012年涨了3.14%……", [0, 4, 5, 6, 7, 8, 9, 11, 12, 13])
    [0, 5, 6, 7, 12]
    """
    inside = {k for match in _WHOLE.finditer(text) for k in range(match.start() + 1, match.end())}
    return [start for start in starts if start not in inside]
