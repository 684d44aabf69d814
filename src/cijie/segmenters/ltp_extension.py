"""LTP's legacy models through `ltp-extension` alone, without PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cijie.segmenters.base import ModelSegmenter
from cijie.segmenters.pieces import pieces


@dataclass(kw_only=True, eq=False)
class LtpExtensionSegmenter(ModelSegmenter):
    """Segments with an averaged perceptron of ltp-extension.

    Args:
        model: path of a `cws_model.bin`, or of the directory that has it.
    """

    distribution = "ltp-extension"
    extra = "ltp-extension"
    works_with = "ltp-extension 0.1.13"

    model: str

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            yield from self.loaded.predict(piece)

    def _load(self) -> Any:
        from ltp_extension.perceptron import CWSModel

        path = Path(self.model)
        return CWSModel.load(str(path / "cws_model.bin" if path.is_dir() else path))
