"""Systems against gold, and against one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from cijie.evaluation.sentences import Sentences
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.statistics import Evaluation, Statistics, statistics_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Statistics):
    """Several systems against the same gold, and against one another; the counts, and what follows.

    Attributes:
        tests: the significance tests of each pair of systems, `(later, earlier)` in that order, so
            that a difference is positive where the later one is better.
        trials: how many random trials each test made.
        seed: what they were seeded with.
    """

    tests: Mapping[tuple[str, str], PairedTest]
    trials: int
    seed: int

    @classmethod
    def of(cls, counts: Statistics, *, trials: int = 10_000, seed: int = 0) -> Comparison:
        """The comparison that statistics allow; see `compare`.

        Args:
            counts: of gold and systems.
            trials: random trials of each test.
            seed: of the trials.
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
        """In how many contested regions each system is right."""
        return {
            name: sum(
                count for pattern, count in self.contested_patterns.items() if pattern[k] == "g"
            )
            for k, name in enumerate(self.systems)
        }

    @property
    def signature(self) -> str:
        """What the scores are, of what, by which version, and how differences were tested."""
        signature = next(iter(self.systems.values())).signature
        return f"{signature}|trials:{self.trials}|seed:{self.seed}" if self.tests else signature


def evaluate(gold: Sentences, system: Sentences) -> Evaluation:
    """Score a system's segmentations against gold.

    A token is a word at its place. It is correct if gold has one of the same span; white space is
    in no token. Words that are given without their text are found in the text that the other side
    brings.

    Args:
        gold: the gold segmentations, by id or in order.
        system: the system's, of the same texts, in the same way. Sentences with an id that gold
            lacks are not scored.

    Raises:
        CijieError: the system lacks a sentence, or, where there are no ids, has one too many.
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
        intersection: whether to score only the sentences that gold and all systems have; else a
            sentence of gold that a system lacks is an error.
        trials: how many random trials each test makes; see `PairedTest.of`.
        seed: seeds them.

    Raises:
        CijieError: a system lacks a sentence of gold, or, where there are no ids, has one too many.
        SegmentationError: the texts differ, with id, offset and both characters.
        UsageError: no system, or, where there are several, no trials or a negative seed.

    >>> result = compare(["旅行团"], {"D": ["旅行 团"], "P1": ["旅行团"]}, trials=99)
    >>> result.systems["P1"].f1, result.contested_patterns, result.tests["P1", "D"].difference
    (1.0, Counter({'bg': 1}), 1.0)
    """
    found = statistics_of(gold, systems, intersection=intersection)
    return Comparison.of(found, trials=trials, seed=seed)
