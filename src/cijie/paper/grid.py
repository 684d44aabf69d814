"""Score P2 under all settings of a grid of weights and thresholds, without repeated work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from hashlib import sha256
from itertools import groupby, product
from operator import itemgetter

import numpy as np

from cijie.alignment.links import Alignment, anchors
from cijie.alignment.residual import candidate_batches, candidate_links, select
from cijie.choices import JoinRule
from cijie.errors import UsageError, counted
from cijie.evaluation.counts import Counts, token_counts
from cijie.evaluation.sentences import Segmented, of_one_text
from cijie.projection.boundaries import project
from cijie.recovery.recoverer import segment_pairs
from cijie.recovery.sentence import Recovery, Sentence
from cijie.segmenters import Segmenter
from cijie.signatures import signed
from cijie.similarity.features import DECIMALS, Candidates, Feature, Floats, Ints
from cijie.similarity.weights import Weights

THRESHOLDS = tuple(k / 20 for k in range(6, 19))
"""τ from .30 to .90 in steps of .05, as in the paper."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The weights of P2's features, and the threshold τ; the defaults are the paper's."""

    weights: Weights = field(default_factory=Weights)
    threshold: float = 0.85

    @property
    def numbers(self) -> tuple[float, ...]:
        """The weights and the threshold."""
        return (*asdict(self.weights).values(), self.threshold)

    def __str__(self) -> str:
        weights = ",".join(f"{name}={weight:g}" for name, weight in asdict(self.weights).items())
        return f"{weights} threshold={self.threshold:g}"


class SettingScorer:
    """Scores P2 on cases under one setting after another.

    The counts equal the counts of a `Recoverer` with the same features, weights, threshold and join
    rule. Anchors, candidates and features are computed once; a case is projected again only if its
    residual links are new.

    Args:
        cases: the cases to score.
        features: the features, by the name of their weight; missing features count as 0.
        join_rule: the rule by which a target word joins source characters.
    """

    def __init__(
        self,
        cases: Sequence[Recovery],
        features: Mapping[str, Feature],
        *,
        join_rule: JoinRule = "equal-length",
    ) -> None:
        self._cases = cases
        self._join_rule: JoinRule = join_rule
        texts = [(case.source, case.target_segmentation.text) for case in cases]
        self._anchored = [anchors(source, target) for source, target in texts]
        batches = list(candidate_batches(texts, self._anchored))
        self._candidates: Candidates | None = None
        self._values: dict[str, Floats] = {}
        if batches:
            source = np.concatenate([batch.source_rows for batch in batches])
            target = np.concatenate([batch.target_rows for batch in batches])
            # All batches share the same leftovers.
            self._candidates = replace(batches[0], source_rows=source, target_rows=target)
            self._values = {
                name: np.concatenate([feature(batch) for batch in batches])
                for name, feature in features.items()
            }
        self._known: dict[tuple[int, tuple[int, ...]], Counts] = {}
        self._anchored_counts = list(map(self._counts, cases, self._anchored))

    def counts(self, weights: Weights, thresholds: Sequence[float]) -> list[list[Counts]]:
        """Return the token counts of each case, under each of the thresholds."""
        if self._candidates is None:
            return [self._anchored_counts for _ in thresholds]
        weight = asdict(weights)
        total = sum(weight[name] * values for name, values in self._values.items())
        scores = np.round(total, DECIMALS) + np.zeros(len(self._candidates))
        return [self._linked(self._candidates, scores, threshold) for threshold in thresholds]

    def under(self, setting: Setting) -> list[Counts]:
        """Return the token counts of each case under a setting."""
        [counts] = self.counts(setting.weights, [setting.threshold])
        return counts

    def _linked(self, candidates: Candidates, scores: Floats, threshold: float) -> list[Counts]:
        counts = list(self._anchored_counts)
        chosen = select(candidates, scores, threshold, set())
        case_of = candidates.source.pair[candidates.source_rows[chosen]].tolist()
        for k, group in groupby(zip(case_of, chosen, strict=True), key=itemgetter(0)):
            key = k, tuple(row for _, row in group)
            if key not in self._known:
                links = (link for _, link in candidate_links(candidates, key[1], scores))
                alignment = replace(self._anchored[k], residuals=tuple(sorted(links)))
                self._known[key] = self._counts(self._cases[k], alignment)
            counts[k] = self._known[key]
        return counts

    def _counts(self, case: Recovery, alignment: Alignment) -> Counts:
        words = case.initial, case.target_segmentation
        projection = project(*words, alignment, join_rule=self._join_rule)
        return token_counts(case.segmentation, projection.segmentation)


def simplex(steps: int = 10) -> Iterator[Weights]:
    """Yield all weights that are multiples of 1 / steps and add up to 1; 286 for tenths.

    >>> len(list(simplex())), next(simplex(2))
    (286, Weights(emb=0.0, glyph=0.0, pinyin=0.0, pos=1.0))
    """
    for parts in product(range(steps + 1), repeat=len(fields(Weights))):
        if sum(parts) == steps:
            yield Weights(*(part / steps for part in parts))


