"""Sentences as vectors: the mean of their characters' vectors."""

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
"""How characters make up a sentence: all alike, or weighted by inverse document frequency."""


class Encoder(Protocol):
    """Gives every character of a text a vector: a `BertContext`, or `CharacterVectors`."""

    @property
    def name(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """The vectors of each text, one row a code point; zeros without one."""


def load_encoder(context: str) -> Encoder:
    """The encoder of that name: `"embedded"`, or a `transformers` model by name or directory.

    Raises:
        MissingExtraError: transformers or torch is not installed.
    """
    return CharacterVectors.builtin() if context == "embedded" else BertContext(context)


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """Encodes sentences by the weighted mean of the vectors of their characters.

    Args:
        encoder: what gives characters their vectors.
        weights: the weights of characters, 0 for those that are missing; if None, all are alike.
    """

    encoder: Encoder
    weights: Mapping[str, float] | None = None

    @classmethod
    def of(cls, encoder: Encoder, pooling: Pooling, texts: Collection[str]) -> SentenceEncoder:
        """The encoder for a collection of texts, which document frequencies are counted in.

        Args:
            encoder: gives a vector to each character.
            pooling: `mean` or `idf`.
            texts: all texts, for document frequencies.

        Raises:
            UsageError: an unknown way of pooling.
        """
        if pooling not in get_args(Pooling):
            raise UsageError(unknown("pooling", pooling, get_args(Pooling)))
        weights = inverse_document_frequencies(texts) if pooling == "idf" else None
        return cls(encoder, weights)

    def encode(self, texts: Sequence[str]) -> Floats:
        """A row a text, of length 1, or 0 for a text without a single vector."""
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
    """ln(N / n) of every character that n of the N texts contain.

    >>> weights = inverse_document_frequencies(["我去", "我来"])
    >>> weights["我"], round(weights["去"], 4)
    (0.0, 0.6931)
    """
    containing = Counter(char for text in texts for char in set(text))
    return {char: log(len(texts) / count) for char, count in containing.items()}
