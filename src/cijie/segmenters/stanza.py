"""Stanza: a recurrent network over characters, in the conventions of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature
from cijie.segmenters.pieces import pieces

_WINDOW = 500  # of the 1000 characters that Stanza takes at once


class StanzaSegmenter(ModelSegmenter):
    """Segments with a tokenizer of stanza, piece by piece, so that no result depends on others.

    Args:
        lang: the language of the model: `zh-hans` or `zh-hant`.
        model: path of a tokenizer; by default the language's, which the library downloads when it
            is first used.
    """

    works_with = "stanza 1.15.0"

    def __init__(self, *, lang: str = "zh-hans", model: str | None = None) -> None:
        self._lang = lang
        self._path = model
        self._version = installed_version("stanza", extra="stanza")

    @property
    def name(self) -> str:
        return signature(f"stanza-{self._version}", lang=self._lang, model=self._path)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text, _WINDOW):
            for sentence in self.model(piece).sentences:
                for token in sentence.tokens:
                    yield token.text

    def _load(self) -> Any:
        import stanza

        if self._path is None:
            local: dict[str, Any] = {"download_method": stanza.DownloadMethod.REUSE_RESOURCES}
        else:
            local = {
                "tokenize_model_path": self._path,
                "download_method": None,
                "allow_unknown_language": True,
            }
        return stanza.Pipeline(self._lang, processors="tokenize", verbose=False, **local)
