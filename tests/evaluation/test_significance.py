from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from math import comb
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.evaluation.counts import Counts
from cijie.evaluation.significance import PairedTest, Ratio


def _tested(a: list[Counts], b: list[Counts], **options: int) -> PairedTest:
    return PairedTest.of(_ratios(zip(a, b, strict=True)), **options)


def _ratios(sentences: Iterable[tuple[Counts, Counts]]) -> Counter[tuple[Ratio, Ratio]]:
    return Counter((a.f1_ratio, b.f1_ratio) for a, b in sentences)


@st.composite
def _systems(draw: st.DrawFn) -> tuple[list[Counts], list[Counts]]:
    sides: tuple[list[Counts], list[Counts]] = ([], [])
    for _ in range(draw(st.integers(0, 8))):
        gold = draw(st.integers(0, 6))
        for side in sides:
            system = draw(st.integers(min(gold, 1), 6)) if gold else 0
            correct = draw(st.integers(0, min(gold, system)))
            side.append(Counts(gold, system, correct))
    return sides


@given(_systems())
def test_a_system_does_not_differ_from_itself(sides: tuple[list[Counts], list[Counts]]) -> None:
    a, _ = sides
    result = _tested(a, a, trials=50)
    assert (result.difference, result.low, result.high) == (0, 0, 0)
    assert (result.p_randomisation, result.p_bootstrap) == (1, 1)
    assert (result.wins, result.losses, result.ties) == (0, 0, len(a))


@given(_systems())
def test_exchanging_the_systems_mirrors_the_result(
    sides: tuple[list[Counts], list[Counts]],
) -> None:
    a, b = sides
    there, back = _tested(a, b, trials=50, seed=3), _tested(b, a, trials=50, seed=3)
    assert there == replace(
        back,
        difference=-back.difference,
        low=-back.high,
        high=-back.low,
        wins=back.losses,
        losses=back.wins,
    )


@given(_systems(), st.integers(1, 60))
def test_what_holds_of_every_result(sides: tuple[list[Counts], list[Counts]], trials: int) -> None:
    a, b = sides
    result = _tested(a, b, trials=trials)
    assert result.difference == sum(a, Counts()).f1 - sum(b, Counts()).f1
    assert result.wins + result.losses + result.ties == len(a)
    assert result.low <= result.high
    for p in (result.p_randomisation, result.p_bootstrap):
        assert p is None or 1 / (trials + 1) <= p <= 1
    better = [x.f1 - y.f1 for x, y in zip(a, b, strict=True)]
    assert result.wins == sum(difference > 1e-9 for difference in better)
    assert result.losses == sum(difference < -1e-9 for difference in better)


def _f1_difference(a: np.ndarray, b: np.ndarray) -> float:
    """Of arrays with a row a sentence: gold, system, correct."""
    f1 = [2 * x[:, 2].sum() / (x[:, 0].sum() + x[:, 1].sum()) for x in (a, b)]
    return float(f1[0] - f1[1])


TEN = (
    [Counts(5, 5, correct) for correct in (5, 4, 5, 5, 3, 5, 4, 5, 5, 5)],
    [Counts(5, 6, correct) for correct in (4, 4, 3, 4, 4, 3, 4, 5, 3, 5)],
)


# A small difference, with sentences on both sides.
MIXED = (
    [Counts(5, 5, correct) for correct in (5, 3, 5, 2, 5, 3, 4)],
    [Counts(5, items, 3 if items == 7 else 4) for items in (5, 5, 4, 5, 6, 7, 4)],
)


