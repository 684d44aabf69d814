"""Text in Traditional characters, for segmenters that read Simplified ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cijie.segmenters.base import Library, LibraryModel, Segmenter, WrappedSegmenter, guarded
from cijie.text.segmentation import Segmentation


def _opencc() -> Callable[[str], str]:
    """Give Simplified characters for Traditional ones, one for one, by OpenCC."""
    import opencc

    convert = opencc.OpenCC("tw2s").convert  # "t2s" would leave 著, the particle of Taiwan

    def simplified(text: str) -> str:
        copy: str = convert(text)
        if len(copy) == len(text):
            return copy
        # No entry of its dictionaries changes the length, but future ones might.
        each = ((char, convert(char)) for char in text)
        return "".join(copy if len(copy) == 1 else char for char, copy in each)

    return simplified


class TraditionalSegmenter(WrappedSegmenter):
    """Segments a simplified copy of texts in Traditional characters with `segmenter`.

    Each character stands for one of the text, so that words have the text's own characters.

    Raises:
        MissingExtraError: OpenCC, which makes the copy, is not installed.
    """

    def __init__(self, segmenter: Segmenter) -> None:
        library = Library("opencc", _opencc, "opencc 1.4.2", "traditional")
        self._opencc = LibraryModel("opencc", library)
        super().__init__(segmenter, self._opencc.name)

    def _copy(self, text: str) -> str:
        simplified = self._opencc.load()
        with guarded(self._opencc.name, self._opencc.hint):
            return str(simplified(text))

    def read(self, text: str) -> str:
        return self._segmenter.read(self._copy(text))

    def segment(self, texts: Sequence[str]) -> Iterator[Segmentation]:
        copies = self._segmenter.segment(list(map(self._copy, texts)))
        for text, copy in zip(texts, copies, strict=True):
            yield Segmentation(text, copy.boundaries)
