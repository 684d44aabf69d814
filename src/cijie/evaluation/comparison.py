"""Compare segmentations of several systems with gold and with one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from cijie.evaluation.sentences import Sentences
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.statistics import Evaluation, Statistics, statistics_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Statistics):
    """Scores of several systems on the same gold, with significance tests between the systems.

    Attributes:
        tests: the significance test of each pair of systems. Keys are `(later, earlier)`, so a
            difference is positive where the later system is better.
        trials: the number of random trials in each test.
        seed: the seed of the trials.
    """

    tests: Mapping[tuple[str, str], PairedTest]
    trials: int
    seed: int

    @classmethod
    def of(cls, counts: Statistics, *, trials: int = 10_000, seed: int = 0) -> Comparison:
        """Run the significance tests on collected statistics; see `compare`.

        Args:
            counts: the statistics of the systems against gold.
            trials: the number of random trials in each test.
            seed: the seed of the trials.
        """
        return cls(
            **{each.name: getattr(counts, each.name) for each in fields(Statistics)},
            tests={
                names: PairedTest.of(pairs, trials=trials, seed=seed)
                for names, pairs in counts.pairs.items()
            },
            trials=trials,
            seed=seed,
        )

    @property
    def contested_right(self) -> dict[str, int]:
        """The number of contested regions in which each system is right, by name."""
        return {
            name: sum(
                count for pattern, count in self.contested_patterns.items() if pattern[k] == "g"
            )
            for k, name in enumerate(self.systems)
        }

    @property
    def signature(self) -> str:
        """The score, the data, the version and the settings of the significance tests."""
        signature = next(iter(self.systems.values())).signature
        return f"{signature}|trials:{self.trials}|seed:{self.seed}" if self.tests else signature


def evaluate(gold: Sentences, system: Sentences) -> Evaluation:
    """Score a system's segmentations against gold.

    A token is correct if gold has a token with the same span. White space belongs to no token.
    If one side has words without their text, they are located in the text of the other side.

    Args:
        gold: the gold segmentations, by id or in order.
        system: the system's segmentations of the same texts, in the same form. Sentences with an
            id that gold lacks are not scored.

    Raises:
        CijieError: the system lacks a sentence or, without ids, has one too many.
        SegmentationError: the texts differ, with id, offset and both characters.

    >>> result = evaluate(["我 参加 了 旅行团", "好"], ["我 参加 了 旅行 团", "好"])
    >>> round(result.f1, 4), result.errors.over
    (0.7273, 1)
    """
    [evaluation] = compare(gold, {"system": system}).systems.values()
    return evaluation


def compare(
    gold: Sentences,
    systems: Mapping[str, Sentences],
    *,
    intersection: bool = False,
    trials: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Score systems against gold and test all pairs of them for significance.

    Args:
        gold: the gold segmentations, by id or in order.
        systems: the systems' segmentations of the same texts, by name.
        intersection: score only the sentences that gold and all systems share. By default, a gold
            sentence missing from a system is an error.
        trials: the number of random trials in each test; see `PairedTest.of`.
        seed: the seed of the trials.

    Raises:
        CijieError: a system lacks a gold sentence or, without ids, has one too many.
        SegmentationError: the texts differ, with id, offset and both characters.
        UsageError: there is no system; or several systems with no trials or a negative seed.

    >>> result = compare(["旅行团"], {"D": ["旅行 团"], "P1": ["旅行团"]}, trials=99)
    >>> result.systems["P1"].f1, result.contested_patterns, result.tests["P1", "D"].difference
    (1.0, Counter({'bg': 1}), 1.0)
    """
    found = statistics_of(gold, systems, intersection=intersection)
    return Comparison.of(found, trials=trials, seed=seed)