def test_randomisation_approximates_the_exact_permutation_test() -> None:
    stats = pytest.importorskip("scipy.stats")
    a, b = (np.array([[x.gold, x.system, x.correct] for x in side]) for side in TEN)

    def statistic(x: np.ndarray, y: np.ndarray) -> float:
        # scipy exchanges numbers: they say which system's counts stand in a sentence.
        both, sentences = np.stack([a, b]), np.arange(10)
        return _f1_difference(both[x.astype(int), sentences], both[y.astype(int), sentences])

    exact = stats.permutation_test(
        (np.zeros(10), np.ones(10)),
        statistic,
        permutation_type="samples",
        vectorized=False,
        n_resamples=np.inf,
    )
    trials = 20_000
    p = _tested(*TEN, trials=trials).p_randomisation
    assert p is not None
    assert exact.pvalue < 0.2
    assert p == pytest.approx(exact.pvalue, abs=4 * (exact.pvalue / trials) ** 0.5)


def test_randomisation_is_that_of_a_plain_loop() -> None:
    # Sentences that are alike are exchanged by their number, the coins of the loop one by one.
    sides = [np.array([[x.gold, x.system, x.correct] for x in side * 20]) for side in MIXED]
    generator = np.random.default_rng(4)
    observed, trials = abs(_f1_difference(*sides)), 4_000
    extreme = 0
    for coins in generator.integers(2, size=(trials, len(sides[0]), 1)):
        a, b = np.where(coins, sides, sides[::-1])
        extreme += abs(_f1_difference(a, b)) >= observed - 1e-12
    p = _tested(*(side * 20 for side in MIXED), trials=20_000).p_randomisation
    assert p is not None
    assert 0.1 < p < 0.9
    assert p == pytest.approx(extreme / trials, abs=4 * (p / trials) ** 0.5)


# Few sentences are drawn one by one, of many only how often each kind is.
@pytest.mark.parametrize("times", [3, 40])
def test_the_bootstrap_is_that_of_a_plain_loop(times: int) -> None:
    a, b = (np.array([[x.gold, x.system, x.correct] for x in side * times]) for side in MIXED)
    generator = np.random.default_rng(5)
    observed = _f1_difference(a, b)
    samples = np.array(
        [
            _f1_difference(a[rows], b[rows])
            for rows in generator.integers(len(a), size=(4_000, len(a)))
        ]
    )
    result = _tested(*(side * times for side in MIXED), trials=20_000)
    width = float(np.std(samples))
    assert result.low == pytest.approx(np.quantile(samples, 0.025), abs=width / 8)
    assert result.high == pytest.approx(np.quantile(samples, 0.975), abs=width / 8)
    p = float((abs(samples - observed) >= abs(observed) - 1e-12).mean())
    assert result.p_bootstrap == pytest.approx(p, abs=4 * (p / len(samples)) ** 0.5 + 0.001)


@pytest.mark.parametrize("times", [1, 12])
def test_the_bootstrap_approximates_all_samples(times: int) -> None:
    # Twelve sentences of two kinds have thirteen different samples, binomial in number.
    a = [Counts(4, 4, 4), Counts(3, 4, 2)] * times
    b = [Counts(4, 5, 3), Counts(3, 4, 3)] * times
    observed = sum(a, Counts()).f1 - sum(b, Counts()).f1
    n, p = len(a), 0.0
    for k in range(n + 1):
        sides = ((x[:1] * k + x[1:2] * (n - k)) for x in (a, b))
        left, right = (sum(side, Counts()).f1 for side in sides)
        if abs(left - right - observed) >= abs(observed) - 1e-12:
            p += comb(n, k) / 2**n
    trials = 20_000
    result = _tested(a, b, trials=trials)
    assert 0.1 < p < 0.9
    assert result.p_bootstrap == pytest.approx(p, abs=4 * (p / trials) ** 0.5)


def test_the_seed_decides() -> None:
    assert _tested(*TEN, trials=500, seed=1) == _tested(*TEN, trials=500, seed=1)
    assert _tested(*TEN, trials=500, seed=1) != _tested(*TEN, trials=500, seed=2)


