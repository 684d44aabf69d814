"""jieba: dictionary and HMM, pure Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature


class JiebaSegmenter(ModelSegmenter):
    """Segments with jieba.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    def __init__(self, *, hmm: bool = True) -> None:
        self._hmm = hmm
        self._version = installed_version("jieba", extra="jieba")

    @property
    def name(self) -> str:
        return signature(f"jieba-{self._version}", hmm=None if self._hmm else "off")

    def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
        for text in texts:
            yield self.model.lcut(text, HMM=self._hmm)

    def _load(self) -> Any:
        import jieba

        jieba.setLogLevel("WARNING")
        return jieba.Tokenizer()
