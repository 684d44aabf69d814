"""wapic: a CRF distilled from LTP that brings its model along; cijie's default."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cijie.errors import MissingExtraError
from cijie.segmenters.base import ModelSegmenter
from cijie.segmenters.numbers import keep_whole, may_have_numbers


@dataclass(kw_only=True, eq=False)
class WapicSegmenter(ModelSegmenter):
    """Segments with wapic 0.1.0.

    Args:
        model: path of a model of one's own instead of the bundled one.
        numbers: whether numbers, dates and runs of …… and —— stay whole, as in LTP (`2012年`,
            `3.14%`); wapic by itself cuts them apart.

    Raises:
        MissingExtraError: wapic is not installed, as on platforms that it has no wheel for.
    """

    distribution = "wapic"
    extra = "wapic"
    works_with = "wapic 0.1.0"
    self_contained = True

    model: str | None = None
    numbers: bool = True

    @classmethod
    def to_install(cls) -> str:
        return "comes with cijie where it has a wheel"

    @classmethod
    def _missing(cls) -> MissingExtraError:
        hint = (
            " and choose the segmenter 'rjieba' (or another one); wapic, the default, has wheels "
            "for CPython 3.10-3.14 on Linux x86-64, Windows x86-64 and macOS arm64 only"
        )
        return MissingExtraError(cls.distribution, "rjieba", hint=hint)

    def _cut(self, text: str) -> Iterable[str]:
        # `segment_batch` would be faster on many cores, but it hangs after a fork.
        if not (self.numbers and may_have_numbers(text)):
            words: list[str] = self.loaded.segment(text)
            return words
        starts = keep_whole(text, self.loaded.word_starts(text))
        return [text[start:end] for start, end in pairwise([0, *starts[1:]])]

    def _load(self) -> Any:
        import wapic

        return wapic.Segmenter(self.model)
