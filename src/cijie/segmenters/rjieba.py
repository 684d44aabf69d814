"""rjieba: jieba's method and dictionary in Rust."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cijie.segmenters.base import ModelSegmenter


@dataclass(kw_only=True, eq=False)
class RjiebaSegmenter(ModelSegmenter):
    """Segments with rjieba.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    distribution = "rjieba"
    extra = "rjieba"
    works_with = "rjieba 0.2.2"
    self_contained = True

    hmm: bool = True

    def _cut(self, text: str) -> Iterable[str]:
        words: list[str] = self.loaded.cut(text, self.hmm)
        return words

    def _load(self) -> Any:
        import rjieba

        return rjieba.Jieba()
