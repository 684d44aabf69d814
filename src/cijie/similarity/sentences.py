"""Encode sentences as the mean of their characters' vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cijie.similarity.bert import BertContext
from cijie.similarity.context import CharacterVectors
from cijie.similarity.features import Floats, normalised


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


def sentence_vectors(encoder: Encoder, texts: Sequence[str]) -> Floats:
    """Return the direction of the mean of each text's characters.

    Returns:
        One row per text, of length 1, or of length 0 if no character has a vector.
    """
    sums = [rows.astype(np.float64).sum(axis=0) for rows in encoder.encode(texts)]
    return normalised(np.stack(sums))
