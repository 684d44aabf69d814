"""The figure of tuning: how F1 depends on each weight and on the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cijie.paper.grid import Setting
from cijie.paper.tuning import Tuning
from cijie.pictures.figures import add_legend, new_figure

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


def sensitivity_figure(tuning: Tuning) -> Figure:
    """How mean fold F1 depends on each weight and on the threshold, one panel each.

    For each value: the mean over all settings that have it, the band of the middle half of them,
    and the best of them; and where the chosen and the paper's setting lie.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    settings = tuning.settings
    # As wide as a page of print, so that letters keep their size there.
    with new_figure(7, 2.3, letters=8) as figure:
        panels = figure.subplots(1, len(_LABELS), sharey=True)
        for axes, (name, label) in zip(panels, _LABELS.items(), strict=True):
            values = np.array([_value(setting, name) for setting in settings])
            _panel(axes, values, tuning.mean_f1)
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


def _panel(axes: Axes, values: np.ndarray, f1: np.ndarray) -> None:
    at = np.unique(values)
    groups = [f1[values == value] for value in at]
    low, high = (np.array([np.quantile(group, q) for group in groups]) for q in (0.25, 0.75))
    mean, maximum = ([float(each(group)) for group in groups] for each in (np.mean, np.max))
    axes.fill_between(at, low, high, color="0.85", label="middle half of the settings")
    axes.plot(at, mean, color="0.25", lw=1, marker="o", ms=2.5, label="mean")
    axes.plot(at, maximum, color="#0072b2", lw=1, ls="--", marker="^", ms=3.5, label="maximum")
    ticks = [at[0], (at[0] + at[-1]) / 2, at[-1]]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.grid(alpha=0.3)
