"""Score segmentations of several systems against gold, and compare the systems with one another.

Scores are computed from additive counts, so that the parts of a corpus of any size add up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import cached_property
from itertools import combinations
from math import fsum

from cijie.errors import CijieError, UsageError, counted
from cijie.evaluation.counts import (
    Counts,
    Coverage,
    ErrorCounts,
    Sums,
    boundary_counts,
    contested_regions,
    error_regions,
    outcome_pattern,
    share,
    token_counts,
    token_patterns,
)
from cijie.evaluation.sentences import Sentences, alignments, by_id, common_ids, of_one_text
from cijie.evaluation.significance import PairedTest, Ratio, check_trials
from cijie.signatures import signed


@dataclass(frozen=True, slots=True)
class Evaluation(Sums):
    """Counts of one system against gold, and the scores computed from them.

    The main scores are micro averages over tokens, `precision`, `recall` and `f1`, in which each
    token has the same weight. The macro averages are means over the sentences that have tokens,
    in which each sentence has the same weight.

    Attributes:
        histogram: the number of sentences with each combination of token counts.
        boundaries: counts of boundaries over all sentences.
        errors: the number of error regions of each kind.
        coverage: the system's link counts over the pairs whose links are known.
        left_out: the number of the system's sentences that were not scored.

    >>> result = Evaluation(Counter([Counts(1, 1, 1), Counts(9, 8, 6)]), Counts(8, 7, 6))
    >>> result.f1, round(result.macro_f1, 4), result.sentence_accuracy
    (0.7368421052631579, 0.8529, 0.5)
    """

    histogram: Counter[Counts] = field(default_factory=Counter)
    boundaries: Counts = field(default_factory=Counts)
    errors: ErrorCounts = field(default_factory=ErrorCounts)
    coverage: Coverage = field(default_factory=Coverage)
    left_out: int = 0

    @property
    def sentences(self) -> int:
        """The number of scored sentences."""
        return self.histogram.total()

    @property
    def exact(self) -> int:
        """The number of sentences whose segmentation is identical to gold."""
        return sum(
            n for each, n in self.histogram.items() if each.gold == each.correct == each.system
        )

    @property
    def sentence_accuracy(self) -> float:
        """The share of sentences whose segmentation is identical to gold; 0 if none."""
        return share(self.exact, self.sentences)

    @property
    def tokens(self) -> Counts:
        """Counts of tokens over all sentences."""
        items = [(astuple(each), n) for each, n in self.histogram.items()]
        return Counts(*(sum(counts[k] * n for counts, n in items) for k in range(3)))

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
    def macro_f1(self) -> float:
        """Mean F1 of the sentences that have tokens."""
        weighed = [(each, n) for each, n in self.histogram.items() if each.gold or each.system]
        total = fsum(n * each.f1 for each, n in weighed)  # whatever the order
        return share(total, sum(n for _, n in weighed))

    @property
    def signature(self) -> str:
        """The score, its average, the number of sentences and the version."""
        return signed("score:token-f1", "average:micro", f"sentences:{self.sentences}")

    def __str__(self) -> str:
        return (
            f"F1 {self.f1:.4f} (precision {self.precision:.4f}, recall {self.recall:.4f}; "
            f"macro F1 {self.macro_f1:.4f}; boundary F1 {self.boundaries.f1:.4f}), "
            f"{self.exact:,} of {counted(self.sentences, 'sentences')} exact; errors: "
            f"{self.errors.over:,} over, {self.errors.under:,} under, {self.errors.drift:,} drift"
        )


@dataclass(frozen=True)
class Comparison(Sums):
    """Scores of several systems on the same gold, with significance tests between the systems.

    Comparisons of disjoint sets of sentences are added with `+`. The sum, and everything computed
    from it, does not depend on grouping or order. Its size is the size of the histograms: it grows
    with the number of distinct counts, not with the number of sentences.

    Attributes:
        systems: the evaluation of each system, by name, in the order given.
        pairs: for each pair of systems, `(later, earlier)`, the number of sentences with each
            combination of their F1, as ratios.
        token_patterns: the number of gold tokens with each outcome pattern.
        contested_patterns: the number of contested regions with each outcome pattern.
        sentence_patterns: the number of sentences with each outcome pattern.
        gold_left_out: the number of gold sentences that were not scored.
        trials: the number of random trials in each test.
        seed: the seed of the trials.

    Raises:
        UsageError: there are no trials, or the seed is negative.
    """

    systems: Mapping[str, Evaluation] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Counter[tuple[Ratio, Ratio]]] = field(default_factory=dict)
    token_patterns: Counter[str] = field(default_factory=Counter)
    contested_patterns: Counter[str] = field(default_factory=Counter)
    sentence_patterns: Counter[str] = field(default_factory=Counter)
    gold_left_out: int = 0
    trials: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        check_trials(self.trials, self.seed)

    def __add__(self, other: Comparison) -> Comparison:
        if self.systems and other.systems and [*self.systems] != [*other.systems]:
            raise UsageError(f"expected the systems {[*self.systems]}, got {[*other.systems]}")
        return replace(super().__add__(other), trials=self.trials, seed=self.seed)

    @property
    def sentences(self) -> int:
        """The number of scored sentences."""
        return next((each.sentences for each in self.systems.values()), 0)

    @cached_property
    def tests(self) -> Mapping[tuple[str, str], PairedTest]:
        """The significance test of each pair of systems.

        Keys are `(later, earlier)`, so a difference is positive where the later system is better.
        """
        return {
            names: PairedTest.of(pairs, trials=self.trials, seed=self.seed)
            for names, pairs in self.pairs.items()
        }

    @property
    def contested_right(self) -> dict[str, int]:
        """The number of contested regions in which each system is right, by name."""
        patterns = self.contested_patterns.items()
        return {
            name: sum(count for pattern, count in patterns if pattern[k] == "g")
            for k, name in enumerate(self.systems)
        }

    @property
    def signature(self) -> str:
        """The score, the data, the version and the settings of the significance tests."""
        signature = next(iter(self.systems.values())).signature
        return f"{signature}|trials:{self.trials}|seed:{self.seed}" if self.pairs else signature


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
        UsageError: there is no system, there are no trials, or the seed is negative.

    >>> result = compare(["旅行团"], {"D": ["旅行 团"], "P1": ["旅行团"]}, trials=99)
    >>> result.systems["P1"].f1, result.contested_patterns, result.tests["P1", "D"].difference
    (1.0, Counter({'bg': 1}), 1.0)
    >>> parts = compare(["旅行团"], {"D": ["旅行 团"]}) + compare(["好"], {"D": ["好"]})
    >>> parts == compare(["旅行团", "好"], {"D": ["旅行 团", "好"]})
    True
    """
    if not systems:
        raise UsageError("no system to evaluate")
    reference = by_id(gold)
    given = {name: by_id(system) for name, system in systems.items()}
    ids = common_ids(reference, given, intersection=intersection)
    for name, system in given.items():
        extra = next((id for id in system if id not in reference), None)
        if extra is not None and not isinstance(systems[name], Mapping):
            raise CijieError(f"{name} has this sentence, but gold does not", id=extra)
    histograms = {name: Counter[Counts]() for name in given}
    pairs = {(b, a): Counter[tuple[Ratio, Ratio]]() for a, b in combinations(given, 2)}
    boundaries = dict.fromkeys(given, Counts())
    errors = dict.fromkeys(given, ErrorCounts())
    outcomes, contested, whole = Counter[str](), Counter[str](), Counter[str]()
    names, sides = ("gold", *given), (reference, *given.values())
    for id in ids:
        right, *cut = of_one_text(id, names, [side[id] for side in sides])
        counts = {}
        for name, words in zip(given, cut, strict=True):
            counts[name] = token_counts(right, words)
            histograms[name][counts[name]] += 1
            boundaries[name] += boundary_counts(right, words)
            errors[name] += ErrorCounts.of(error_regions(right, words))
        for (b, a), histogram in pairs.items():
            histogram[counts[b].f1_ratio, counts[a].f1_ratio] += 1
        outcomes.update(token_patterns(right, cut))
        contested.update(pattern for _, pattern in contested_regions(right, cut))
        whole[outcome_pattern(words == right for words in cut)] += 1
    evaluations = {
        name: Evaluation(
            histograms[name],
            boundaries[name],
            errors[name],
            coverage=sum(map(Coverage.of, alignments(system, ids)), Coverage()),
            left_out=len(system) - len(ids),
        )
        for name, system in given.items()
    }
    left_out = len(reference) - len(ids)
    return Comparison(
        evaluations, pairs, outcomes, contested, whole, left_out, trials=trials, seed=seed
    )
