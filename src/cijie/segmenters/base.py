"""The interface of segmenters, and the one check that their output passes."""

from __future__ import annotations

import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, fields
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

from cijie.errors import MissingExtraError, SegmenterError, UsageError
from cijie.text.segmentation import Segmentation
from cijie.text.word_list import WordList

_NAMES = ("tok", "tok/fine", "tok/coarse", "cws")  # HanLP's, and LTP's


class Segmenter(ABC):
    """Segments texts into words. Adapters implement `name` and `cut`; users call `segment`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name, version and options, for the signature of every result."""

    @abstractmethod
    def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        """Return the words of each text, in order; white space may be kept or left out."""

    def load(self) -> None:  # noqa: B027
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


@dataclass(kw_only=True, eq=False)
class LibraryModel:
    """A library with a model, which is loaded on first use.

    The fields of an adapter are its options. `name` has the options but those that are None and
    switches that are on. Adapters implement `_load`. The model is left behind when the adapter is
    pickled: each process loads its own.

    Whatever goes wrong inside the library is a `SegmenterError` that names it, its version, and
    the versions that are known to work.

    Raises:
        MissingExtraError: the library is not installed.
        UsageError: a switch that is neither on nor off.
    """

    distribution: ClassVar[str]
    """The command that installs the library."""
    extra: ClassVar[str]
    """The adapter's name, also that of the extra of cijie that installs the library."""
    works_with: ClassVar[str]
    """The versions that the adapter was tested with."""
    instead: ClassVar[str] = ""
    """The extra to install where the library is missing, if another one than its own."""
    hint: ClassVar[str] = ""
    """The end of the message that says so."""
    self_contained: ClassVar[bool] = False
    """True if the library bundles its model: nothing is downloaded, and no path is needed."""

    _loaded: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        installed = self.installed()
        if installed is None:
            raise MissingExtraError(self.distribution, self.instead or self.extra, self.hint)
        parts = [f"{self.distribution}-{installed}"]
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(each.default, bool) and not isinstance(value, bool):
                raise UsageError(f"the option {each.name} must be on or off, not {value!r}")
            if each.repr and value is not None and value is not True:
                parts.append(f"{each.name}={'off' if value is False else value}")
        self._name = ":".join(parts)

    @classmethod
    def installed(cls) -> str | None:
        """Return the installed version of the library, or None."""
        try:
            return version(cls.distribution)
        except PackageNotFoundError:
            return None

    @classmethod
    def to_install(cls) -> str:
        """Say how to install the library."""
        return f"pip install 'cijie[{cls.extra}]'"

    @property
    def name(self) -> str:
        """Name, version and options, for the signature of every result."""
        return self._name

    @property
    def loaded(self) -> Any:
        """The loaded model."""
        if self._loaded is None:
            with self._guard():
                self._loaded = self._load()
        return self._loaded

    @abstractmethod
    def _load(self) -> Any: ...

    def _guard(self) -> AbstractContextManager[None]:
        return guarded(self._name, f" (known to work: {self.works_with})")

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_loaded": None}


@dataclass(kw_only=True, eq=False)
class ModelSegmenter(LibraryModel, Segmenter):
    """A segmenter of a library; adapters implement `_cut`, for texts with words."""

    def load(self) -> None:
        _ = self.loaded

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        for text in texts:
            with self._guard():
                words = list(self._cut(text)) if text and not text.isspace() else []
            yield words

    @abstractmethod
    def _cut(self, text: str) -> Iterable[str]: ...


class FunctionSegmenter(Segmenter):
    """Any function from a text to its words."""

    def __init__(self, function: Callable[[str], Iterable[str]], name: str | None = None) -> None:
        self._function = function
        self._name = name or getattr(function, "__qualname__", type(function).__qualname__)

    @property
    def name(self) -> str:
        return f"function:{self._name}"

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        for text in texts:
            with guarded(self.name):
                given = words_of(self._function(text))
                if isinstance(given, str):
                    raise TypeError(f"expected words, got a string: {given!r}")
                words = list(given)
            yield words


class WrappedSegmenter(Segmenter):
    """A segmenter that uses another one; subclasses implement `segment`."""

    def __init__(self, segmenter: Segmenter, addition: str) -> None:
        self._segmenter, self._addition = segmenter, addition

    @property
    def name(self) -> str:
        return f"{self._segmenter.name}+{self._addition}"

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


def words_of(result: Any) -> Any:
    """Extract the words from a result of HanLP or LTP; return anything else unchanged.

    Args:
        result: a dictionary with `tok`, `tok/fine` or `tok/coarse` (HanLP), or with `cws` (LTP,
            also as an attribute): the words of the text, or those of each of its sentences.

    Raises:
        ValueError: a dictionary with none of these, or with several.

    >>> words_of({"tok/fine": [["我们", "去"], ["好"]], "pos/ctb": [["PN", "VV"], ["VA"]]})
    ['我们', '去', '好']
    >>> words_of(["我们", "去"])
    ['我们', '去']
    """
    if isinstance(result, Mapping):
        found = [name for name in _NAMES if name in result]
        if len(found) != 1:
            raise ValueError(
                f"expected one of {', '.join(_NAMES)} in a dictionary of results, got "
                f"{', '.join(found) or 'none'}"
            )
        words = result[found[0]]
    elif hasattr(result, "cws"):
        words = result.cws
    else:
        return result
    if all(isinstance(word, str) for word in words):
        return list(words)
    return [word for sentence in words for word in sentence]
