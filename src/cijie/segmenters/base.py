"""What every segmenter offers, and the one check that its output passes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from cijie.errors import MissingExtraError
from cijie.segmentation import Segmentation


class Segmenter(ABC):
    """Cuts texts into words. Adapters implement `name` and `cut`; users call `segment`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Name, version and options, for the signature of every result."""

    @abstractmethod
    def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        """The words of each text, in order; white space may be kept or left out."""

    def segment(self, texts: Sequence[str]) -> Iterator[Segmentation]:
        """Segment texts, one after another, checking the words against each text.

        White space always separates words here, even where `cut` kept it inside of one.

        Raises:
            SegmentationError: the words are not those of the text, white space aside. As many
                results as there are texts before the one at fault have been given by then.
        """
        for text, words in zip(texts, self.cut(texts), strict=True):
            parts = [part for word in words for part in word.split()]
            yield Segmentation.from_tokens(text, parts)


class ModelSegmenter(Segmenter):
    """A segmenter with a model that is loaded when the first text is cut.

    The model is left behind when the segmenter is pickled: each process loads its own.
    """

    _model: Any = None

    @property
    def model(self) -> Any:
        """The loaded model."""
        if self._model is None:
            self._model = self._load()
        return self._model

    @abstractmethod
    def _load(self) -> Any: ...

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
            yield list(self._function(text))


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
