"""The interface of segmenters, and the one check that their output passes."""

from __future__ import annotations

import re
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from inspect import Parameter, signature
from typing import Any

from cijie.errors import (
    CijieError,
    MissingExtraError,
    SegmentationError,
    SegmenterError,
    UsageError,
    unknown,
)
from cijie.text.segmentation import Segmentation
from cijie.text.word_list import WordList

_SURROGATE = re.compile("[\ud800-\udfff]")

RecordError = CijieError | SegmenterError
"""The error of a record."""


class Segmenter(ABC):
    """Segments texts into words. Adapters implement `name` and `cut`; users call `segment`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name, version and options, for the signature; known before the model is loaded."""

    @abstractmethod
    def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        """Return the words of each text, in order; white space may be kept or left out."""

    def load(self) -> object:  # noqa: B027
        """Load the model, unless it is loaded."""

    def read(self, text: str) -> str:
        """Return a text as the segmenter reads it: of the same length, in characters it knows."""
        return text

    def segment(self, texts: Sequence[str]) -> Iterator[Segmentation]:
        """Segment texts one after another, checking the words against each text.

        White space always separates words here, even where `cut` kept it inside of one.

        Raises:
            SegmentationError: the words are not those of the text, white space aside. As many
                results as there are texts before the one at fault have been given by then.
        """
        for text, words in zip(texts, self.cut(texts), strict=True):
            yield Segmentation.from_tokens(text, words, cut_at_spaces=True)


def segment_texts(
    segmenter: Segmenter, texts: Iterable[str]
) -> dict[str, Segmentation | RecordError]:
    """Segment texts, identical ones once; an error in one text does not affect the others.

    Args:
        segmenter: the segmenter.
        texts: the texts.

    Returns:
        The words or the error of each text, in order.

    Raises:
        SegmenterError, MissingExtraError: the segmenter cannot be loaded.
    """
    ordered = list(dict.fromkeys(texts))
    if ordered:
        segmenter.load()
    found: dict[str, Segmentation | RecordError] = {}
    size = len(ordered)
    while len(found) < len(ordered):
        asked = ordered[len(found) : len(found) + size]
        try:
            for text, words in zip(asked, segmenter.segment(asked), strict=True):
                found[text] = words
        except MissingExtraError:
            raise
        except BaseException as error:
            if is_interrupt(error):
                raise
            left = [text for text in asked if text not in found]
            if len(left) > 1:
                size = 1  # to find the text at fault
                continue
            text = left[0] if left else asked[-1]
            found[text] = _named(segmenter, text, error)
    return found


def _named(segmenter: Segmenter, text: str, error: BaseException) -> RecordError:
    named: RecordError
    if surrogate := _SURROGATE.search(text):
        named = SegmentationError(
            f"a lone surrogate (U+{ord(surrogate[0]):04X}) at offset {surrogate.start()}, which is "
            f"not a character: {segmenter.name} cannot segment {text!r}"
        )
    elif isinstance(error, SegmentationError):
        named = SegmentationError(f"{segmenter.name}: {error.message}")
    elif isinstance(error, CijieError | SegmenterError):
        return error
    else:
        named = SegmenterError(f"{segmenter.name} failed: {type(error).__name__}: {error}")
    named.__cause__ = error
    return named


@dataclass(frozen=True, slots=True)
class Library:
    """A library that segments or tags, with its adapter.

    Args:
        distribution: what is installed under this name.
        adapter: loads a model, with the options of the adapter as arguments; returns the function
            that uses it.
        works_with: the versions that the adapter was tested with.
        extra: the extra of cijie that installs the library, if its name is another.
        hint: the end of the message that the library is missing.
        self_contained: whether the library bundles its model: nothing is downloaded, and no path is
            needed.
    """

    distribution: str
    adapter: Callable[..., Callable[..., Any]]
    works_with: str
    extra: str = ""
    hint: str = ""
    self_contained: bool = False

    def installed(self) -> str | None:
        """Return the installed version of the library, or None."""
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None


