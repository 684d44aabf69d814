"""Segmenters by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from inspect import signature
from pkgutil import resolve_name
from typing import Any

from cijie.segmenters.base import FunctionSegmenter, Segmenter


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
    )
    return {adapter.name: adapter for adapter in known}


def load_segmenter(
    segmenter: str | Segmenter | Callable[[str], Iterable[str]],
    options: Mapping[str, Any] | None = None,
) -> Segmenter:
    """Make a segmenter of a name, a function, or a segmenter (given back as it is).

    A name is one of `adapters()`, or `package.module:function` for a function of one's own that
    gives the words of a text. Nothing heavy is loaded before the first text is cut.

    Raises:
        ValueError: an unknown name or option.

    >>> load_segmenter(list).name
    'function:list'
    """
    if isinstance(segmenter, Segmenter):
        return segmenter
    if callable(segmenter):
        return FunctionSegmenter(segmenter)
    options = dict(options or {})
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
    made: Segmenter = cls(**options)
    return made
