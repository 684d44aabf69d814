"""A segmenter that keeps the user's words whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cijie.segmenters.base import Segmenter
from cijie.segmenters.word_list import WordList
from cijie.text.segmentation import Segmentation


class UserWordSegmenter(Segmenter):
    """Segments with `segmenter`, then makes every occurrence of `words` one word.

    The same for every segmenter, also for those that take no user dictionary.
    """

    def __init__(self, segmenter: Segmenter, words: WordList) -> None:
        self._segmenter = segmenter
        self._words = words

    @property
    def name(self) -> str:
        return f"{self._segmenter.name}+{self._words.signature}"

    def load(self) -> None:
        self._segmenter.load()

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        return (segmentation.tokens for segmentation in self.segment(texts))

    def segment(self, texts: Sequence[str]) -> Iterator[Segmentation]:
        # A listed word may have white space in it, which other segmenters' words never have.
        return map(self._words.keep_whole, self._segmenter.segment(texts))
