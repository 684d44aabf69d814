"""What every segmenter offers, and the one check that its output passes."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

from cijie.errors import MissingExtraError, SegmenterError
from cijie.text.segmentation import Segmentation


class Segmenter(ABC):
    """Cuts texts into words. Adapters implement `name` and `cut`; users call `segment`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name, version and options, for the signature of every result."""

    @abstractmethod
    def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        """The words of each text, in order; white space may be kept or left out."""

    def load(self) -> None:  # noqa: B027
        """Load what segmenting needs, if that has not been done."""

    def segment(self, texts: Sequence[str]) -> Iterator[Segmentation]:
        """Segment texts, one after another, checking the words against each text.

        White space always separates words here, even where `cut` kept it inside of one.

        Raises:
            SegmentationError: the words are not those of the text, white space aside. As many
                results as there are texts before the one at fault have been given by then.
        """
        for text, words in zip(texts, self.cut(texts), strict=True):
            yield Segmentation.from_tokens(text, words, cut_at_spaces=True)


class ModelSegmenter(Segmenter):
    """A segmenter with a model that is loaded when the first text is cut.

    The model is left behind when the segmenter is pickled: each process loads its own. Adapters
    implement `_load` and `_cut`, which is given no text without words.

    Whatever goes wrong inside the library is a `SegmenterError` that names it, its version, and
    the versions that are known to work.
    """

    works_with: ClassVar[str]
    """The versions that the adapter was tested with."""

    _model: Any = None

    @property
    def model(self) -> Any:
        """The loaded model."""
        if self._model is None:
            # Some libraries greet on standard output, where commands write their data.
            with self._naming_errors(), redirect_stdout(sys.stderr):
                self._model = self._load()
        return self._model

    def load(self) -> None:
        _ = self.model

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        with self._naming_errors():
            for text in texts:
                yield list(self._cut(text)) if text and not text.isspace() else []

    @abstractmethod
    def _load(self) -> Any: ...

    @abstractmethod
    def _cut(self, text: str) -> Iterable[str]: ...

    @contextmanager
    def _naming_errors(self) -> Iterator[None]:
        try:
            yield
        except (SegmenterError, MissingExtraError):
            raise
        except Exception as error:
            # Some messages carry a stack trace of their own.
            what = f"{type(error).__name__}: {error}".partition("\n")[0]
            message = f"{self.name} fails: {what} (known to work: {self.works_with})"
            raise SegmenterError(message) from error

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_model": None}


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
            try:
                words = self._function(text)
                if isinstance(words, str):
                    raise TypeError(f"words are wanted, not a single string: {words!r}")
                yield list(words)
            except Exception as error:
                what = f"{type(error).__name__}: {error}"
                raise SegmenterError(f"{self.name} fails: {what}") from error


def installed_version(distribution: str, *, extra: str, hint: str = "") -> str:
    """The version of a library that an adapter needs.

    Raises:
        MissingExtraError: it is not installed; `extra` is the extra of cijie that brings it.
    """
    try:
        return version(distribution)
    except PackageNotFoundError as error:
        raise MissingExtraError(distribution, extra, hint=hint) from error


def signature(library: str, **options: object) -> str:
    """`library:option=value:…`, the options that are not None.

    >>> signature("jieba-0.42.1", hmm="off", model=None)
    'jieba-0.42.1:hmm=off'
    """
    given = (f"{name}={value}" for name, value in options.items() if value is not None)
    return ":".join([library, *given])
