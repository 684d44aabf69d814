"""wapic: a CRF distilled from LTP that brings its model along; cijie's default."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature
from cijie.segmenters.numbers import keep_whole, may_have_numbers


class WapicSegmenter(ModelSegmenter):
    """Segments with wapic 0.1.0.

    Args:
        model: path of a model of one's own instead of the bundled one.
        numbers: whether numbers, dates and runs of …… and —— stay whole, as in LTP (`2012年`,
            `3.14%`); wapic by itself cuts them apart.

    Raises:
        MissingExtraError: wapic is not installed, as on platforms that it has no wheel for.
    """

    works_with = "wapic 0.1.0"

    def __init__(self, *, model: str | None = None, numbers: bool = True) -> None:
        self._path = model
        self._numbers = numbers
        self._version = installed_version(
            "wapic",
            extra="rjieba",
            hint=" and choose the segmenter 'rjieba' (or another one); wapic, the default, has "
            "wheels for CPython 3.9-3.13 on Linux x86-64, Windows and macOS arm64 only",
        )

    @property
    def name(self) -> str:
        numbers = None if self._numbers else "off"
        return signature(f"wapic-{self._version}", model=self._path, numbers=numbers)

    def _cut(self, text: str) -> Iterable[str]:
        # `segment_batch` would be faster on many cores, but it hangs after a fork.
        if not (self._numbers and may_have_numbers(text)):
            words: list[str] = self.model.segment(text)
            return words
        starts = keep_whole(text, self.model.word_starts(text))
        return [text[start:end] for start, end in pairwise([0, *starts[1:]])]

    def _load(self) -> Any:
        import wapic

        return wapic.Segmenter(self._path)
