from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from cijie.similarity.context import CharacterVectors
from cijie.similarity.sentences import load_encoder, sentence_vectors


class TwoLetters:
    """甲 is one direction, 乙 the other, anything else nothing."""

    name = "two-letters"

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        rows = {"甲": (1.0, 0.0), "乙": (0.0, 1.0)}
        return [
            np.array([rows.get(char, (0.0, 0.0)) for char in text], np.float32).reshape(-1, 2)
            for text in texts
        ]


def test_the_mean_of_the_characters() -> None:
    texts = ["甲", "甲乙甲乙", "甲甲甲乙乙乙乙", "。", ""]
    vectors = sentence_vectors(TwoLetters(), texts)
    expected = [(1, 0), (0.5**0.5, 0.5**0.5), (0.6, 0.8), (0, 0), (0, 0)]
    assert vectors == pytest.approx(np.array(expected))


def test_the_embedded_vectors_of_a_text() -> None:
    vectors = load_encoder("embedded")
    assert isinstance(vectors, CharacterVectors)
    first, second, empty = vectors.encode(["吃\ue000喝", "喝", ""])
    assert len(first) == 3
    assert not first[1].any()
    assert (first[2] == second[0]).all()
    assert first[0] @ first[2] == pytest.approx(vectors.similarity("吃", "喝"))
    assert len(empty) == 0
