"""What counts as one character: grapheme clusters, zero-width characters, white space.

Positions everywhere in cijie are code points. Words, links and projections, however, deal in
*characters*: extended grapheme clusters (Unicode UAX #29) together with the zero-width characters
that follow them. In nearly every Chinese sentence the two are the same, and nothing is computed.
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

# Code points that are visible and a character on their own, whatever stands beside them. A text of
# nothing else, white space aside, needs no cluster analysis. Leaving one out costs time, never
# correctness.
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

    Character `k` is `text[starts[k]:ends[k]]`. Its `keys[k]` is what it is compared by: the
    grapheme cluster, without zero-width characters beside it, found at `cores[k]`. `blank[k]`
    is 1 for white space (and for zero-width characters that follow nothing), which is in no word.
    `is_plain` says that every code point is a visible character on its own.

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
        """Those of `values`, one for each character, whose character is not blank.

        >>> split = characters("我 去")
        >>> split.visible(split.ends)
        [1, 3]
        """
        return [value for value, blank in zip(values, self.blank, strict=True) if not blank]


def is_plain(text: str) -> bool:
    """Whether every code point of `text` is a visible character on its own.

    >>> is_plain("我学2次"), is_plain("我 学"), is_plain("👩‍🏫")
    (True, False, False)
    """
    return _NOT_PLAIN.search(text) is None


def single_characters(text: str, blank: bytes = b"") -> Characters:
    """The characters of a text whose code points each are one, all visible without `blank`."""
    positions = range(len(text))
    ends = range(1, len(text) + 1)
    return Characters(text, positions, ends, positions, blank or bytes(len(text)), not blank)


def characters(text: str) -> Characters:
    """Split `text` into characters; see `Characters`."""
    if is_plain(text):
        return single_characters(text)
    if _NOT_SIMPLE.search(text) is None:
        return single_characters(text, bytes(map(str.isspace, text)))
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
    # A character takes the zero-width characters behind it, and those before it only where no
    # character precedes them. Zero-width characters with no character to cling to are blank. A few
    # signs form a cluster with what follows them: not where that is white space.
    # The library counts regional indicators from the first in a row, so a row takes it long.
    before_space = rf"\p{{GCB=Prepend}}++(?=[{space}])"
    flag = r"\p{Regional_Indicator}{2}[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]*+"
    cluster = rf"(?![{space}{zero}])(?:{before_space}|{flag}|\X)"
    compiled: re.Pattern[str] = regex.compile(
        rf"[{zero}]*+(?P<core>{cluster})[{zero}]*+|\r\n|[{space}]|[{zero}]++", regex.DOTALL
    )
    return compiled


def is_punctuation(text: str) -> bool:
    """Whether a text is punctuation and nothing else.

    >>> is_punctuation("……"), is_punctuation("，他"), is_punctuation("")
    (True, False, False)
    """
    return text != "" and all(category(char)[0] == "P" or char in "~～" for char in text)


def text_difference(texts: Mapping[str, str]) -> str:
    """Where two texts differ first, for an error.

    >>> text_difference({"gold": "旅行团", "mine": "旅行困"})
    "the texts differ at offset 2: gold has '团' (U+56E2), mine has '困' (U+56F0)"
    """
    at = Prefix.similarity(*texts.values())
    found = (f"{owner} has {describe(text[at : at + 1])}" for owner, text in texts.items())
    return f"the texts differ at offset {at}: {', '.join(found)}"
