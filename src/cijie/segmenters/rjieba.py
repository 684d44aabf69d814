"""rjieba: jieba's method and dictionary in Rust."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature


class RjiebaSegmenter(ModelSegmenter):
    """Segments with rjieba.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    works_with = "rjieba 0.2.2"

    def __init__(self, *, hmm: bool = True) -> None:
        self._hmm = hmm
        self._version = installed_version("rjieba", extra="rjieba")

    @property
    def name(self) -> str:
        return signature(f"rjieba-{self._version}", hmm=None if self._hmm else "off")

    def _cut(self, text: str) -> Iterable[str]:
        words: list[str] = self.model.cut(text, self._hmm)
        return words

    def _load(self) -> Any:
        import rjieba

        return rjieba.Jieba()