class LibraryModel:
    """A library with a model, which is loaded on first use.

    `name` has the options but those that are None and switches that are on. The model is left
    behind when this is pickled: each process loads its own.

    Whatever goes wrong inside the library is a `SegmenterError` that names it, its version, and
    the versions that are known to work.

    Args:
        called: what errors call it.
        library: the library.
        options: the options of its adapter, by name.

    Raises:
        MissingExtraError: the library is not installed.
        UsageError: an unknown option, a needed one that is missing, or a switch that is neither on
            nor off.
    """

    kind = "library"
    """What it is, in errors."""
    name = ""
    """Name, version and options, for the signature of every result."""

    def __init__(
        self, called: str, library: Library, options: Mapping[str, Any] | None = None
    ) -> None:
        self.library, self._options = library, dict(options or {})
        self._loaded: Callable[..., Any] | None = None
        accepted = signature(library.adapter).parameters
        for name in self._options:
            if not accepted:
                raise UsageError(f"{self.kind} {called} takes no options, got {name!r}")
            if name not in accepted:
                raise UsageError(unknown(f"option of {called}", name, accepted))
        parts = []
        for name, parameter in accepted.items():
            value = self._options.get(name, parameter.default)
            if value is Parameter.empty:
                raise UsageError(f"{self.kind} {called} needs the option {name!r}")
            if isinstance(parameter.default, bool) and not isinstance(value, bool):
                raise UsageError(f"the option {name} must be on or off, not {value!r}")
            if value is not None and value is not True:
                parts.append(f":{name}={'off' if value is False else value}")
        installed = library.installed()
        if installed is None:
            extra = library.extra or library.distribution
            raise MissingExtraError(library.distribution, extra, library.hint)
        self.name = f"{library.distribution}-{installed}{''.join(parts)}"
        self.hint = f" (known to work: {library.works_with})"

    def load(self) -> Callable[..., Any]:
        """Load the model, unless it is loaded; return the function that uses it."""
        if self._loaded is None:
            with guarded(self.name, self.hint):
                self._loaded = self.library.adapter(**self._options)
        return self._loaded

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}


class LibrarySegmenter(LibraryModel, Segmenter):
    """A segmenter of a library."""

    kind = "segmenter"

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        cut = self.load()
        for text in texts:
            with guarded(self.name, self.hint):
                words = list(cut(text)) if text and not text.isspace() else []
            yield words


class FunctionSegmenter(Segmenter):
    """Any function from a text to its words."""

    name = ""

    def __init__(self, function: Callable[[str], Iterable[str]], name: str | None = None) -> None:
        self._function = function
        name = name or getattr(function, "__qualname__", type(function).__qualname__)
        self.name = f"function:{name}"

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        for text in texts:
            with guarded(self.name):
                given = self._function(text)
                if isinstance(given, str):
                    raise TypeError(f"expected words, got a string: {given!r}")
                words = list(given)
            yield words


class WrappedSegmenter(Segmenter):
    """A segmenter that uses another one; subclasses implement `segment`."""

    name = ""

    def __init__(self, segmenter: Segmenter, addition: str) -> None:
        self._segmenter = segmenter
        self.name = f"{segmenter.name}+{addition}"

    def load(self) -> None:
        self._segmenter.load()

    def read(self, text: str) -> str:
        return self._segmenter.read(text)

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        return (segmentation.tokens for segmentation in self.segment(texts))


class UserWordSegmenter(WrappedSegmenter):
    """Segments with `segmenter`, then makes every occurrence of `words` one word.

    The same for every segmenter, also for those that take no user dictionary.
    """

    def __init__(self, segmenter: Segmenter, words: WordList) -> None:
        super().__init__(segmenter, words.signature)
        self._words = words

    def segment(self, texts: Sequence[str]) -> Iterator[Segmentation]:
        # A listed word may have white space in it, which other segmenters' words never have.
        return map(self._words.keep_whole, self._segmenter.segment(texts))


def is_interrupt(error: BaseException) -> bool:
    """Return whether an error was raised by a signal, not by the code that it interrupted.

    A handler raises an error of a class of its own, or Python's own handler is set.
    """
    return isinstance(error, KeyboardInterrupt) and (
        type(error) is not KeyboardInterrupt
        or signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


@contextmanager
def guarded(name: str, hint: str = "") -> Iterator[None]:
    """Run third-party code: its errors become errors of its name, its output goes to stderr.

    What it raises, `SystemExit` and the like too, becomes a `SegmenterError`. What it prints goes
    to standard error, for commands write their data to standard output.

    Args:
        name: what the code is called in the error.
        hint: the end of the error's message.
    """
    before, sys.stdout = sys.stdout, sys.stderr
    try:
        yield
    except (SegmenterError, MissingExtraError, UsageError):
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        # Some messages carry a stack trace of their own.
        what = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise SegmenterError(f"{name} failed: {what}{hint}") from error
    finally:
        # Only a thread that saved the original stream restores it, so it is never lost.
        if before is not sys.stderr:
            sys.stdout = before
