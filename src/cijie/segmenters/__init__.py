"""Segmenters by name, behind one protocol; their libraries are imported on first use."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from inspect import getsourcefile
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from cijie.errors import UsageError, unknown
from cijie.segmenters.base import (
    FunctionSegmenter,
    LibrarySegmenter,
    Segmenter,
    UserWordSegmenter,
    guarded,
)
from cijie.segmenters.libraries import LIBRARIES
from cijie.segmenters.traditional import TraditionalSegmenter
from cijie.text.word_list import WordList

__all__ = ["LIBRARIES", "Segmenter", "default_segmenter", "load_segmenter", "load_tagger"]

DEFAULT_VARIABLE = "CIJIE_SEGMENTER"
"""The environment variable that names the segmenter where nothing else does."""


def default_segmenter(warn: Callable[[str], object] = warnings.warn) -> str:
    """Return the name of the default segmenter.

    It is what the environment variable `CIJIE_SEGMENTER` says, else wapic; where wapic is not
    installed, as it has no wheel, rjieba, and `warn` is called with a sentence that says so.
    """
    if chosen := os.environ.get(DEFAULT_VARIABLE):
        return chosen
    if LIBRARIES["wapic"].installed() or not LIBRARIES["rjieba"].installed():
        return "wapic"
    warn(
        "wapic, the default segmenter, is not installed; using rjieba, which segments differently "
        f"(set {DEFAULT_VARIABLE} to choose another)"
    )
    return "rjieba"


def load_segmenter(
    segmenter: str | Segmenter | Callable[[str], Iterable[str]] | None = None,
    options: Mapping[str, Any] | None = None,
    user_words: Iterable[str] = (),
) -> Segmenter:
    """Build a segmenter from a name or a function; return a segmenter unchanged.

    A name is one of `LIBRARIES`, or `package.module:function` for a function of one's own that
    gives the words of a text; None is `default_segmenter()`. Nothing heavy is loaded before the
    first text is cut. The segmenter keeps `user_words` whole wherever they occur; see
    `cijie.text.word_list`.

    Args:
        segmenter: a name, a function from a text to its words, a segmenter, or None.
        options: of an adapter, by name; and, of any segmenter, `traditional`: whether it gets a
            copy of each text in Simplified characters, one for one. Words keep the text's own.
        user_words: words to keep whole.

    Raises:
        UsageError: an unknown name or option, a function that is not there, an option for what has
            no name of `LIBRARIES`, or a needed option that is missing.
        TypeError: another kind of segmenter, options that are not a mapping.
        MissingExtraError: its library is not installed.
        SegmenterError: the module of a function fails when it is imported.

    >>> load_segmenter(list).name
    'function:list'
    >>> load_segmenter(list, user_words=["旅行团"]).name
    'function:list+words=1:0626fbf7'
    """
    if segmenter is None:
        segmenter = default_segmenter()
    if not isinstance(options, Mapping | None):
        raise TypeError(f"segmenter_options must be a dict of options by name, not {options!r}")
    options = dict(options or {})
    traditional = options.pop("traditional", False)
    if not isinstance(traditional, bool):
        raise UsageError(f"the option traditional must be on or off, not {traditional!r}")
    if options and (not isinstance(segmenter, str) or ":" in segmenter):
        raise UsageError(f"options require the name of a segmenter: {', '.join(options)}")
    made: Segmenter
    if isinstance(segmenter, Segmenter):
        made = segmenter
    elif isinstance(segmenter, str) and ":" in segmenter:
        function = _imported(segmenter)
        made = FunctionSegmenter(function, f"{segmenter}{_version(function)}")
    elif isinstance(segmenter, str):
        if segmenter not in LIBRARIES:
            raise UsageError(f"{unknown('segmenter', segmenter, LIBRARIES)}, or module:function")
        made = LibrarySegmenter(segmenter, LIBRARIES[segmenter], options)
    elif callable(segmenter):
        made = FunctionSegmenter(segmenter)
    else:
        kinds = "a name, a function from a text to its words, or a Segmenter"
        raise TypeError(f"segmenter must be {kinds}, not {segmenter!r}")
    if traditional:
        made = TraditionalSegmenter(made)
    if not isinstance(user_words, WordList):
        user_words = WordList(user_words) if user_words else ()
    return UserWordSegmenter(made, user_words) if user_words else made


def load_tagger(
    tagger: str | Callable[[Sequence[str]], Sequence[str]],
) -> tuple[Callable[[Sequence[str]], Sequence[str]], str]:
    """Build a function from words to their parts of speech; return it with its name for signatures.

    Args:
        tagger: a function; or the name of a library that tags, with options behind colons
            (`ltp:model=LTP/base`), whose tags are universal parts of speech; or
            `package.module:function`, which is imported.

    Raises:
        UsageError: an unknown name or option, or a needed option that is missing.
        MissingExtraError: the library is not installed.
        SegmenterError: the module of a function fails when it is imported.
    """
    if not isinstance(tagger, str):
        return tagger, "given"
    from cijie.segmenters.taggers import TAGGERS, Tagger

    name, *settings = tagger.split(":")
    if name not in TAGGERS and settings:
        return _imported(tagger, "tagger"), tagger
    if name not in TAGGERS:
        raise UsageError(f"{unknown('tagger', name, TAGGERS)}, or module:function")
    given = [setting.partition("=")[::2] for setting in settings]
    made = Tagger(name, TAGGERS[name], dict(given))
    return made, made.name


def _version(function: Callable[..., Any]) -> str:
    """Return a digest of the module of a function, so that another version has another name."""
    try:
        source = Path(getsourcefile(function) or "").read_bytes()
    except (TypeError, OSError):  # it has no file
        return ""
    return f"@{sha256(source).hexdigest()[:8]}"


def _imported(name: str, what: str = "segmenter") -> Callable[..., Any]:
    """Import `module:function`, which runs the module."""
    with guarded(name):
        try:
            function: Callable[..., Any] = resolve_name(name)
        except (ModuleNotFoundError, AttributeError, ValueError) as error:
            # There is no such module, no such function, or no such name.
            where = ""
            if isinstance(error, ModuleNotFoundError):
                where = "; modules are found in the folders of PYTHONPATH, such as PYTHONPATH=."
            raise UsageError(f"{what} {name}: {error}{where}") from error
    if not callable(function):
        does = {"segmenter": "a text to its words", "tagger": "words to their tags"}[what]
        raise UsageError(f"{what} {name} must be a function from {does}, not {function!r}")
    return function
