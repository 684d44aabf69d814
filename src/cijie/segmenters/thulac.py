"""THULAC: a structured perceptron in pure Python that brings its models along."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cijie.segmenters.base import ModelSegmenter
from cijie.segmenters.pieces import pieces


@dataclass(kw_only=True, eq=False)
class ThulacSegmenter(ModelSegmenter):
    """Segments with thulac, without its part-of-speech tags and its conversion of characters.

    Args:
        model: directory of models of one's own instead of the bundled ones.
    """

    distribution = "thulac"
    extra = "thulac"
    works_with = "thulac 0.2.2"
    self_contained = True

    model: str | None = None

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            for word, _ in self.loaded.cut(piece):
                yield word

    def _load(self) -> Any:
        import thulac

        return thulac.thulac(seg_only=True, model_path=self.model)
