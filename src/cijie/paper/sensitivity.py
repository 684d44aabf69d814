"""Draw the sensitivity of F1 to each weight and to the threshold."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cijie.paper.grid import Setting
from cijie.paper.tuning import Tuning
from cijie.pictures.figures import add_legend, new_figure
from cijie.similarity.features import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABELS = {
    "emb": r"$\lambda_\mathrm{emb}$ (context)",
    "glyph": r"$\lambda_\mathrm{glyph}$ (shape)",
    "pinyin": r"$\lambda_\mathrm{pinyin}$ (sound)",
    "pos": r"$\lambda_\mathrm{pos}$ (position)",
    "threshold": r"$\tau$ (threshold)",
}


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