@given(_systems(), st.randoms(use_true_random=False))
def test_the_order_of_the_sentences_does_not_matter(
    sides: tuple[list[Counts], list[Counts]], random: Random
) -> None:
    sentences = list(zip(*sides, strict=True))
    shuffled = random.sample(sentences, len(sentences))
    expected = PairedTest.of(_ratios(sentences), trials=50)
    assert PairedTest.of(_ratios(shuffled), trials=50) == expected


def test_fifty_million_sentences_take_no_longer_than_their_kinds() -> None:
    kinds = Counter(dict.fromkeys(_ratios(zip(*TEN, strict=True)), 5_000_000))
    result = PairedTest.of(kinds, trials=1_000)
    assert result.p_randomisation == result.p_bootstrap == 1 / 1_001
    assert result.wins + result.losses + result.ties == kinds.total() > 10**7
    assert result.high - result.low < 0.001


def test_many_sentences_are_resampled_in_blocks() -> None:
    a = [Counts(4, 4, 4), Counts(4, 5, 3)] * 1_500
    b = [Counts(4, 5, 3), Counts(4, 5, 3)] * 1_500
    result = _tested(a, b, trials=1_000)
    assert result.p_randomisation == result.p_bootstrap == 1 / 1_001
    assert 0 < result.low < result.difference < result.high


@pytest.mark.parametrize(
    ("options", "message"),
    [({"trials": 0}, "at least one trial"), ({"seed": -1}, "non-negative")],
)
def test_what_cannot_be_tested(options: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _tested([Counts(1, 1, 1)], [Counts(1, 1, 1)], **options)


def test_what_nothing_scores_decides_who_wins_where_there_is_nothing() -> None:
    ratios = Counter({((0, 0), (0, 4)): 3, ((0, 0), (0, 0)): 2, ((5, 5), (5, 9)): 1})
    words = PairedTest.of(ratios, trials=99)
    edits = PairedTest.of(ratios, of_nothing=1.0, trials=99)
    assert (words.wins, words.losses, words.ties) == (1, 0, 5)
    assert (edits.wins, edits.losses, edits.ties) == (4, 0, 2)
    assert words.difference == edits.difference == pytest.approx(1 - 5 / 21)
    nothing = Counter({((0, 0), (0, 0)): 4})
    assert PairedTest.of(nothing, of_nothing=1.0, trials=9).p_randomisation == 1


ONE_LOSS = [Counts(5, 5, 5)], [Counts(5, 5, 4)]


def test_one_sentence_gives_no_p() -> None:
    result = _tested(*ONE_LOSS)
    assert (result.p_randomisation, result.p_bootstrap) == (None, None)
    assert result.caveats == [
        "no randomisation p-value (only one sentence differs)",
        "no bootstrap p-value (all sentences have the same scores)",
        "1 sentence: fewer than 50 are too few to rely on",
    ]
    assert result.exchanged.caveats == result.caveats


def test_one_sentence_that_differs_gives_no_p_by_randomisation() -> None:
    same = [Counts(5, 5, 4)] * 60
    result = _tested(*(side + same for side in ONE_LOSS))
    assert result.p_randomisation is None
    assert result.p_bootstrap is not None
    assert result.caveats == ["no randomisation p-value (only one sentence differs)"]


def test_sentences_of_one_kind_give_no_p_by_the_bootstrap() -> None:
    # Scores are the same, though counts are not: every sample has the same difference.
    a, b = ([Counts(n, n, right * n // 4) for n in (4, 8)] * 30 for right in (4, 3))
    result = _tested(a, b)
    assert result.p_bootstrap is None
    assert result.p_randomisation == 1 / 10_001
    assert result.caveats == ["no bootstrap p-value (all sentences have the same scores)"]


@pytest.mark.parametrize(("times", "caveats"), [(7, 1), (8, 0)])
def test_few_sentences_are_said_to_be_few(times: int, caveats: int) -> None:
    assert len(_tested(*(side * times for side in MIXED), trials=9).caveats) == caveats
