from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.evaluation.comparison import Evaluation
from cijie.evaluation.counts import Counts, boundary_counts, token_counts
from cijie.text.segmentation import Segmentation

from strategies import BLANKS, PLAIN, alike, words


def _ud_tokens(gold: Segmentation, system: Segmentation) -> Counts:
    """The official definition of UD (CoNLL 2018): spans of characters once white space is gone."""
    correct = 0
    spans = []
    for side in (gold, system):
        found, start = [], 0
        for token in side.tokens:
            length = sum(not char.isspace() for char in token)
            found.append((start, start + length))
            start += length
        spans.append(found)
    a, b = (iter(side) for side in spans)
    left, right = next(a, None), next(b, None)
    while left and right:
        if left == right:
            correct += 1
            left, right = next(a, None), next(b, None)
        elif left[0] <= right[0]:
            left = next(a, None)
        else:
            right = next(b, None)
    return Counts(len(spans[0]), len(spans[1]), correct)


# UD knows no characters of zero width, and takes them for words if nothing stands before them.
@given(alike(2, st.text(st.sampled_from([*PLAIN, *BLANKS]), max_size=14)))
def test_token_counts_are_those_of_ud(sides: tuple[Segmentation, Segmentation]) -> None:
    assert token_counts(*sides) == _ud_tokens(*sides)


@given(alike(2))
def test_boundary_counts_are_those_of_a_classifier(
    sides: tuple[Segmentation, Segmentation],
) -> None:
    gold, system = sides
    labels = [
        (at in gold.boundaries, at in system.boundaries)
        for at in range(1, max(gold.boundaries, default=0))
    ]
    expected = Counts(
        sum(a for a, _ in labels), sum(b for _, b in labels), sum(a and b for a, b in labels)
    )
    assert boundary_counts(gold, system) == expected


@given(alike(2))
def test_exchanging_the_sides_exchanges_precision_and_recall(
    sides: tuple[Segmentation, Segmentation],
) -> None:
    for count in (token_counts, boundary_counts):
        there, back = count(*sides), count(*reversed(sides))
        assert (there.precision, there.recall, there.f1) == (back.recall, back.precision, back.f1)


def test_micro_is_the_headline_and_macro_stands_beside_it() -> None:
    # One sentence of a single word, wrong, and one of 99, right.
    gold = [words("旅行团"), words(" ".join("好" * 99))]
    system = [words("旅行 团"), gold[1]]
    sides = list(zip(gold, system, strict=True))
    boundaries = sum((boundary_counts(*side) for side in sides), Counts())
    scores = Evaluation(Counter(token_counts(*side) for side in sides), boundaries)
    assert scores.tokens == Counts(gold=100, system=101, correct=99)
    assert scores.tokens.f1 == pytest.approx(198 / 201)
    assert scores.macro_f1 == 0.5
    assert scores.boundaries == Counts(gold=98, system=99, correct=98)
    assert (scores.exact, scores.sentence_accuracy) == (1, 0.5)


def test_white_space_is_in_no_score() -> None:
    gold, system = Segmentation("我 去 ", (1, 3)), Segmentation("我 去 ", (3,))
    assert token_counts(gold, gold) == Counts(2, 2, 2)
    assert token_counts(gold, system) == Counts(2, 1, 0)
    assert boundary_counts(gold, system) == Counts(1, 0, 0)


def test_empty_sentences_are_right_and_in_no_average() -> None:
    empty = Segmentation("", ())
    assert token_counts(empty, empty) == boundary_counts(empty, empty) == Counts()
    scores = Evaluation(Counter([Counts(), Counts(2, 2, 2)]), Counts(1, 1, 1))
    assert (scores.tokens.f1, scores.macro_f1, scores.sentence_accuracy) == (1, 1, 1)


def test_nothing_at_all_scores_nothing() -> None:
    scores = Evaluation()
    assert (scores.tokens.f1, scores.boundaries.precision, scores.tokens.recall) == (0, 0, 0)
    assert (scores.macro_f1, scores.sentence_accuracy) == (0, 0)


@given(st.lists(alike(2), max_size=5))
def test_scores_are_shares(corpus: list[tuple[Segmentation, Segmentation]]) -> None:
    boundaries = sum((boundary_counts(*sides) for sides in corpus), Counts())
    scores = Evaluation(Counter(token_counts(*sides) for sides in corpus), boundaries)
    micro = scores.tokens
    for share in (
        micro.precision,
        micro.recall,
        micro.f1,
        scores.macro_f1,
        scores.sentence_accuracy,
    ):
        assert 0 <= share <= 1
    assert (scores.sentence_accuracy == 1) == (bool(corpus) and all(a == b for a, b in corpus))
