"""Collect evaluation statistics as additive counts, so that runs of any size fit in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from itertools import combinations
from math import fsum
from typing import Any

from cijie.errors import CijieError, UsageError, counted
from cijie.evaluation.counts import Counts, Coverage, Sums, boundary_counts, token_counts
from cijie.evaluation.regions import (
    ErrorCounts,
    contested_regions,
    error_regions,
    outcome_pattern,
    token_patterns,
)
from cijie.evaluation.sentences import Sentences, alignments, by_id, common_ids, of_one_text
from cijie.signatures import signed
from cijie.text.segmentation import Segmentation


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
        return self.exact / self.sentences if self.sentences else 0.0

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
    def macro_precision(self) -> float:
        """Mean precision of the sentences."""
        return self._mean("precision")

    @property
    def macro_recall(self) -> float:
        """Mean recall of the sentences."""
        return self._mean("recall")

    @property
    def macro_f1(self) -> float:
        """Mean F1 of the sentences."""
        return self._mean("f1")

    def _mean(self, score: str) -> float:
        """Return the mean over sentences that have tokens; `fsum` makes it independent of order."""
        weighed = [(each, n) for each, n in self.histogram.items() if each.gold or each.system]
        total = fsum(n * getattr(each, score) for each, n in weighed)
        return total / sum(n for _, n in weighed) if weighed else 0.0

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


@dataclass(frozen=True, slots=True)
class Statistics(Sums):
    """The sufficient statistics of a comparison; add those of disjoint sets of sentences with `+`.

    The sum, and everything computed from it, does not depend on grouping or order. Its size is
    the size of the histograms: it grows with the number of distinct counts, not with the number
    of sentences.

    Attributes:
        systems: the evaluation of each system, by name, in the order given.
        pairs: for each pair of systems, `(later, earlier)`, the number of sentences with each
            combination of their token counts.
        token_patterns: the number of gold tokens with each outcome pattern.
        contested_patterns: the number of contested regions with each outcome pattern.
        sentence_patterns: the number of sentences with each outcome pattern.
        gold_left_out: the number of gold sentences that were not scored.
    """

    systems: Mapping[str, Evaluation] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Counter[tuple[Counts, Counts]]] = field(default_factory=dict)
    token_patterns: Counter[str] = field(default_factory=Counter)
    contested_patterns: Counter[str] = field(default_factory=Counter)
    sentence_patterns: Counter[str] = field(default_factory=Counter)
    gold_left_out: int = 0

    @property
    def sentences(self) -> int:
        """The number of scored sentences."""
        return next((each.sentences for each in self.systems.values()), 0)

    def __add__(self, other: Statistics) -> Statistics:
        if self.systems and other.systems and [*self.systems] != [*other.systems]:
            raise UsageError(f"expected the systems {[*self.systems]}, got {[*other.systems]}")
        names = [each.name for each in fields(Statistics)]
        return Statistics(*(_added(getattr(self, name), getattr(other, name)) for name in names))


def _added(a: Any, b: Any) -> Any:
    """Add two counts, or two mappings of counts key by key; a missing key counts as zero."""
    if isinstance(a, dict) and not isinstance(a, Counter):
        return {**a, **b, **{key: a[key] + b[key] for key in a if key in b}}
    return a + b


def count_all(names: Sequence[str], sentences: Iterable[Sequence[Segmentation]]) -> Statistics:
    """Collect statistics over sentences, one by one.

    Args:
        names: the names of the systems.
        sentences: the segmentations of each sentence, gold first, then the systems in order.
    """
    histograms = {name: Counter[Counts]() for name in names}
    pairs = {(b, a): Counter[tuple[Counts, Counts]]() for a, b in combinations(names, 2)}
    boundaries = dict.fromkeys(names, Counts())
    errors = dict.fromkeys(names, ErrorCounts())
    outcomes, contested, whole = Counter[str](), Counter[str](), Counter[str]()
    for gold, *systems in sentences:
        counts = {}
        for name, system in zip(names, systems, strict=True):
            counts[name] = token_counts(gold, system)
            histograms[name][counts[name]] += 1
            boundaries[name] += boundary_counts(gold, system)
            errors[name] += ErrorCounts.of(error_regions(gold, system))
        for (b, a), histogram in pairs.items():
            histogram[counts[b], counts[a]] += 1
        outcomes.update(token_patterns(gold, systems))
        contested.update(region.pattern for region in contested_regions(gold, systems))
        whole[outcome_pattern(system == gold for system in systems)] += 1
    found = {n: Evaluation(histograms[n], boundaries[n], errors[n]) for n in names}
    return Statistics(found, pairs, outcomes, contested, whole)


def statistics_of(
    gold: Sentences, systems: Mapping[str, Sentences], *, intersection: bool = False
) -> Statistics:
    """Collect statistics of systems against gold; see `compare` for arguments and errors.

    Args:
        gold: sentences, or sentences by id.
        systems: sentences by the name of the system.
        intersection: score only the sentences that gold and all systems share.

    >>> total = statistics_of(["旅行团"], {"D": ["旅行 团"]}) + statistics_of(["好"], {"D": ["好"]})
    >>> total == statistics_of(["旅行团", "好"], {"D": ["旅行 团", "好"]})
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
    names, sides = ("gold", *given), (reference, *given.values())
    found = count_all(
        list(given), (of_one_text(id, names, [side[id] for side in sides]) for id in ids)
    )
    return replace(
        found,
        systems={
            name: replace(
                found.systems[name],
                coverage=sum(map(Coverage.of, alignments(system, ids)), Coverage()),
                left_out=len(system) - len(ids),
            )
            for name, system in given.items()
        },
        gold_left_out=len(reference) - len(ids),
    )
