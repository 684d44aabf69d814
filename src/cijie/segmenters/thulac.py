"""THULAC: a structured perceptron in pure Python that brings its models along."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature
from cijie.segmenters.pieces import pieces


class ThulacSegmenter(ModelSegmenter):
    """Segments with thulac, without its part-of-speech tags and its conversion of characters.

    Args:
        model: directory of models of one's own instead of the bundled ones.
    """

    works_with = "thulac 0.2.2"

    def __init__(self, *, model: str | None = None) -> None:
        self._path = model
        self._version = installed_version("thulac", extra="thulac")

    @property
    def name(self) -> str:
        return signature(f"thulac-{self._version}", model=self._path)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            for word, _ in self.model.cut(piece):
                yield word

    def _load(self) -> Any:
        import thulac

        return thulac.thulac(seg_only=True, model_path=self._path)
