"""Format characters, numbers and messages for pictures, in English and Chinese."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import category

from cijie.choices import Language

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    r"""Replace characters that would control a terminal or break a file.

    >>> visible("困"), visible("\x1b"), visible("\u202e"), visible("\ud800")
    ('困', '␛', '\ufffd', '\ufffd')
    """
    return "".join(map(_visible, text))


def _visible(char: str) -> str:
    if category(char) not in {"Cc", "Cs", "Zl", "Zp"} and char not in _BIDI:
        return char
    return chr(0x2400 + ord(char)) if char < " " else "␡" if char == "\x7f" else "\ufffd"


def message(key: str, language: Language, **values: str) -> str:
    """Return a message with its values filled in, after `visible`.

    The messages are in `pictures.messages.json`, which the pages of `cijie.viewer` use as well.

    >>> message("alike.shape", "zh", a="困", b="团", value=".89")
    '“困”形似“团”（相似度 .89）'
    """
    shown = {name: visible(value) for name, value in values.items()}
    text: str = _messages()[key][language == "zh"]
    return text.format(**shown)


@cache
def _messages() -> Any:
    return json.loads((files(__package__) / "pictures.messages.json").read_bytes())


def decimal(value: float) -> str:
    """Format a number with two decimals, without a leading zero; nothing rounds to 0 or 1.

    >>> decimal(0.913), decimal(1), decimal(0.998), decimal(0.002)
    ('.91', '1', '>.99', '<.01')
    """
    if value in (0, 1):
        return f"{value:.0f}"
    if not 0.005 <= value < 0.995:
        return "<.01" if value < 0.5 else ">.99"
    return f"{value:.2f}".removeprefix("0")
