"""Segmenters by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from inspect import Parameter, signature
from pkgutil import resolve_name
from typing import Any

from cijie.segmenters.base import FunctionSegmenter, Segmenter
from cijie.segmenters.user_words import UserWordSegmenter
from cijie.segmenters.word_list import WordList


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter, where it is, and the distribution on PyPI that it needs."""

    name: str
    module: str
    cls: str
    distribution: str

    @property
    def installed(self) -> str | None:
        """The installed version of what it needs, if there is one."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None


def adapters() -> dict[str, Adapter]:
    """All adapters by name."""
    known = (
        Adapter("wapic", "cijie.segmenters.wapic", "WapicSegmenter", "wapic"),
        Adapter("rjieba", "cijie.segmenters.rjieba", "RjiebaSegmenter", "rjieba"),
        Adapter("jieba", "cijie.segmenters.jieba", "JiebaSegmenter", "jieba"),
        Adapter("ltp", "cijie.segmenters.ltp", "LtpSegmenter", "ltp"),
        Adapter(
            "ltp-extension",
            "cijie.segmenters.ltp_extension",
            "LtpExtensionSegmenter",
            "ltp-extension",
        ),
        Adapter("pkuseg", "cijie.segmenters.pkuseg", "PkusegSegmenter", "spacy-pkuseg"),
        Adapter("thulac", "cijie.segmenters.thulac", "ThulacSegmenter", "thulac"),
        Adapter("hanlp", "cijie.segmenters.hanlp", "HanlpSegmenter", "hanlp"),
        Adapter("stanza", "cijie.segmenters.stanza", "StanzaSegmenter", "stanza"),
    )
    return {adapter.name: adapter for adapter in known}


def load_segmenter(
    segmenter: str | Segmenter | Callable[[str], Iterable[str]],
    options: Mapping[str, Any] | None = None,
    user_words: Iterable[str] = (),
) -> Segmenter:
    """Make a segmenter of a name, a function, or a segmenter (given back as it is).

    A name is one of `adapters()`, or `package.module:function` for a function of one's own that
    gives the words of a text. Nothing heavy is loaded before the first text is cut. The segmenter
    keeps `user_words` whole wherever they occur; see `cijie.segmenters.word_list`.

    Raises:
        ValueError: an unknown name or option, or a needed option that is missing.

    >>> load_segmenter(list).name
    'function:list'
    >>> load_segmenter(list, user_words=["旅行团"]).name
    'function:list+words=1:0626fbf7'
    """
    made = _without_words(segmenter, dict(options or {}))
    words = user_words if isinstance(user_words, WordList) else WordList(user_words)
    return UserWordSegmenter(made, words) if words else made


def _without_words(
    segmenter: str | Segmenter | Callable[[str], Iterable[str]], options: dict[str, Any]
) -> Segmenter:
    if isinstance(segmenter, Segmenter):
        return segmenter
    if callable(segmenter):
        return FunctionSegmenter(segmenter)
    if ":" in segmenter and not options:
        return FunctionSegmenter(resolve_name(segmenter), segmenter)
    known = adapters()
    if segmenter not in known:
        raise ValueError(
            f"unknown segmenter {segmenter!r}: one of {', '.join(known)}, or module:function"
        )
    cls = getattr(import_module(known[segmenter].module), known[segmenter].cls)
    accepted = signature(cls).parameters
    for name in options:
        if name not in accepted:
            raise ValueError(
                f"segmenter {segmenter} has no option {name!r}: {', '.join(accepted) or 'none'}"
            )
    for name, parameter in accepted.items():
        if parameter.default is Parameter.empty and name not in options:
            raise ValueError(f"segmenter {segmenter} needs the option {name!r}")
    made: Segmenter = cls(**options)
    return made
