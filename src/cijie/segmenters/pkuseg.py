"""pkuseg, as spaCy's authors keep it: a CRF with models for several domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature
from cijie.segmenters.pieces import pieces


class PkusegSegmenter(ModelSegmenter):
    """Segments with spacy-pkuseg, whose wheel has no model.

    Args:
        model: the directory of a model, or the name of one that the library downloads
            (`spacy_ontonotes`, `news`, `web`, `medicine`, `tourism`, `mixed`).
    """

    works_with = "spacy-pkuseg 1.0.2"

    def __init__(self, *, model: str) -> None:
        self._path = model
        self._version = installed_version("spacy-pkuseg", extra="pkuseg")

    @property
    def name(self) -> str:
        return signature(f"spacy-pkuseg-{self._version}", model=self._path)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            yield from self.model.cut(piece)

    def _load(self) -> Any:
        import spacy_pkuseg

        return spacy_pkuseg.pkuseg(self._path)
