"""Choose P2's weights and threshold by cross-validation over a grid, and say what each brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cijie.evaluation.counts import Counts
from cijie.evaluation.report import caution
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Format, Table, render_tables
from cijie.paper.grid import Grid, Setting, SettingScorer
from cijie.pictures.figures import add_legend, new_figure
from cijie.similarity.features import Floats, Ints

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TOP = 10
_LABELS = {
    "emb": r"$\lambda_\mathrm{emb}$ (context)",
    "glyph": r"$\lambda_\mathrm{glyph}$ (shape)",
    "pinyin": r"$\lambda_\mathrm{pinyin}$ (sound)",
    "pos": r"$\lambda_\mathrm{pos}$ (position)",
    "threshold": r"$\tau$ (threshold)",
}


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
        """The mean of F1 over the folds, for each setting."""
        mean: Floats = self.fold_f1.mean(axis=1)
        return mean

    @cached_property
    def ranking(self) -> list[int]:
        """The settings by descending mean F1; ties by distance from the paper's setting.

        The choice thus departs from the paper's only as far as the data require. Equally distant
        settings keep the order of the grid.
        """
        return self._ranking(self.mean_f1)

    @property
    def best(self) -> int:
        """The number of the best setting: the first of the ranking."""
        return self.ranking[0]

    def _ranking(self, f1: Floats) -> list[int]:
        numbers = np.array([setting.numbers for setting in self.settings])
        distances = np.abs(numbers - Setting().numbers).sum(axis=1).round(9)
        # Means of the same fractions may differ in their last bits.
        order: list[int] = np.lexsort((distances, -f1.round(12))).tolist()
        return order

    @cached_property
    def choices(self) -> list[int]:
        """For each fold the setting chosen without it, by the mean F1 of the other folds."""
        return [
            self._ranking(np.delete(self.fold_f1, fold, axis=1).mean(axis=1))[0]
            for fold in range(self.counts.shape[1])
        ]

    @cached_property
    def held_out_f1(self) -> float:
        """The held-out F1 of choosing by this grid: on folds that had no part in the choice.

        It is the F1 of all folds together, each under the setting chosen without it.
        """
        folds = range(self.counts.shape[1])
        return float(_f1(self.counts[self.choices, folds].sum(axis=0)))


def tune(grid: Grid, counts: Iterable[Ints] | None = None) -> Tuning:
    """Score all settings of a grid; `counts` may be an iterator over `Grid.counts` to watch."""
    counted = grid.counts() if counts is None else counts
    return Tuning(grid.settings, np.concatenate(list(counted)), grid.signature)


def held_out_test(grid: Grid, tuning: Tuning, *, trials: int = 10_000, seed: int = 0) -> PairedTest:
    """Test the choice by a grid against the paper's setting.

    Each case is scored under the setting chosen without its fold; the F1 of these scores is
    `tuning.held_out_f1`.

    Args:
        grid: the grid.
        tuning: the result of `tune` on the grid.
        trials: the number of trials of the significance test.
        seed: the seed of the significance test.
    """
    by_fold = [grid.scorer.under(tuning.settings[k]) for k in tuning.choices]
    chosen = [by_fold[fold][case] for case, fold in enumerate(grid.fold_of())]
    return _tested(chosen, grid.scorer.under(Setting()), trials=trials, seed=seed)


def _tested(ones: Sequence[Counts], others: Sequence[Counts], **tests: int) -> PairedTest:
    pairs = zip(ones, others, strict=True)
    return PairedTest.of(Counter((a.f1_ratio, b.f1_ratio) for a, b in pairs), **tests)


def tuning_tables(tuning: Tuning, best: int = _TOP) -> list[Table]:
    """Build the tables of the best settings (and the paper's) and of the F1 distribution."""
    rows = [
        (
            f"{rank}{' (paper)' if tuning.settings[k] == Setting() else ''}",
            str(tuning.settings[k]),
            tuning.mean_f1[k].item(),
            tuning.fold_f1[k].max().item(),
        )
        for rank, k in enumerate(tuning.ranking, start=1)
        if rank <= best or tuning.settings[k] == Setting()
    ]
    columns = {"setting": ""} | dict.fromkeys(("mean fold F1", "max fold F1"), ".4f")
    names = "minimum", "quartile 1", "median", "quartile 3", "best"
    quantiles = np.quantile(tuning.mean_f1, np.arange(5) / 4).tolist()
    return [
        Table(
            "settings",
            f"The best of {len(tuning.settings):,} settings, {tuning.counts.shape[1]} folds",
            "rank",
            columns,
            rows,
        ),
        Table(
            "distribution",
            "Mean fold F1 over all settings",
            "",
            {"F1": ".4f"},
            # The last row is the F1 of the choice on sentences that had no part in it.
            [*zip(names, quantiles, strict=True), ("best, held out", tuning.held_out_f1)],
        ),
    ]


def render_tuning(tuning: Tuning, format: Format) -> str:
    """Render the best settings and the distribution of F1; for JSON, all settings."""
    best = len(tuning.settings) if format == "json" else _TOP
    return render_tables(tuning_tables(tuning, best), tuning.signature, format)


def _f1(counts: Ints) -> Floats:
    gold, system, correct = np.moveaxis(counts, -1, 0)
    f1: Floats = 2 * correct / np.maximum(gold + system, 1)
    return f1


TEST_COLUMNS = {"difference": "+.4f", "low": "+.4f", "high": "+.4f", "p": ".4f"}
"""The columns of `cells_of`."""


@dataclass(frozen=True, slots=True)
class Ablation:
    """P2 without one feature, compared with complete P2.

    Attributes:
        removed: the name of the weight; None for complete P2.
        f1: micro token F1.
        test: complete P2 against P2 without the feature; a positive difference is the
            contribution of the feature. None for complete P2.
    """

    removed: str | None
    f1: float
    test: PairedTest | None


def ablate(
    scorer: SettingScorer, setting: Setting, *, trials: int = 10_000, seed: int = 0
) -> list[Ablation]:
    """Remove each feature in turn; complete P2 comes first.

    A feature is removed by setting its weight to 0. The other weights are unchanged, as in the
    paper: where their sum cannot exceed the threshold, only the anchors remain.

    Args:
        scorer: scores sentence pairs with gold.
        setting: the weights and the threshold of complete P2.
        trials: the number of trials of the significance tests.
        seed: the seed of the significance tests.
    """
    whole = scorer.under(setting)
    results = [Ablation(None, sum(whole, Counts()).f1, None)]
    for name in asdict(setting.weights):
        weights = replace(setting.weights, **{name: 0.0})
        without = scorer.under(replace(setting, weights=weights))
        test = _tested(whole, without, trials=trials, seed=seed)
        results.append(Ablation(name, sum(without, Counts()).f1, test))
    return results


def ablation_table(results: Sequence[Ablation]) -> Table:
    """Build the table of F1 without each feature, and of the feature's effect."""
    return Table(
        "ablation",
        "Token F1 of P2 without each feature; effect of the feature, 95 % interval, p",
        "setting",
        {"F1": ".4f", "effect": "+.4f", "low": "+.4f", "high": "+.4f", "p": ".4f"},
        [
            (f"- {each.removed}" if each.removed else "P2", each.f1, *cells_of(each.test))
            for each in results
        ],
        caution(each.test for each in results if each.test),
    )


def cells_of(test: PairedTest | None) -> tuple[Cell, ...]:
    """Return the cells of a test for `TEST_COLUMNS`; empty cells without a test."""
    if test is None:
        return ("",) * len(TEST_COLUMNS)
    return test.difference, test.low, test.high, test.p_randomisation


class Marginal(NamedTuple):
    """Mean fold F1 over all settings that have a weight, or a threshold, in common.

    Attributes:
        at: the values of the weight or threshold, ascending.
        mean: the mean for each value.
        low: the first quartile for each value.
        high: the third quartile for each value.
        maximum: the maximum for each value.
    """

    at: Floats
    mean: Floats
    low: Floats
    high: Floats
    maximum: Floats


def marginal(tuning: Tuning, name: str) -> Marginal:
    """Compute mean fold F1 by one weight, or by `"threshold"`, over all values of the others."""
    values = np.array([_value(setting, name) for setting in tuning.settings])
    at = np.unique(values)
    groups = [tuning.mean_f1[values == value] for value in at]
    summaries = (np.mean, partial(np.quantile, q=0.25), partial(np.quantile, q=0.75), np.max)
    return Marginal(at, *(np.array([float(of(group)) for group in groups]) for of in summaries))


def sensitivity_figure(tuning: Tuning) -> Figure:
    """Draw mean fold F1 by each weight and by the threshold, one panel each.

    For each value it shows the mean over all settings with this value, their interquartile range,
    and their maximum; lines mark the chosen setting and the paper's setting.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    settings = tuning.settings
    # The width of a printed page, so that letters keep their size.
    with new_figure(7, 2.3, letters=8) as figure:
        panels = figure.subplots(1, len(_LABELS), sharey=True)
        for axes, (name, label) in zip(panels, _LABELS.items(), strict=True):
            _panel(axes, marginal(tuning, name))
            chosen, paper = _value(settings[tuning.best], name), _value(Setting(), name)
            axes.axvline(chosen, color="#d55e00", lw=1.2, label="chosen setting")
            axes.axvline(paper, color="0.3", lw=1.2, ls=":", label="paper's setting")
            axes.set_xlabel(label)
        panels[0].set_ylabel(f"token F1 (mean of {tuning.counts.shape[1]} folds)")
        add_legend(figure, panels[0])
    return figure


def _value(setting: Setting, name: str) -> float:
    value: float = getattr(setting if name == "threshold" else setting.weights, name)
    return value


def _panel(axes: Axes, its: Marginal) -> None:
    axes.fill_between(its.at, its.low, its.high, color="0.85", label="middle half of the settings")
    axes.plot(its.at, its.mean, color="0.25", lw=1, marker="o", ms=2.5, label="mean")
    axes.plot(
        its.at, its.maximum, color="#0072b2", lw=1, ls="--", marker="^", ms=3.5, label="maximum"
    )
    ticks = [its.at[0], (its.at[0] + its.at[-1]) / 2, its.at[-1]]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.grid(alpha=0.3)
