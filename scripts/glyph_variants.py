"""List pairs of equivalent characters: script, regional, width and numeral variants."""

from __future__ import annotations

import unicodedata
from itertools import chain, combinations
from typing import TYPE_CHECKING

from opencc import OpenCC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

NUMERAL = 1.0
"""The similarity of a digit and its Han numeral, which count as the same character."""
SAME_CHARACTER = 0.98
"""The similarity of full and half width, compatibility ideographs, separately encoded radicals."""
SCRIPT_VARIANT = 0.97
"""The similarity of simplified and traditional, and of regional forms of a character."""

NUMERALS = (
    "0〇零",
    "1一壹",
    "2二贰貳两兩",
    "3三叁叄",
    "4四肆",
    "5五伍",
    "6六陆陸",
    "7七柒",
    "8八捌",
    "9九玖",
    "十拾",
    "百佰",
    "千仟",
)
"""Characters of equal value; learners and their correctors write 两 for 2."""

CONVERSIONS = ("t2s", "s2t", "s2tw", "s2hk", "t2tw", "tw2t", "t2hk", "hk2t", "t2jp", "jp2t")

IDEOGRAPHS = tuple(chain(range(0x3400, 0x4DC0), range(0x4E00, 0xA000), range(0x20000, 0x2A6E0)))
# Blocks whose compatibility mappings will not change in any version of Unicode.
COMPATIBILITY = tuple(
    chain(
        range(0x2E80, 0x2FD6),  # radicals
        range(0xF900, 0xFAFF),  # compatibility ideographs
        range(0x2F800, 0x2FA1E),
        range(0xFF01, 0xFF5F),  # full-width ASCII
        range(0xFF61, 0xFF65),  # half-width punctuation
        range(0xFFE0, 0xFFE7),  # full-width signs
        range(0x2460, 0x2469),  # circled digits
        range(0x3280, 0x3289),  # circled ideographic numbers
    )
)


def variants() -> dict[tuple[str, str], float]:
    """Return the similarity of each pair, smaller character first; the highest if several apply."""
    pairs: dict[tuple[str, str], float] = {}
    for value, found in (
        (SCRIPT_VARIANT, _converted()),
        (SAME_CHARACTER, _compatible()),
        (NUMERAL, _numerals()),
    ):
        for a, b in found:
            if a != b:
                pairs[min(a, b), max(a, b)] = value
    return pairs


def _converted() -> Iterator[tuple[str, str]]:
    text = "\n".join(map(chr, IDEOGRAPHS))  # one per line, so that no phrase can match
    for conversion in CONVERSIONS:
        results = OpenCC(conversion).convert(text).split("\n")
        for code, result in zip(IDEOGRAPHS, results, strict=True):
            if len(result) == 1:
                yield chr(code), result


def _compatible() -> Iterator[tuple[str, str]]:
    classes: dict[str, list[str]] = {}
    for code in COMPATIBILITY:
        plain = unicodedata.normalize("NFKC", chr(code))
        if len(plain) == 1:
            classes.setdefault(plain, [plain]).append(chr(code))
    return _within(classes.values())


def _numerals() -> Iterator[tuple[str, str]]:
    widened = []
    for members in NUMERALS:
        wide = [chr(ord(c) + 0xFEE0) for c in members if c.isascii()]
        widened.append(sorted({*members, *wide}))
    return _within(widened)


def _within(classes: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    return chain.from_iterable(combinations(members, 2) for members in classes)
