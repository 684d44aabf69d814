"""Format characters, numbers and messages for pictures, in English and Chinese."""

from __future__ import annotations

from typing import Literal, get_args
from unicodedata import category

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_MESSAGES: dict[str, tuple[str, str]] = {
    "join": ("{whole} is one word, because {word} is", "{whole}是一个词，因为{word}是一个词"),
    "same": ("{word} is one word, as in the target", "{word}是一个词，与改正句相同"),
    "apart": (
        "{pieces} stay apart, although {word} is one word in the target",
        "{pieces}仍分开，虽然{word}在改正句中是一个词",
    ),
    "cut end": (
        "{whole} is cut after {first}, because {word} ends there in the target",
        "{whole}在{first}后切开，因为改正句的{word}在此结束",
    ),
    "cut start": (
        "{whole} is cut after {first}, because {word} begins there in the target",
        "{whole}在{first}后切开，因为改正句的{word}在此开始",
    ),
    "uncut end": (
        "{whole} is not cut after {first}, although {word} ends there in the target",
        "{whole}在{first}后不切，虽然改正句的{word}在此结束",
    ),
    "uncut start": (
        "{whole} is not cut after {first}, although {word} begins there in the target",
        "{whole}在{first}后不切，虽然改正句的{word}在此开始",
    ),
    "and": (", and ", "，且"),
    "stop": (".", "。"),
    "moved": ("{a} is the same character in another place", "{a}是同一字，位置不同"),
    "shape": ("{a} looks like {b} (similarity {value})", "{a}形似{b}（相似度 {value}）"),
    "sound": ("{a} sounds like {b} (similarity {value})", "{a}音近{b}（相似度 {value}）"),
    "place": (
        "{a} is linked to {b} by place or context (score {value})",
        "{a}因位置或语境与{b}相连（得分 {value}）",
    ),
    "sure": ("{sure} sure; otherwise {other} ({rest})", "置信度 {sure}；否则为 {other}（{rest}）"),
}

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def visible(text: str) -> str:
    r"""Replace characters that would control a terminal or break a file.

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


def message(key: str, language: Language, **values: str) -> str:
    """Return a message with its values filled in, after `visible`.

    >>> message("shape", "zh", a="困", b="团", value=".89")
    '困形似团（相似度 .89）'
    """
    shown = {name: visible(value) for name, value in values.items()}
    return _MESSAGES[key][language == "zh"].format(**shown)


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
