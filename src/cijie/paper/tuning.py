"""The choice of P2's weights and threshold, by cross-validation over a grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from cijie.choices import JoinRule
from cijie.errors import UsageError, counted
from cijie.evaluation.counts import Counts
from cijie.evaluation.significance import PairedTest
from cijie.paper.cases import Case, cases_digest
from cijie.paper.grid import Setting, SettingScorer
from cijie.signatures import signed
from cijie.similarity.candidates import Floats, Ints
from cijie.similarity.features import Feature
from cijie.similarity.weights import Weights

THRESHOLDS = tuple(k / 20 for k in range(6, 19))
"""τ from .30 to .90 in steps of .05, as in the paper."""


@dataclass(frozen=True, eq=False)
class Tuning:
    """The scores of all settings of a grid in all folds.

    Attributes:
        settings: the settings, in the order of the grid.
        counts: gold, system and correct tokens, as an array of settings x folds x 3.
        signature: everything that the counts depend on.
    """

    settings: Sequence[Setting]
    counts: Ints
    signature: str

    @cached_property
    def fold_f1(self) -> Floats:
        """Token F1 of each setting in each fold."""
        return _f1(self.counts)

    @cached_property
    def mean_f1(self) -> Floats:
        """The mean of the folds' F1, for each setting."""
        mean: Floats = self.fold_f1.mean(axis=1)
        return mean

    @cached_property
    def f1(self) -> Floats:
        """Token F1 over all folds together, for each setting."""
        return _f1(self.counts.sum(axis=1))

    @cached_property
    def ranking(self) -> list[int]:
        """The settings by descending mean F1; of equals those nearer to the paper's setting first.

        So the choice departs from the paper's only as far as the data say. What is equally near
        keeps the order of the grid.
        """
        return _ranking(self.settings, self.mean_f1)

    @property
    def best(self) -> int:
        """The first of the ranking."""
        return self.ranking[0]

    @cached_property
    def choices(self) -> list[int]:
        """For each fold the setting that is chosen without it, by the mean F1 of the others."""
        return [
            _ranking(self.settings, np.delete(self.fold_f1, fold, axis=1).mean(axis=1))[0]
            for fold in range(self.counts.shape[1])
        ]

    @cached_property
    def held_out_f1(self) -> float:
        """What choosing by this grid is worth: F1 on folds that had no part in the choice.

        It is that of all folds together, each under the setting chosen without it.
        """
        folds = range(self.counts.shape[1])
        return float(_f1(self.counts[self.choices, folds].sum(axis=0)))


def simplex(steps: int = 10) -> Iterator[Weights]:
    """All weights that are multiples of 1 / steps and add up to 1; 286 for tenths.

    >>> len(list(simplex())), next(simplex(2))
    (286, Weights(emb=0.0, glyph=0.0, pinyin=0.0, pos=1.0))
    """
    for parts in _compositions(steps, len(fields(Weights))):
        yield Weights(*(part / steps for part in parts))


def assign_folds(ids: Sequence[str], folds: int, seed: int = 0) -> list[int]:
    """The fold of each id: as equal in size as can be, whatever the order of the ids.

    The ids are dealt out in the order of a hash of seed and id, so that any machine and version
    gives the same folds.

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
        features: the features by their weight's name; one that is missing counts as 0, and its
            weight is not given to the others.
        vectors: the weights to try.
        thresholds: the thresholds to try with each.
        folds: how many parts the cases are divided into.
        seed: which division it is.
        join_rule: when a target word joins source characters.

    Raises:
        UsageError: a number of folds that the cases do not allow.
    """

    cases: Sequence[Case]
    features: Mapping[str, Feature]
    vectors: Sequence[Weights] = field(default_factory=lambda: list(simplex()))
    thresholds: Sequence[float] = THRESHOLDS
    folds: int = 5
    seed: int = 0
    join_rule: JoinRule = "equal-length"

    def __post_init__(self) -> None:
        self.fold_of()

    def fold_of(self) -> list[int]:
        """The fold of each case."""
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
            f"cases:{len(self.cases)}:{cases_digest(self.cases)}",
            f"folds:{self.folds}",
            f"seed:{self.seed}",
        )

    def counts(self) -> Iterator[Ints]:
        """Run the full pipeline under all settings, weight vector after weight vector.

        Yields:
            For each vector the gold, system and correct tokens, as thresholds x folds x 3.
        """
        scorer = SettingScorer(self.cases, self.features, join_rule=self.join_rule)
        fold_of = np.array(self.fold_of())
        for weights in self.vectors:
            rows = scorer.counts(weights, self.thresholds)
            by_case = np.array(
                [[(counts.gold, counts.system, counts.correct) for counts in row] for row in rows],
                dtype=np.intp,
            )
            folds = [by_case[:, fold_of == fold].sum(axis=1) for fold in range(self.folds)]
            yield np.stack(folds, axis=1)

    def tuning(self, counts: Iterable[Ints]) -> Tuning:
        """The result, from the counts of all weight vectors."""
        settings = [Setting(vector, tau) for vector in self.vectors for tau in self.thresholds]
        return Tuning(settings, np.concatenate(list(counts)), self.signature)


def tune(cases: Sequence[Case], features: Mapping[str, Feature], **options: Any) -> Tuning:
    """Score all settings of a grid; `options` are those of `Grid`."""
    grid = Grid(cases, features, **options)
    return grid.tuning(grid.counts())


def held_out_test(grid: Grid, tuning: Tuning, *, trials: int = 10_000, seed: int = 0) -> PairedTest:
    """Test choosing by a grid against the paper's setting.

    Each case is scored under the setting chosen without its fold, so that the F1 of choosing is
    `tuning.held_out_f1`.

    Args:
        grid: what was tried.
        tuning: its result.
        trials: trials of the significance test.
        seed: its seed.
    """
    scorer = SettingScorer(grid.cases, grid.features, join_rule=grid.join_rule)

    def under(setting: Setting) -> list[Counts]:
        [counts] = scorer.counts(setting.weights, [setting.threshold])
        return counts

    by_fold = [under(tuning.settings[k]) for k in tuning.choices]
    chosen = [by_fold[fold][case] for case, fold in enumerate(grid.fold_of())]
    pairs = Counter(zip(chosen, under(Setting()), strict=True))
    return PairedTest.of(pairs, trials=trials, seed=seed)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write `total` as a sum of whole numbers >= 0, in lexicographic order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _ranking(settings: Sequence[Setting], f1: Floats) -> list[int]:
    # Means of the same fractions may differ in their last bits.
    rounded = np.round(f1, 12).tolist()
    distances = [round(_distance(setting), 9) for setting in settings]
    return sorted(range(len(settings)), key=lambda k: (-rounded[k], distances[k]))


def _distance(setting: Setting) -> float:
    paper = Setting()
    weights = zip(asdict(setting.weights).values(), asdict(paper.weights).values(), strict=True)
    distance: float = sum(abs(a - b) for a, b in weights)
    return distance + abs(setting.threshold - paper.threshold)


def _f1(counts: Ints) -> Floats:
    gold, system, correct = np.moveaxis(counts, -1, 0)
    f1: Floats = 2 * correct / np.maximum(gold + system, 1)
    return f1
