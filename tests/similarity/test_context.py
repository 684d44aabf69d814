import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment.links import anchors
from cijie.alignment.residual import candidate_batches
from cijie.similarity import bert
from cijie.similarity.context import CharacterVectors, EmbeddedContext
from cijie.similarity.features import Candidates, Floats

from strategies import link_by, texts


@pytest.fixture(scope="module")
def vectors() -> CharacterVectors:
    return CharacterVectors.builtin()


def naive(vectors: CharacterVectors, source: str, target: str, i: int, j: int) -> float:
    """The feature by its definition."""

    def at(text: str, k: int) -> str:
        return text[k] if 0 <= k < len(text) else "\0"

    same = sum(
        weight
        for distance, weight in ((-2, 1), (-1, 2), (1, 2), (2, 1))
        if at(source, i + distance) == at(target, j + distance)
    )
    return (vectors.similarity(source[i], target[j]) + same / 6) / 2


@given(pairs=st.lists(st.tuples(texts, texts), max_size=4))
def test_half_the_vectors_half_the_neighbours(
    vectors: CharacterVectors, pairs: list[tuple[str, str]]
) -> None:
    feature = EmbeddedContext(vectors)

    def score(candidates: Candidates) -> Floats:
        values = feature(candidates)
        for k in range(len(candidates)):
            s, t = candidates.source_rows[k], candidates.target_rows[k]
            if candidates.source.size[s] == candidates.target.size[t] == 1:
                source, target = candidates.texts[candidates.source.pair[s]]
                i, j = candidates.source.position[s], candidates.target.position[t]
                assert values[k] == pytest.approx(naive(vectors, source, target, i, j), abs=1e-6)
        return np.zeros(len(candidates))

    link_by(pairs, score, 1)


def test_vectors(vectors: CharacterVectors) -> None:
    assert vectors.similarity("吃", "吃") == vectors.similarity("𪚥", "𪚥") == 1
    assert vectors.similarity("𪚥", "吃") == vectors.similarity("a", "b") == 0
    assert vectors.similarity("吃", "喝") == vectors.similarity("喝", "吃") > 0.3
    assert vectors.name.startswith("vectors-1/")


def test_a_cosine_of_the_encoder_below_0_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def encode(texts: list[str]) -> list[np.ndarray]:  # type: ignore[type-arg]
        rows = {"天": [1, 0], "地": [-0.6, 0.8], "人": [1 + 1e-7, 0]}
        return [np.array([rows[char] for char in text], np.float32) for text in texts]

    monkeypatch.setattr(bert, "version", lambda _: "0")  # where it is not installed
    context = bert.BertContext("model")
    monkeypatch.setattr(context, "encode", encode)
    pairs = [("天", "地"), ("天", "人")]
    [candidates] = candidate_batches(pairs, [anchors(*pair) for pair in pairs])
    assert context(candidates).tolist() == pytest.approx([-0.6, 1])
    assert context(candidates).max() <= 1
