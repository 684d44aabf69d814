"""P2 under many settings of weights and threshold, without doing anything twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby

import numpy as np

from cijie.alignment.anchors import anchors
from cijie.alignment.residual import candidate_batches, candidate_links, select, with_residuals
from cijie.choices import JoinRule
from cijie.evaluation.counts import Counts, token_counts
from cijie.paper.cases import Case
from cijie.projection.boundaries import project
from cijie.similarity.candidates import Candidates, Floats
from cijie.similarity.features import Feature
from cijie.similarity.scoring import weighted_sum
from cijie.similarity.weights import Weights


@dataclass(frozen=True, slots=True)
class Setting:
    """The weights of P2's features, and the threshold τ; the defaults are the paper's."""

    weights: Weights = field(default_factory=Weights)
    threshold: float = 0.85

    def __str__(self) -> str:
        weights = ",".join(f"{name}={weight:g}" for name, weight in asdict(self.weights).items())
        return f"{weights} threshold={self.threshold:g}"


class SettingScorer:
    """Scores P2 on cases under one setting after another.

    The counts are those of a `Recoverer` with the same features, weights, threshold and join rule.
    Anchors, candidates and features are computed once; a case is projected again only where its
    residual links are none that it has had before.

    Args:
        cases: what to run on.
        features: the features by their weight's name; one that is missing counts as 0.
        join_rule: when a target word joins source characters.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        features: Mapping[str, Feature],
        *,
        join_rule: JoinRule = "equal-length",
    ) -> None:
        self._cases = cases
        self._join_rule: JoinRule = join_rule
        texts = [case.texts for case in cases]
        self._anchored = [anchors(source, target) for source, target in texts]
        batches = list(candidate_batches(texts, self._anchored))
        self._candidates = _joined(batches) if batches else None
        self._values: dict[str, Floats] = {}
        self._case_of: list[int] = []
        if self._candidates is not None:
            self._values = {
                name: np.concatenate([feature(batch) for batch in batches])
                for name, feature in features.items()
            }
            rows = self._candidates.source_rows
            self._case_of = self._candidates.source.pair[rows].tolist()
        self._known: dict[tuple[int, tuple[int, ...]], Counts] = {}
        self._anchored_counts = [self._project(k) for k in range(len(cases))]

    @property
    def projections(self) -> int:
        """How many projections there have been."""
        return len(self._cases) + len(self._known)

    def counts(self, weights: Weights, thresholds: Sequence[float]) -> list[list[Counts]]:
        """The counts of tokens in each case, under each of the thresholds."""
        if self._candidates is None:
            return [self._anchored_counts for _ in thresholds]
        scores = weighted_sum(weights, self._values, len(self._candidates))
        return [self._counts(self._candidates, scores, threshold) for threshold in thresholds]

    def _counts(self, candidates: Candidates, scores: Floats, threshold: float) -> list[Counts]:
        counts = list(self._anchored_counts)
        chosen = select(candidates, scores, threshold)
        for case, group in groupby(chosen, key=self._case_of.__getitem__):
            key = (case, tuple(group))
            if key not in self._known:
                self._known[key] = self._project(*key, scores)
            counts[case] = self._known[key]
        return counts

    def _project(self, k: int, chosen: Sequence[int] = (), scores: Floats | None = None) -> Counts:
        case, alignment = self._cases[k], self._anchored[k]
        if scores is not None and self._candidates is not None:
            links = candidate_links(self._candidates, chosen, scores)
            alignment = with_residuals(alignment, (link for _, link in links))
        projection = project(case.initial, case.target, alignment, join_rule=self._join_rule)
        return token_counts(case.gold, projection.segmentation)


def _joined(batches: Sequence[Candidates]) -> Candidates:
    first = batches[0]  # all have the same leftovers
    return Candidates(
        first.texts,
        first.source,
        first.target,
        np.concatenate([batch.source_rows for batch in batches]),
        np.concatenate([batch.target_rows for batch in batches]),
    )
