"""Systems against gold, and against one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import fsum
from operator import attrgetter

from cijie.errors import counted
from cijie.evaluation.counts import Counts
from cijie.evaluation.regions import ErrorCounts
from cijie.evaluation.sentences import Sentences
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.statistics import Statistics, statistics_of
from cijie.signatures import signed


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One system against gold.

    The headline is the micro average over tokens, `precision`, `recall` and `f1`, in which each
    token weighs the same. The macro averages are means over the sentences that have tokens, in
    which each sentence weighs the same.

    Attributes:
        sentences: how many sentences there are.
        exact: how many of them the system segments as gold does.
        tokens: counts of tokens over all sentences.
        boundaries: counts of boundaries over all sentences.
        errors: how many error regions there are of each kind.
        macro_precision: mean precision of the sentences.
        macro_recall: mean recall of the sentences.
        macro_f1: mean F1 of the sentences.

    >>> tokens = Counter([Counts(1, 1, 1), Counts(9, 8, 6)])
    >>> result = Evaluation.of(tokens, Counts(8, 7, 6), ErrorCounts())
    >>> result.f1, round(result.macro_f1, 4), result.sentence_accuracy
    (0.7368421052631579, 0.8529, 0.5)
    """

    sentences: int
    exact: int
    tokens: Counts
    boundaries: Counts
    errors: ErrorCounts
    macro_precision: float
    macro_recall: float
    macro_f1: float

    @classmethod
    def of(cls, tokens: Counter[Counts], boundaries: Counts, errors: ErrorCounts) -> Evaluation:
        """The scores of a corpus.

        Args:
            tokens: how many sentences have which counts of tokens.
            boundaries: counts of boundaries over all sentences.
            errors: how many error regions there are.
        """
        return cls(
            sentences=tokens.total(),
            exact=sum(
                times
                for counts, times in tokens.items()
                if counts.gold == counts.correct == counts.system
            ),
            tokens=sum((counts * times for counts, times in tokens.items()), Counts()),
            boundaries=boundaries,
            errors=errors,
            macro_precision=_mean(tokens, attrgetter("precision")),
            macro_recall=_mean(tokens, attrgetter("recall")),
            macro_f1=_mean(tokens, attrgetter("f1")),
        )

    @property
    def sentence_accuracy(self) -> float:
        """The share of sentences segmented as gold does; 0 if there are none."""
        return self.exact / self.sentences if self.sentences else 0.0

    @property
    def precision(self) -> float:
        """The share of the system's tokens that are gold tokens."""
        return self.tokens.precision

    @property
    def recall(self) -> float:
        """The share of the gold tokens that the system has."""
        return self.tokens.recall

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.tokens.f1

    @property
    def signature(self) -> str:
        """What the scores are, of what, by which version."""
        return _signature(self)

    def __str__(self) -> str:
        return (
            f"F1 {self.f1:.4f} (precision {self.precision:.4f}, recall {self.recall:.4f}; "
            f"macro F1 {self.macro_f1:.4f}; boundary F1 {self.boundaries.f1:.4f}), "
            f"{self.exact:,} of {counted(self.sentences, 'sentences')} exact; errors: "
            f"{self.errors.over:,} over, {self.errors.under:,} under, {self.errors.drift:,} drift"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Statistics):
    """Several systems against the same gold, and against one another; the counts, and what follows.

    Attributes:
        systems: the evaluation of each system, by name, in the order given.
        tests: the significance tests of each pair of systems, `(later, earlier)` in that order, so
            that a difference is positive where the later one is better.
        trials: how many random trials each test made.
        seed: what they were seeded with.
    """

    systems: Mapping[str, Evaluation]
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
            systems={
                name: Evaluation.of(tokens, counts.boundaries[name], counts.errors[name])
                for name, tokens in counts.tokens.items()
            },
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
        signature = _signature(next(iter(self.systems.values())))
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


def _signature(evaluation: Evaluation) -> str:
    return signed("score:token-f1", "average:micro", f"sentences:{evaluation.sentences}")


def _mean(tokens: Counter[Counts], score: Callable[[Counts], float]) -> float:
    """The mean over the sentences that have tokens; `fsum` makes it the same in any order."""
    counted = {counts: times for counts, times in tokens.items() if counts.gold or counts.system}
    total = fsum(times * score(counts) for counts, times in counted.items())
    return total / sum(counted.values()) if counted else 0.0
