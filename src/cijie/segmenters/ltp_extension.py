"""LTP's legacy models through `ltp-extension` alone, without PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature
from cijie.segmenters.pieces import pieces


class LtpExtensionSegmenter(ModelSegmenter):
    """Segments with an averaged perceptron of ltp-extension.

    Args:
        model: path of a `cws_model.bin`, or of the directory that has it.
    """

    works_with = "ltp-extension 0.1.13"

    def __init__(self, *, model: str) -> None:
        self._path = model
        self._version = installed_version("ltp-extension", extra="ltp-extension")

    @property
    def name(self) -> str:
        return signature(f"ltp-extension-{self._version}", model=self._path)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            yield from self.model.predict(piece)

    def _load(self) -> Any:
        from ltp_extension.perceptron import CWSModel

        path = Path(self._path)
        return CWSModel.load(str(path / "cws_model.bin" if path.is_dir() else path))
