"""Text in Traditional characters, for segmenters that read Simplified ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cijie.segmenters.base import LibraryModel, Segmenter, WrappedSegmenter
from cijie.text.segmentation import Segmentation


@dataclass(kw_only=True, eq=False)
class Simplified(LibraryModel):
    """Simplified characters for Traditional ones, one for one, by OpenCC."""

    distribution, extra = "opencc", "traditional"
    works_with = "opencc 1.4.2"

    def _load(self) -> Any:
        import opencc

        return opencc.OpenCC("tw2s")  # "t2s" would leave 著, the particle of Taiwan, as it is

    def __call__(self, text: str) -> str:
        with self._guard():
            copy: str = self.loaded.convert(text)
            if len(copy) == len(text):
                return copy
            # No entry of its dictionaries changes the length, but future ones might.
            each = ((char, self.loaded.convert(char)) for char in text)
            return "".join(copy if len(copy) == 1 else char for char, copy in each)


class TraditionalSegmenter(WrappedSegmenter):
    """Segments a simplified copy of texts in Traditional characters with `segmenter`.

    Each character stands for one of the text, so that words have the text's own characters.

    Raises:
        MissingExtraError: OpenCC, which makes the copy, is not installed.
    """

    def __init__(self, segmenter: Segmenter) -> None:
        self._simplified = Simplified()
        super().__init__(segmenter, self._simplified.name)

    def read(self, text: str) -> str:
        return self._segmenter.read(self._simplified(text))

    def segment(self, texts: Sequence[str]) -> Iterator[Segmentation]:
        copies = self._segmenter.segment([self._simplified(text) for text in texts])
        for text, copy in zip(texts, copies, strict=True):
            yield Segmentation(text, copy.boundaries)
