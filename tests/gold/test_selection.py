from collections.abc import Sequence
from itertools import islice

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cijie.gold.learner import Ranking, choose, rank
from cijie.recovery.sentence import Sentence, nearest
from cijie.similarity.sentences import load_encoder

from strategies import texts

ENCODER = load_encoder("embedded")


class Lengths:
    """A text has the direction of its length, whatever its characters."""

    name = "lengths"

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [np.full((len(x), 2), (1.0, len(x)), np.float32) for x in texts]


def _rank(source: str, *targets: str) -> Ranking:
    [ranking] = rank([Sentence("1", source, targets)], Lengths())
    return ranking


def test_two_rankings() -> None:
    ranking = _rank("甲乙丙", "甲乙", "丁戊己", "甲乙丙丁戊")
    assert ranking.levenshtein == (1, 3, 2)
    assert ranking.context == (2, 3, 1)
    assert not ranking.is_automatic
    assert ranking.as_record() == {"levenshtein": (1, 3, 2), "context": (2, 3, 1)}


def test_of_equals_the_first_by_distance_and_the_nearer_by_context() -> None:
    ranking = _rank("甲乙", "丙丁", "甲丙", "乙丁", "甲乙")
    assert ranking.levenshtein == (4, 2, 1, 3)
    assert ranking.context == (4, 2, 1, 3)
    assert choose(ranking, {}) == (4, "automatic")


def test_what_decides() -> None:
    sentence = Sentence("1", "甲", ("乙", "丙", "丁"))
    agreeing, differing = Ranking(sentence, (2, 1, 3), (2, 3, 1)), Ranking(sentence, (2, 1), (1, 2))
    ballots = {}, {"A": frozenset({1})}
    assert [choose(agreeing, x) for x in ballots] == [(2, "automatic"), (2, "automatic")]
    assert [choose(differing, x) for x in ballots] == [(2, "levenshtein"), (1, "votes")]


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=4)), max_size=5))
def test_rankings_are_permutations_and_batches_do_not_matter(
    rows: list[tuple[str, list[str]]],
) -> None:
    sentences = [Sentence(str(k), source, tuple(refs)) for k, (source, refs) in enumerate(rows)]
    rankings = list(rank(iter(sentences), ENCODER))
    assert [ranking.sentence for ranking in rankings] == sentences
    for ranking in rankings:
        numbers = list(range(1, len(ranking.sentence.targets) + 1))
        assert sorted(ranking.levenshtein) == sorted(ranking.context) == numbers
        chosen = nearest(ranking.sentence.source, ranking.sentence.targets)
        assert ranking.levenshtein[0] == chosen + 1
        [alone] = rank([ranking.sentence], ENCODER)
        assert alone == ranking


def test_sentences_are_ranked_lazily() -> None:
    endless = (Sentence("1", "甲", ("乙",)) for _ in iter(int, 1))
    assert len(list(islice(rank(endless, ENCODER), 3))) == 3
