"""pkuseg, as spaCy's authors keep it: a CRF with models for several domains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cijie.segmenters.base import ModelSegmenter
from cijie.segmenters.pieces import pieces


@dataclass(kw_only=True, eq=False)
class PkusegSegmenter(ModelSegmenter):
    """Segments with spacy-pkuseg, whose wheel has no model.

    Args:
        model: the directory of a model, or the name of one that the library downloads
            (`spacy_ontonotes`, `news`, `web`, `medicine`, `tourism`, `mixed`).
    """

    distribution = "spacy-pkuseg"
    extra = "pkuseg"
    works_with = "spacy-pkuseg 1.0.2"

    model: str

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            yield from self.loaded.cut(piece)

    def _load(self) -> Any:
        import spacy_pkuseg

        return spacy_pkuseg.pkuseg(self.model)
