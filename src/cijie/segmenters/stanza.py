"""Stanza: a recurrent network over characters, in the conventions of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cijie.segmenters.base import ModelSegmenter, installed_version, signature
from cijie.segmenters.pieces import pieces


class StanzaSegmenter(ModelSegmenter):
    """Segments with a tokenizer of stanza, piece by piece, so that no result depends on others.

    Args:
        lang: the language of the model: `zh-hans` or `zh-hant`.
        model: path of a tokenizer; by default the language's, which the library downloads when it
            is first used.
        directory: where the library keeps what it downloads (its `resources.json` is needed also
            for a model of one's own); by default where it likes to.
    """

    works_with = "stanza 1.15.0"

    def __init__(
        self, *, lang: str = "zh-hans", model: str | None = None, directory: str | None = None
    ) -> None:
        self._lang = lang
        self._path = model
        self._directory = directory
        self._version = installed_version("stanza", extra="stanza")

    @property
    def name(self) -> str:
        return signature(f"stanza-{self._version}", lang=self._lang, model=self._path)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            for sentence in self.model(piece).sentences:
                for token in sentence.tokens:
                    # Not `token.text`, which is `<UNK>` for a very long one.
                    yield piece[token.start_char : token.end_char]

    def _load(self) -> Any:
        import stanza

        options: dict[str, Any] = {"processors": "tokenize", "verbose": False}
        if self._directory is not None:
            options["dir"] = self._directory
        if self._path is None:
            options["download_method"] = stanza.DownloadMethod.REUSE_RESOURCES
        else:
            options["download_method"] = None
            options["tokenize_model_path"] = self._path
            options["allow_unknown_language"] = True
        return stanza.Pipeline(self._lang, **options)
