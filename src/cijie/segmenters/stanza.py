"""Stanza: a recurrent network over characters, in the conventions of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cijie.segmenters.base import ModelSegmenter
from cijie.segmenters.pieces import pieces


@dataclass(kw_only=True, eq=False)
class StanzaSegmenter(ModelSegmenter):
    """Segments with a tokenizer of stanza, piece by piece, so that no result depends on others.

    Args:
        lang: the language of the model: `zh-hans` or `zh-hant`.
        model: path of a tokenizer; by default the language's, which the library downloads when it
            is first used.
        directory: where the library keeps what it downloads (its `resources.json` is needed also
            for a model of one's own); by default where it likes to.
    """

    distribution = "stanza"
    extra = "stanza"
    works_with = "stanza 1.15.0"

    lang: str = "zh-hans"
    model: str | None = None
    directory: str | None = field(default=None, repr=False)

    def _cut(self, text: str) -> Iterator[str]:
        for piece in pieces(text):
            for sentence in self.loaded(piece).sentences:
                for token in sentence.tokens:
                    # Not `token.text`, which is `<UNK>` for a very long one.
                    yield piece[token.start_char : token.end_char]

    def _load(self) -> Any:
        import stanza

        options: dict[str, Any] = {"processors": "tokenize", "verbose": False}
        if self.directory is not None:
            options["dir"] = self.directory
        if self.model is None:
            options["download_method"] = stanza.DownloadMethod.REUSE_RESOURCES
        else:
            options["download_method"] = None
            options["tokenize_model_path"] = self.model
            options["allow_unknown_language"] = True
        return stanza.Pipeline(self.lang, **options)
