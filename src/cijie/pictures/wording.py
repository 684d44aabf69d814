"""Characters and numbers as pictures and sentences show them."""

from __future__ import annotations

from unicodedata import category

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    r"""Text as it can be shown: what would steer a terminal or break a file is replaced.

    >>> visible("困"), visible("\x1b"), visible("\u202e"), visible("\ud800")
    ('困', '␛', '\ufffd', '\ufffd')
    """
    return "".join(map(_visible, text)) if any(map(_steers, text)) else text


def _steers(char: str) -> bool:
    return category(char) in {"Cc", "Cs", "Zl", "Zp"} or char in _BIDI


def _visible(char: str) -> str:
    if not _steers(char):
        return char
    return chr(0x2400 + ord(char)) if char < " " else "␡" if char == "\x7f" else "\ufffd"


def decimal(value: float) -> str:
    """Two decimals, without the zero before the point; nothing rounds to 0 or 1.

    >>> decimal(0.913), decimal(1), decimal(0.998), decimal(0.002)
    ('.91', '1', '>.99', '<.01')
    """
    if value in (0, 1):
        return f"{value:.0f}"
    if not 0.005 <= value < 0.995:
        return "<.01" if value < 0.5 else ">.99"
    return f"{value:.2f}".removeprefix("0")
