"""A segmenter that keeps the user's words whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cijie.dictionary import WordList
from cijie.segmenters.base import Segmenter


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
        for segmentation in self._segmenter.segment(texts):
            yield self._words.keep_whole(segmentation).tokens
