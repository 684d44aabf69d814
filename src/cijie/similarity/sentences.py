"""Encode sentences as the mean of their characters' vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

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

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one row per text, of length 1, or of length 0 if no character has a vector."""
        pooled = []
        for text, rows in zip(texts, self.encoder.encode(texts), strict=True):
            weights = [1.0 if self.weights is None else self.weights.get(x, 0.0) for x in text]
            pooled.append(np.array(weights) @ rows.astype(np.float64))
        return normalised(np.stack(pooled))


def inverse_document_frequencies(texts: Collection[str]) -> dict[str, float]:
    """Return ln(N / n) for every character, where n of the N texts contain it.

    >>> weights = inverse_document_frequencies(["我去", "我来"])
    >>> weights["我"], round(weights["去"], 4)
    (0.0, 0.6931)
    """
    containing = Counter(char for text in texts for char in set(text))
    return {char: log(len(texts) / count) for char, count in containing.items()}
