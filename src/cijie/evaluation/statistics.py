"""What all scores of some sentences are made of; it adds up, so that no run is too large."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any

from cijie.errors import CijieError, UsageError
from cijie.evaluation.counts import Counts, Coverage, boundary_counts, token_counts
from cijie.evaluation.regions import (
    ErrorCounts,
    contested_regions,
    error_regions,
    outcome_pattern,
    token_patterns,
)
from cijie.evaluation.sentences import HasAlignment, Sentences, by_id, common_ids, of_one_text
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class Statistics:
    """The sufficient statistics of a comparison; those of different sentences add up with `+`.

    The sum, and everything computed from it, is the same in any grouping and order. Its size
    is that of the histograms: it grows with the variety of the counts in a sentence, not with the
    number of sentences.

    Attributes:
        tokens: for each system, by name, how many sentences have which counts of tokens.
        pairs: the same for each pair of systems, `(later, earlier)`, that is, how many sentences
            have which two counts.
        boundaries: counts of boundaries, by system.
        errors: how many error regions there are of each kind, by system.
        token_patterns: how many gold tokens have which outcome pattern.
        contested_patterns: how many contested regions have which outcome pattern.
        sentence_patterns: how many sentences have which outcome pattern.
        left_out: how many sentences of each system were not scored.
        gold_left_out: how many sentences of gold were not.
        coverage: how much each system has linked, of those whose links are known.
    """

    tokens: Mapping[str, Counter[Counts]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Counter[tuple[Counts, Counts]]] = field(default_factory=dict)
    boundaries: Mapping[str, Counts] = field(default_factory=dict)
    errors: Mapping[str, ErrorCounts] = field(default_factory=dict)
    token_patterns: Counter[str] = field(default_factory=Counter)
    contested_patterns: Counter[str] = field(default_factory=Counter)
    sentence_patterns: Counter[str] = field(default_factory=Counter)
    left_out: Mapping[str, int] = field(default_factory=dict)
    gold_left_out: int = 0
    coverage: Mapping[str, Coverage] = field(default_factory=dict)

    @property
    def sentences(self) -> int:
        """How many sentences were scored."""
        return next((tokens.total() for tokens in self.tokens.values()), 0)

    def __add__(self, other: Statistics) -> Statistics:
        if self.tokens and other.tokens and [*self.tokens] != [*other.tokens]:
            raise UsageError(f"expected the systems {[*self.tokens]}, got {[*other.tokens]}")
        names = [each.name for each in fields(Statistics)]
        return Statistics(*(_added(getattr(self, name), getattr(other, name)) for name in names))


def _added(a: Any, b: Any) -> Any:
    """The sum of two counts, or of those in two mappings; what one lacks is nothing."""
    if isinstance(a, dict) and not isinstance(a, Counter):
        return {**a, **b, **{key: _added(a[key], b[key]) for key in a if key in b}}
    return a + b


def count_all(names: Sequence[str], sentences: Iterable[Sequence[Segmentation]]) -> Statistics:
    """The statistics of sentences, one by one.

    Args:
        names: the systems.
        sentences: of each sentence gold's segmentation and those of the systems, of one text.
    """
    tokens = {name: Counter[Counts]() for name in names}
    pairs = {(b, a): Counter[tuple[Counts, Counts]]() for a, b in combinations(names, 2)}
    boundaries = dict.fromkeys(names, Counts())
    errors = dict.fromkeys(names, ErrorCounts())
    outcomes, contested, whole = Counter[str](), Counter[str](), Counter[str]()
    for gold, *systems in sentences:
        counts = {}
        for name, system in zip(names, systems, strict=True):
            counts[name] = token_counts(gold, system)
            tokens[name][counts[name]] += 1
            boundaries[name] += boundary_counts(gold, system)
            errors[name] += ErrorCounts.of(error_regions(gold, system))
        for (b, a), histogram in pairs.items():
            histogram[counts[b], counts[a]] += 1
        outcomes.update(token_patterns(gold, systems))
        contested.update(region.pattern for region in contested_regions(gold, systems))
        whole[outcome_pattern(system == gold for system in systems)] += 1
    left_out = dict.fromkeys(names, 0)
    return Statistics(tokens, pairs, boundaries, errors, outcomes, contested, whole, left_out)


def statistics_of(
    gold: Sentences, systems: Mapping[str, Sentences], *, intersection: bool = False
) -> Statistics:
    """The statistics of systems against gold; see `compare` for arguments and errors.

    Args:
        gold: sentences, or sentences by id.
        systems: sentences by the name of the system.
        intersection: score the sentences that all have.

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
    coverage: dict[str, Coverage] = {}

    def segmentations() -> Iterator[list[Segmentation]]:
        for id in ids:
            sentences = [side[id] for side in sides]
            for name, sentence in zip(given, sentences[1:], strict=True):
                if isinstance(sentence, HasAlignment):
                    linked = Coverage.of(sentence.alignment)
                    coverage[name] = coverage.get(name, Coverage()) + linked
            yield of_one_text(id, names, sentences)

    return replace(
        count_all(list(given), segmentations()),
        coverage=coverage,
        left_out={name: len(system) - len(ids) for name, system in given.items()},
        gold_left_out=len(reference) - len(ids),
    )
