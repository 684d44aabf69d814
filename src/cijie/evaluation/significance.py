"""Test the difference between two systems' scores for significance, paired by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cijie.errors import UsageError, counted

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEWEST_SENTENCES = 50
"""Tests over fewer sentences have little power to detect a difference: see docs/evaluation.md."""

_CELLS = 1 << 20  # of the matrix of trials held at once, so that memory stays bounded
_DRAWS = 16  # drawing this many sentences one by one takes as long as one binomial number
_CONFIDENCE = 0.95
# Differences that are equal as fractions may differ in the last bits as floats.
_TOLERANCE = 1e-12

Ratio = tuple[int, int]
"""Numerator and denominator of a sentence's score; over several sentences the score is the ratio
of the sums."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A paired comparison of the scores of systems A and B on the same sentences.

    Attributes:
        difference: the score of A minus the score of B (F1 unless stated otherwise).
        low: lower end of its 95 % confidence interval, by the bootstrap percentile method.
        high: upper end of that interval.
        p_randomisation: two-sided p by approximate randomisation; None if the systems differ in
            only one sentence, so that all trials have the same effect.
        p_bootstrap: two-sided p by the paired bootstrap; None if all sentences have the same
            scores, so that all samples have the same effect.
        wins: sentences with a higher score in A.
        losses: sentences with a higher score in B.
        ties: sentences with the same score in both.
        trials: the number of trials in each test.
        seed: the seed of the trials.
    """

    difference: float
    low: float
    high: float
    p_randomisation: float | None
    p_bootstrap: float | None
    wins: int
    losses: int
    ties: int
    trials: int
    seed: int

    @classmethod
    def of(
        cls,
        ratios: Counter[tuple[Ratio, Ratio]],
        *,
        of_nothing: float = 0.0,
        trials: int = 10_000,
        seed: int = 0,
    ) -> PairedTest:
        """Test whether two systems differ, given the number of sentences with each pair of scores.

        Approximate randomisation (Noreen 1989; Yeh, COLING 2000) exchanges the systems' outputs in
        each sentence with probability 1/2; p is the share of trials whose absolute difference is
        at least the observed one. The paired bootstrap (Koehn, EMNLP 2004) draws as many sentences
        with replacement; its p is the share of trials that deviate from the observed difference by
        at least its size (Efron and Tibshirani 1993, section 16.4). Both shares count the data
        itself as one more trial, (k + 1) / (trials + 1), so p is never 0; it is 1 for two systems
        with identical output. If trials cannot vary, p is None.

        The numbers of sentences are sufficient: of n sentences with the same scores, a trial of the
        randomisation exchanges Binomial(n, 1/2), and the numbers that a trial of the bootstrap
        draws of each kind are multinomial. So the time grows with the number of distinct scores,
        not of sentences, and the result does not depend on their order. Exchanging the systems
        flips the signs of the difference and the interval and swaps wins and losses, and changes
        nothing else.

        Args:
            ratios: the number of sentences with each pair of scores; numerators and denominators
                must not be negative.
            of_nothing: the score where the denominator is 0.
            trials: the number of random trials in each test.
            seed: the seed of the trials, a non-negative integer.

        Raises:
            UsageError: there are no trials, or the seed is negative.

        >>> result = PairedTest.of(Counter({((8, 8), (6, 9)): 8}), trials=999)
        >>> round(result.difference, 4), result.p_randomisation < 0.02, result.wins
        (0.3333, True, 8)
        """
        check_trials(trials, seed)
        given = sorted(((*a, *b), times) for (a, b), times in ratios.items())
        exchanged = sorted(((*row[2:], *row[:2]), times) for row, times in given)
        # Only one order of the systems is computed; the other is its exact mirror image.
        chosen = min(given, exchanged)
        sides = np.array([row for row, _ in chosen], dtype=np.float64).reshape(-1, 2, 2)
        rows = _Rows(sides, np.array([n for _, n in chosen], dtype=np.int64), of_nothing)
        test = rows.test(trials, seed, symmetric=given == exchanged)
        return test if given <= exchanged else test.exchanged

    @property
    def caveats(self) -> list[str]:
        """Return warnings about the test: a missing p-value or too few sentences."""
        found = []
        if self.p_randomisation is None:
            found.append("no randomisation p-value (only one sentence differs)")
        if self.p_bootstrap is None:
            found.append("no bootstrap p-value (all sentences have the same scores)")
        sentences = self.wins + self.losses + self.ties
        if sentences < FEWEST_SENTENCES:
            what = counted(sentences, "sentences")
            found.append(f"{what}: fewer than {FEWEST_SENTENCES} are too few to rely on")
        return found

    @property
    def exchanged(self) -> PairedTest:
        """Return the comparison of B with A."""
        return replace(
            self,
            difference=0 - self.difference,  # which is never -0.0
            low=0 - self.high,
            high=0 - self.low,
            wins=self.losses,
            losses=self.wins,
        )


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for their number by Holm's method (1979); None stays, and is not counted.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    ranked = sorted((p, k) for k, p in enumerate(values) if p is not None)
    corrected = list(values)
    largest = 0.0
    for tested, (p, k) in enumerate(ranked):
        corrected[k] = largest = max(largest, min(1.0, (len(ranked) - tested) * p))
    return corrected


def check_trials(trials: int, seed: int) -> None:
    """Check the settings of tests.

    Raises:
        UsageError: there are no trials, or the seed is negative.
    """
    if trials < 1:
        raise UsageError(f"there must be at least one trial, not {trials}")
    if seed < 0:
        raise UsageError(f"the seed must be a non-negative integer, not {seed}")


@dataclass(frozen=True, slots=True)
class _Rows:
    """Sentences grouped into rows with the same numerators and denominators in both systems.

    The score over any set of sentences is the ratio of the sums, which are exact: they are whole
    numbers far below 2^53.

    Args:
        sides: rows x systems x 2, the numerators and denominators.
        times: the number of sentences in each row.
        of_nothing: the score where the denominator is 0.
    """

    sides: Floats
    times: Ints
    of_nothing: float

    def test(self, trials: int, seed: int, *, symmetric: bool) -> PairedTest:
        """Run the tests; `symmetric` means that exchanging the systems leaves the rows the same."""
        coins, lots = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))
        observed = float(self._difference(_sums(self.times, self.sides)))
        randomised = self._randomise(trials, coins)
        drawn = self._draw(trials, lots)
        if symmetric:  # then the distribution is, too
            drawn = np.concatenate([drawn, 0 - drawn])
        # Order statistics rather than interpolated quantiles: they mirror exactly.
        drawn.sort()
        outside = int(len(drawn) * (1 - _CONFIDENCE) / 2)
        a, b = np.where(self.sides[..., 1:] > 0, self.sides, [self.of_nothing, 1]).swapaxes(0, 1)
        better = a[:, 0] * b[:, 1] - b[:, 0] * a[:, 1]  # the sign of the difference, exactly
        differ = abs(observed) > _TOLERANCE  # else p is 1, whatever may vary
        one = differ and self.times[(np.diff(self.sides, axis=1) != 0).any(axis=(1, 2))].sum() == 1
        constant = differ and bool((np.ptp(self._scores(self.sides), axis=0) <= _TOLERANCE).all())
        return PairedTest(
            difference=observed,
            low=float(drawn[outside]),
            high=float(drawn[-1 - outside]),
            p_randomisation=None if one else _share_at_least(randomised, observed),
            p_bootstrap=None if constant else _share_at_least(drawn - observed, observed),
            wins=int(self.times[better > 0].sum()),
            losses=int(self.times[better < 0].sum()),
            ties=int(self.times[better == 0].sum()),
            trials=trials,
            seed=seed,
        )

    def _difference(self, sums: Floats) -> Floats:
        scores = self._scores(sums)
        return scores[..., 0] - scores[..., 1]

    def _scores(self, sums: Floats) -> Floats:
        numerator, denominator = sums[..., 0], sums[..., 1]
        score = np.full_like(numerator, self.of_nothing)
        np.divide(numerator, denominator, out=score, where=denominator > 0)
        return score

    def _randomise(self, trials: int, generator: np.random.Generator) -> Floats:
        """Return the differences after exchanging the outputs of random sentences."""
        # Only the changes that exchanges make matter, and few of them are distinct.
        exchanged = self.sides[:, ::-1] - self.sides
        changes, kinds = np.unique(exchanged, axis=0, return_inverse=True)
        counts = np.bincount(kinds.ravel(), self.times, len(changes)).astype(np.int64)
        sums = _sums(self.times, self.sides)

        def differences(size: int) -> Floats:
            exchanges = generator.binomial(counts, 0.5, (size, len(counts)))
            return self._difference(sums + _sums(exchanges, changes))

        return _in_blocks(differences, trials, len(counts))

    def _draw(self, trials: int, generator: np.random.Generator) -> Floats:
        """Return the differences in samples of the sentences, drawn with replacement."""
        rows, sentences = len(self.times), int(self.times.sum())
        if not sentences:
            return np.zeros(trials)
        few = sentences <= _DRAWS * rows
        row_of = np.repeat(np.arange(rows), self.times) if few else None

        def differences(size: int) -> Floats:
            if row_of is None:
                drawn = generator.multinomial(sentences, self.times / sentences, size)
            else:
                numbers = row_of[generator.integers(sentences, size=(size, sentences))]
                numbers += np.arange(size)[:, np.newaxis] * rows
                drawn = np.bincount(numbers.ravel(), minlength=size * rows).reshape(size, rows)
            return self._difference(_sums(drawn, self.sides))

        return _in_blocks(differences, trials, sentences if few else rows)


def _sums(times: Ints, rows: Floats) -> Floats:
    """Return the sums of rows that count so many times."""
    sums: Floats = np.tensordot(times, rows, 1)
    return sums


def _in_blocks(differences: Callable[[int], Floats], trials: int, cells: int) -> Floats:
    """Return the differences of all trials, computed in blocks; each trial needs `cells` cells."""
    block = max(1, _CELLS // max(1, cells))
    sizes = [min(block, trials - start) for start in range(0, trials, block)]
    return np.concatenate([differences(size) for size in sizes])


def _share_at_least(differences: Floats, observed: float) -> float:
    extreme = np.abs(differences) >= abs(observed) - _TOLERANCE
    return (int(extreme.sum()) + 1) / (len(differences) + 1)
