"""rjieba: jieba's method and dictionary in Rust."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature


class RjiebaSegmenter(ModelSegmenter):
    """Segments with rjieba.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    def __init__(self, *, hmm: bool = True) -> None:
        self._hmm = hmm
        self._version = installed_version("rjieba", extra="rjieba")

    @property
    def name(self) -> str:
        return signature(f"rjieba-{self._version}", hmm=None if self._hmm else "off")

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        for text in texts:
            yield self.model.cut(text, self._hmm)

    def _load(self) -> Any:
        import rjieba

        return rjieba.Jieba()
