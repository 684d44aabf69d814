"""Paired significance tests of the F1 of two systems, over sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cijie.evaluation.scores import Counts

Floats = NDArray[np.float64]

_CELLS = 1 << 20  # of the matrix trials x sentences held at once, so that memory stays bounded
_CONFIDENCE = 0.95
# Differences that are equal as fractions may differ in the last bits.
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class PairedTest:
    """How the micro F1 of system A compares with that of system B on the same sentences.

    Attributes:
        difference: F1 of A minus F1 of B, the effect.
        low: lower end of its 95 % interval, by the bootstrap percentile method.
        high: upper end of that interval.
        p_randomisation: two-sided p by approximate randomisation.
        p_bootstrap: two-sided p by the paired bootstrap.
        wins: sentences with a higher F1 in A.
        losses: sentences with a higher F1 in B.
        ties: sentences with the same F1 in both.
        trials: how many trials each test made.
        seed: what they were seeded with.
    """

    difference: float
    low: float
    high: float
    p_randomisation: float
    p_bootstrap: float
    wins: int
    losses: int
    ties: int
    trials: int
    seed: int


def paired_test(
    a: Sequence[Counts], b: Sequence[Counts], *, trials: int = 10_000, seed: int = 0
) -> PairedTest:
    """Test whether two systems differ in micro F1, from their counts in each sentence.

    Approximate randomisation (Noreen 1989; Yeh, COLING 2000) exchanges the systems' outputs in
    each sentence with probability 1/2; p is the share of trials with a difference at least as
    large, on either side, as the one observed. The paired bootstrap (Koehn, EMNLP 2004) draws as
    many sentences with replacement; its p is the share of trials that stray from the observed
    difference by at least its size (Efron and Tibshirani 1993, section 16.4). Both shares count
    the data themselves as one more trial, (k + 1) / (trials + 1), so p is never 0; it is 1 for two
    systems with the same output.

    The same counts, trials and seed give the same result. Exchanging `a` and `b` changes the signs
    of difference and interval, and wins for losses, and nothing else.

    Args:
        a: counts of the first system, sentence by sentence.
        b: counts of the second, in the same sentences.
        trials: how many random trials each test makes.
        seed: seeds them, a non-negative integer.

    Raises:
        ValueError: not equally many sentences, gold counts that differ, no trials, or a negative
            seed.

    >>> a, b = [Counts(4, 4, 4)] * 8, [Counts(4, 5, 3)] * 8
    >>> result = paired_test(a, b, trials=999)
    >>> round(result.difference, 4), result.p_randomisation < 0.02, result.wins
    (0.3333, True, 8)
    >>> paired_test(a, a).p_randomisation
    1.0
    """
    if [counts.gold for counts in a] != [counts.gold for counts in b]:
        raise ValueError("the two systems are not scored on the same gold sentences")
    if trials < 1:
        raise ValueError(f"there must be at least one trial, not {trials}")
    left, right = _fractions(a), _fractions(b)
    observed = float(_difference(left.sum(axis=0), right.sum(axis=0)))
    coins, lots = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
    exchanged = _in_blocks(_exchange, left, right, trials, coins)
    drawn = _in_blocks(_draw, left, right, trials, lots)
    # Order statistics rather than interpolated quantiles: they mirror exactly.
    drawn.sort()
    outside = int(trials * (1 - _CONFIDENCE) / 2)
    better = left[:, 0] * right[:, 1] - right[:, 0] * left[:, 1]  # the sign of the F1 difference
    return PairedTest(
        difference=observed,
        low=float(drawn[outside]),
        high=float(drawn[-1 - outside]),
        p_randomisation=_share_at_least(exchanged, observed),
        p_bootstrap=_share_at_least(drawn - observed, observed),
        wins=int((better > 0).sum()),
        losses=int((better < 0).sum()),
        ties=int((better == 0).sum()),
        trials=trials,
        seed=seed,
    )


# From here on a system is an array of a row a sentence, with numerator and denominator of its F1,
# 2 · correct and gold + system. Its F1 over any sentences is the ratio of the columns' sums, which
# are exact: they are whole numbers far below 2^53.


def _fractions(sentences: Sequence[Counts]) -> Floats:
    rows = [(2 * counts.correct, counts.gold + counts.system) for counts in sentences]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def _difference(a: Floats, b: Floats) -> Floats:
    return _f1(a) - _f1(b)


def _f1(sums: Floats) -> Floats:
    correct, items = sums[..., 0], sums[..., 1]
    f1: Floats = np.divide(correct, items, out=np.zeros_like(correct), where=items > 0)
    return f1


def _in_blocks(
    difference: Callable[[Floats, Floats, int, np.random.Generator], Floats],
    left: Floats,
    right: Floats,
    trials: int,
    generator: np.random.Generator,
) -> Floats:
    block = max(1, _CELLS // max(1, len(left)))
    sizes = [min(block, trials - start) for start in range(0, trials, block)]
    return np.concatenate([difference(left, right, size, generator) for size in sizes])


def _exchange(left: Floats, right: Floats, trials: int, generator: np.random.Generator) -> Floats:
    """Differences of F1 after exchanging each sentence's outputs by the toss of a coin."""
    coins = generator.integers(2, size=(trials, len(left)), dtype=np.uint8).astype(np.float64)
    change = coins @ (right - left)
    return _difference(left.sum(axis=0) + change, right.sum(axis=0) - change)


def _draw(left: Floats, right: Floats, trials: int, generator: np.random.Generator) -> Floats:
    """Differences of F1 in samples of the sentences, drawn with replacement."""
    n = len(left)
    if not n:
        return np.zeros(trials)
    drawn = generator.integers(n, size=(trials, n))
    rows = np.arange(trials)[:, np.newaxis] * n
    times = np.bincount((drawn + rows).ravel(), minlength=trials * n).reshape(trials, n)
    weights = times.astype(np.float64)
    return _difference(weights @ left, weights @ right)


def _share_at_least(differences: Floats, observed: float) -> float:
    extreme = np.abs(differences) >= abs(observed) - _TOLERANCE
    return (int(extreme.sum()) + 1) / (len(differences) + 1)
