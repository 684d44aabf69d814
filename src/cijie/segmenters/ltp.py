"""LTP 4, neural and legacy: the segmenter of the paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cijie.segmenters.base import ModelSegmenter
from cijie.segmenters.pieces import pieces, with_unseen

# A neural model takes 512 word pieces, two of them its own, and drops the rest without a word.
_WINDOW = 510


@dataclass(kw_only=True, eq=False)
class LtpSegmenter(ModelSegmenter):
    """Segments with ltp.

    Neural models get long texts in pieces, one at a time, so that no result depends on others.

    Args:
        model: a name on the hub (`LTP/tiny`, `LTP/small`, `LTP/base`, `LTP/legacy`, also with
            `@revision`), or a directory with a `config.json`.
        device: where a neural model runs, such as `cuda:0`; by default on the processor.
    """

    distribution = "ltp"
    extra = "ltp"
    works_with = "ltp 4.2.14 with transformers 4.57.6 and requests 2.34.2"

    model: str = "LTP/small"
    device: str | None = None

    def _cut(self, text: str) -> Iterator[str]:
        window = _WINDOW if hasattr(self.loaded, "tokenizer") else None
        for piece in pieces(text, window):
            [words] = self.loaded.pipeline([piece], tasks=["cws"]).cws
            yield from with_unseen(piece, words)

    def _load(self) -> Any:
        import ltp

        model = ltp.LTP(self.model)
        if self.device is not None:
            model.to(self.device)
        return model
