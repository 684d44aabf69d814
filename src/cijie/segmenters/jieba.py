"""jieba: dictionary and HMM, pure Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cijie.segmenters.base import ModelSegmenter


@dataclass(kw_only=True, eq=False)
class JiebaSegmenter(ModelSegmenter):
    """Segments with jieba.

    Args:
        hmm: whether words outside the dictionary are guessed by the HMM.
    """

    distribution = "jieba"
    extra = "jieba"
    works_with = "jieba 0.42.1"
    self_contained = True

    hmm: bool = True

    def _cut(self, text: str) -> Iterable[str]:
        words: list[str] = self.loaded.lcut(text, HMM=self.hmm)
        return words

    def _load(self) -> Any:
        import jieba

        jieba.setLogLevel("WARNING")
        return jieba.Tokenizer()
