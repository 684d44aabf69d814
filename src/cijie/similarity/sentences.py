"""Encode sentences as the mean of their characters' vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from cijie.choices import unknown
from cijie.errors import UsageError
from cijie.similarity.bert import BertContext
from cijie.similarity.context import CharacterVectors
from cijie.similarity.features import Floats, normalised

Pooling = Literal["mean", "idf"]
"""The weighting of characters in a sentence: uniform, or by inverse document frequency."""


class Encoder(Protocol):
    """An encoder of the characters of texts, such as a `BertContext` or `CharacterVectors`."""

    @property
    def name(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the vectors of each text, one row per code point; zeros for a missing vector."""


def load_encoder(context: str) -> Encoder:
    """Load an encoder: `"embedded"`, or a `transformers` model by name or directory.

    Raises:
        MissingExtraError: transformers or torch is not installed.
    """
    return CharacterVectors.builtin() if context == "embedded" else BertContext(context)


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """An encoder of sentences by the weighted mean of the vectors of their characters.

    Args:
        encoder: the encoder of characters.
        weights: the weights of characters, 0 for missing ones; None for uniform weights.
    """

    encoder: Encoder
    weights: Mapping[str, float] | None = None

    @classmethod
    def of(cls, encoder: Encoder, pooling: Pooling, texts: Collection[str]) -> SentenceEncoder:
        """Build the encoder for a collection of texts.

        Args:
            encoder: the encoder of characters.
            pooling: `mean` or `idf`.
            texts: all texts, for document frequencies.

        Raises:
            UsageError: the pooling is unknown.
        """
        if pooling not in get_args(Pooling):
            raise UsageError(unknown("pooling", pooling, get_args(Pooling)))
        weights = inverse_document_frequencies(texts) if pooling == "idf" else None
        return cls(encoder, weights)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one row per text, of length 1, or of length 0 if no character has a vector."""
        pooled = [
            self._weights(text) @ rows.astype(np.float64)
            for text, rows in zip(texts, self.encoder.encode(texts), strict=True)
        ]
        return normalised(np.stack(pooled))

    def _weights(self, text: str) -> Floats:
        if self.weights is None:
            return np.ones(len(text))
        return np.array([self.weights.get(char, 0.0) for char in text])


def inverse_document_frequencies(texts: Collection[str]) -> dict[str, float]:
    """Return ln(N / n) for every character, where n of the N texts contain it.

    >>> weights = inverse_document_frequencies(["我去", "我来"])
    >>> weights["我"], round(weights["去"], 4)
    (0.0, 0.6931)
    """
    containing = Counter(char for text in texts for char in set(text))
    return {char: log(len(texts) / count) for char, count in containing.items()}
