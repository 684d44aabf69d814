"""jieba: dictionary and HMM, pure Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature


class JiebaSegmenter(ModelSegmenter):
    """Segments with jieba.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    works_with = "jieba 0.42.1"

    def __init__(self, *, hmm: bool = True) -> None:
        self._hmm = hmm
        self._version = installed_version("jieba", extra="jieba")

    @property
    def name(self) -> str:
        return signature(f"jieba-{self._version}", hmm=None if self._hmm else "off")

    def _cut(self, text: str) -> Iterable[str]:
        words: list[str] = self.model.lcut(text, HMM=self._hmm)
        return words

    def _load(self) -> Any:
        import jieba

        jieba.setLogLevel("WARNING")
        return jieba.Tokenizer()
