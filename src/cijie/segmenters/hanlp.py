"""HanLP 2: tokenizers over a pre-trained transformer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cijie.segmenters.base import ModelSegmenter
from cijie.segmenters.pieces import pieces, with_unseen

_WINDOW = 510  # what is left of the encoder's 512 word pieces


@dataclass(kw_only=True, eq=False)
class HanlpSegmenter(ModelSegmenter):
    """Segments with a tokenizer of hanlp, piece by piece, so that no result depends on others.

    Args:
        model: a name in `hanlp.pretrained.tok`, which the library downloads when it is first used,
            or the path of a saved tokenizer.
    """

    distribution = "hanlp"
    extra = "hanlp"
    works_with = "hanlp 2.1.5 with transformers 4.57.6"

    model: str = "COARSE_ELECTRA_SMALL_ZH"

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text, _WINDOW):
            yield from with_unseen(piece, self.loaded(piece))

    def _load(self) -> Any:
        import hanlp

        return hanlp.load(self.model)
