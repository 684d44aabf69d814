"""Split a text into characters: grapheme clusters, zero-width characters, white space.

Positions everywhere in cijie are code points. Words, links and projections, however, deal in
*characters*: extended grapheme clusters (Unicode UAX #29) together with the zero-width characters
that follow them. In nearly every Chinese sentence each character is one code point, and no
cluster analysis is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar
from unicodedata import category

from rapidfuzz.distance import Prefix

from cijie.errors import describe

_Value = TypeVar("_Value")

# Code points that are visible and form a character on their own, whatever their neighbours. A text
# of these and white space needs no cluster analysis. Omitting one costs time, never correctness.
_PLAIN = (
    "!-~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u00ff\u2010-\u2027\u2030-\u203b\u2190-\u2193"
    "\u2460-\u24ff\u2500-\u25a9\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3105-\u312f\u3200-\u3296"
    "\u3300-\u33ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff9d"
    "\U00020000-\U000323af"
)
_NOT_PLAIN = re.compile(f"[^{_PLAIN}]")
_NOT_SIMPLE = re.compile(rf"[^{_PLAIN}\s]|\r\n")


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters of a text, in order; together they cover every code point once.

    Character `k` is `text[starts[k]:ends[k]]`. It is compared by `keys[k]`: its grapheme cluster
    without adjacent zero-width characters, which starts at `cores[k]`. `blank[k]` is 1 for white
    space (and for zero-width characters that follow nothing), which belongs to no word.
    `is_plain` is true if every code point is a visible character on its own.

    >>> characters("女力").keys
    '女力'
    >>> split = characters("🇨🇳 \\u200b店")
    >>> list(split.keys), list(split.starts), list(split.ends), list(split.blank)
    (['🇨🇳', ' ', '店'], [0, 2, 3], [2, 3, 5], [0, 1, 0])
    """

    keys: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    cores: Sequence[int]
    blank: bytes
    is_plain: bool

    def __len__(self) -> int:
        return len(self.starts)

    def visible(self, values: Iterable[_Value]) -> list[_Value]:
        """Return the items of `values` (one per character) whose character is not blank.

        >>> split = characters("我 去")
        >>> split.visible(split.ends)
        [1, 3]
        """
        return [value for value, blank in zip(values, self.blank, strict=True) if not blank]


def is_plain(text: str) -> bool:
    """Return whether every code point of `text` is a visible character on its own.

    >>> is_plain("我学2次"), is_plain("我 学"), is_plain("👩‍🏫")
    (True, False, False)
    """
    return _NOT_PLAIN.search(text) is None


def characters(text: str) -> Characters:
    """Split `text` into characters; see `Characters`."""
    plain = is_plain(text)
    if plain or _NOT_SIMPLE.search(text) is None:  # one code point each
        positions, ends = range(len(text)), range(1, len(text) + 1)
        blank = bytes(len(text)) if plain else bytes(map(str.isspace, text))
        return Characters(text, positions, ends, positions, blank, plain)
    keys: list[str] = []
    starts: list[int] = []
    cores: list[int] = []
    blanks = bytearray()
    for match in _pattern().finditer(text):
        core = match.start("core")
        starts.append(match.start())
        cores.append(match.start() if core < 0 else core)
        keys.append(match["core"] if core >= 0 else match[0])
        blanks.append(core < 0)
    return Characters(keys, starts, [*starts[1:], len(text)], cores, bytes(blanks), False)


@cache
def _pattern() -> re.Pattern[str]:
    import regex  # needed only for texts beyond simple ones

    space = r"\s\x1c-\x1f"
    zero = r"\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}"
    # A character includes the zero-width characters after it, and the ones before it only if no
    # character precedes them. Zero-width characters next to no character are blank. A few signs
    # form a cluster with the next character, unless that is white space.
    # The library counts regional indicators from the first in a row, so long rows are slow.
    before_space = rf"\p{{GCB=Prepend}}++(?=[{space}])"
    flag = r"\p{Regional_Indicator}{2}[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]*+"
    cluster = rf"(?![{space}{zero}])(?:{before_space}|{flag}|\X)"
    compiled: re.Pattern[str] = regex.compile(
        rf"[{zero}]*+(?P<core>{cluster})[{zero}]*+|\r\n|[{space}]|[{zero}]++", regex.DOTALL
    )
    return compiled


def is_punctuation(text: str) -> bool:
    """Return whether a text consists of punctuation only.

    >>> is_punctuation("……"), is_punctuation("，他"), is_punctuation("")
    (True, False, False)
    """
    return text != "" and all(category(char)[0] == "P" or char in "~～" for char in text)


def text_difference(texts: Mapping[str, str]) -> str:
    """Describe the first difference between two texts, for an error message.

    >>> text_difference({"gold": "旅行团", "mine": "旅行困"})
    "the texts differ at offset 2: gold has '团' (U+56E2), mine has '困' (U+56F0)"
    """
    at = Prefix.similarity(*texts.values())
    found = (f"{owner} has {describe(text[at : at + 1])}" for owner, text in texts.items())
    return f"the texts differ at offset {at}: {', '.join(found)}"