def assign_folds(ids: Sequence[str], folds: int, seed: int = 0) -> list[int]:
    """Return the fold of each id: folds of equal size (±1), independent of the order of ids.

    The ids are assigned in the order of a hash of seed and id, so that every machine and version
    gives the same folds.

    Args:
        ids: the ids of the sentences.
        folds: the number of folds.
        seed: the seed of the hash.

    Raises:
        UsageError: fewer than two folds, or more than ids.

    >>> assign_folds(["1", "2", "3", "4"], 2)
    [1, 0, 1, 0]
    """
    if not 2 <= folds <= len(ids):
        raise UsageError(
            f"cannot make {folds} folds of {counted(len(ids), 'sentences')}; at least 2 are needed"
        )
    order = sorted(range(len(ids)), key=lambda k: sha256(f"{seed}:{ids[k]}".encode()).digest())
    fold_of = [0] * len(ids)
    for place, k in enumerate(order):
        fold_of[k] = place % folds
    return fold_of


@dataclass(frozen=True, eq=False)
class Grid:
    """Settings to try on cases: every combination of weights and threshold.

    Args:
        cases: sentence pairs with gold.
        features: the features, by the name of their weight; missing features count as 0, and
            their weight is not redistributed.
        vectors: the weights to try.
        thresholds: the thresholds to try with each.
        folds: the number of folds that the cases are divided into.
        seed: the seed of the division.
        join_rule: the rule by which a target word joins source characters.

    Raises:
        UsageError: fewer than two folds, or more folds than cases.
    """

    cases: Sequence[Recovery]
    features: Mapping[str, Feature]
    vectors: Sequence[Weights] = field(default_factory=lambda: list(simplex()))
    thresholds: Sequence[float] = THRESHOLDS
    folds: int = 5
    seed: int = 0
    join_rule: JoinRule = "equal-length"

    def __post_init__(self) -> None:
        self.fold_of()

    @cached_property
    def scorer(self) -> SettingScorer:
        """The scorer of the cases."""
        return SettingScorer(self.cases, self.features, join_rule=self.join_rule)

    def fold_of(self) -> list[int]:
        """Return the fold of each case."""
        return assign_folds([case.id for case in self.cases], self.folds, self.seed)

    @property
    def signature(self) -> str:
        """Everything that the counts depend on."""
        tried = [tuple(asdict(weights).values()) for weights in self.vectors]
        grid = sha256(repr((tried, list(self.thresholds))).encode()).hexdigest()[:12]
        names = ",".join(
            f"{name}:{self.features[name].name if name in self.features else 'absent'}"
            for name in asdict(Weights())
        )
        return signed(
            f"tune:{len(tried)}x{len(self.thresholds)}:{grid}",
            f"features:{names}",
            f"join:{self.join_rule}",
            f"cases:{len(self.cases)}:{digest_of(self.cases, gold=True)}",
            f"folds:{self.folds}",
            f"seed:{self.seed}",
        )

    def counts(self) -> Iterator[Ints]:
        """Run the full pipeline under all settings, weight vector after weight vector.

        Yields:
            For each vector the gold, system and correct tokens, as thresholds x folds x 3.
        """
        fold_of = np.array(self.fold_of())
        for weights in self.vectors:
            rows = self.scorer.counts(weights, self.thresholds)
            by_case = np.array(
                [[(counts.gold, counts.system, counts.correct) for counts in row] for row in rows],
                dtype=np.intp,
            )
            folds = [by_case[:, fold_of == fold].sum(axis=1) for fold in range(self.folds)]
            yield np.stack(folds, axis=1)

    @property
    def settings(self) -> list[Setting]:
        """All settings, in the order of the counts."""
        return [Setting(vector, tau) for vector in self.vectors for tau in self.thresholds]


def make_cases(
    pairs: Iterable[Sentence],
    gold: Mapping[str, Segmented],
    segmenter: Segmenter,
    skipped: Counter[str],
) -> list[Recovery]:
    """Segment the pairs that have gold; keep segmentations that a pair already has.

    Args:
        pairs: the pairs.
        gold: the gold segmentations of sources, or their words, by id.
        segmenter: the segmenter of sources and targets.
        skipped: counts pairs without gold, and gold without a pair.

    Returns:
        Pairs with the words of both sides, not yet linked; `segmentation` is the gold one.

    Raises:
        SegmentationError: gold is not a segmentation of its source.
    """
    given = list(pairs)
    chosen = [pair for pair in given if pair.id in gold]
    without_gold, without_pair = len(given) - len(chosen), len(gold) - len(chosen)
    skipped += Counter(
        {"pairs without gold": without_gold, "gold sentences without a pair": without_pair}
    )
    cases = []
    for pair in segment_pairs(segmenter, chosen):
        names, both = ("the pair", "gold"), (pair.initial, gold[pair.id])
        cases.append(replace(pair, segmentation=of_one_text(pair.id, names, both)[1]))
    return cases


def digest_of(pairs: Iterable[Recovery], *, gold: bool) -> str:
    """Return the first 12 hexadecimal digits of a SHA-256 over texts and segmentations."""
    digest = sha256()
    for pair in pairs:
        parts = [pair.initial, pair.target_segmentation, *([pair.segmentation] if gold else [])]
        record = (pair.id, *((part.text, part.boundaries) for part in parts))
        digest.update(repr(record).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
