"""LTP 4, neural and legacy: the segmenter of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature
from cijie.segmenters.pieces import pieces, with_unseen

# A neural model takes 512 word pieces, two of them its own, and drops the rest without a word.
_WINDOW = 510


class LtpSegmenter(ModelSegmenter):
    """Segments with ltp.

    Neural models get long texts in pieces, one at a time, so that no result depends on others.

    Args:
        model: a name on the hub (`LTP/tiny`, `LTP/small`, `LTP/base`, `LTP/legacy`, also with
            `@revision`), or a directory with a `config.json`.
        device: where a neural model runs, such as `cuda:0`; by default on the processor.
    """

    works_with = "ltp 4.2.14 with transformers 4.57.6 and requests 2.34.2"

    def __init__(self, *, model: str = "LTP/small", device: str | None = None) -> None:
        self._path = model
        self._device = device
        self._version = installed_version("ltp", extra="ltp")

    @property
    def name(self) -> str:
        return signature(f"ltp-{self._version}", model=self._path, device=self._device)

    def _cut(self, text: str) -> Iterator[str]:
        window = _WINDOW if hasattr(self.model, "tokenizer") else None
        for piece in pieces(text, window):
            [words] = self.model.pipeline([piece], tasks=["cws"]).cws
            yield from with_unseen(piece, words)

    def _load(self) -> Any:
        import ltp

        model = ltp.LTP(self._path)
        if self._device is not None:
            model.to(self._device)
        return model
