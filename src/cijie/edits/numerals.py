"""The values of numerals, in figures and in characters."""

from __future__ import annotations

import re
from fractions import Fraction
from unicodedata import normalize

# In characters, and in those of cheques.
_DIGITS = str.maketrans(
    "〇零一二两三四五六七八九壹贰叁肆伍陆柒捌玖拾佰仟", "001223456789123456789十百千"
)
_FIGURES = re.compile(r"[0-9]+(?:\.[0-9]+)?|[0-9]{1,3}(?:,[0-9]{3})+")
_SECTION = re.compile(r"(?:([1-9])千)?0?(?:([1-9])百)?0?(?:([1-9]?)十)?0?([1-9]?)")


def number_of(text: str) -> Fraction | None:
    """The number that a text is a numeral of; None if it is none, or may be read in two ways.

    >>> [str(number_of(text)) for text in ("二十五", "两千零八", "二〇一一", "3.8万", "１，０００")]
    ['25', '2008', '2011', '38000', '1000']
    >>> number_of("一百二"), number_of("十个"), number_of("")
    (None, None, None)
    """
    return _number(normalize("NFKC", text).translate(_DIGITS))


def _number(text: str) -> Fraction | None:
    if _FIGURES.fullmatch(text):
        return Fraction(text.replace(",", ""))
    for unit, value in (("亿", 10**8), ("万", 10**4)):
        if unit in text:
            high, _, low = text.partition(unit)
            times, rest = _number(high), _number(low) if low else Fraction(0)
            if times is None or rest is None or len(low) == 1:
                return None
            return times * value + rest
    section = _SECTION.fullmatch(text)
    if section is None or not text:
        return None
    thousands, hundreds, tens, ones = section.groups()
    if ones and tens is None and (thousands or hundreds) and text[-2] != "0":
        return None
    tens = "1" if tens == "" else tens
    return Fraction("".join(digit or "0" for digit in (thousands, hundreds, tens, ones)))
