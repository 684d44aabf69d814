"""The figure of the synthetic benchmark: F1 over the ratio of noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args

from cijie.extras import library
from cijie.noise.runs import Result, TargetWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TITLES: Mapping[TargetWords, str] = {
    "gold": "gold target words",
    "auto": "automatic target words",
}
# Told apart without colour, and where they coincide: marks are hollow and get smaller.
_STYLES: tuple[dict[str, Any], ...] = (
    {"color": "#4d4d4d", "marker": "o", "linestyle": ":", "markersize": 5},
    {"color": "#0072b2", "marker": "s", "linestyle": "--", "markersize": 7.5},
    {"color": "#d55e00", "marker": "^", "linestyle": "-", "markersize": 6},
    {"color": "#009e73", "marker": "D", "linestyle": "-.", "markersize": 3.5},
    {"color": "#cc79a7", "marker": "v", "linestyle": (0, (3, 1, 1, 1, 1, 1)), "markersize": 6},
    {"color": "#000000", "marker": "x", "linestyle": (0, (5, 1)), "markersize": 5},
    {"color": "#56b4e9", "marker": "p", "linestyle": (0, (1, 1)), "markersize": 6},
    {"color": "#e69f00", "marker": "*", "linestyle": (0, (5, 1, 1, 1)), "markersize": 7},
)


def f1_figure(results: Sequence[Result]) -> Figure:
    """Token F1 of each method over the ratio of noise, a panel for each kind of target words.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    library("matplotlib", "figures")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    panels = {
        target: chosen
        for target in get_args(TargetWords)
        if (chosen := [result for result in results if result.target_words == target])
    }
    with mpl.rc_context({"font.size": 9}):
        # Two panels are as wide as a page of print, so that letters keep their size there.
        figure = Figure(figsize=(3.3 * len(panels) if len(panels) > 1 else 4.2, 3.2))
        figure.set_layout_engine("constrained")
        grid = figure.subplots(1, len(panels), squeeze=False)
        for axes, (target, chosen) in zip(grid[0], panels.items(), strict=True):
            _panel(axes, chosen)
            axes.set_title(_TITLES[target], fontsize="medium")
            axes.set_xlabel("noise (edits per 100 characters)")
        grid[0, 0].set_ylabel("token F1 (micro average)")
        handles, labels = grid[0, 0].get_legend_handles_labels()
        columns = len(labels) if sum(map(len, labels)) < 20 * len(panels) else 1
        figure.legend(
            handles,
            labels,
            loc="outside upper center",
            ncols=columns,
            frameon=False,
            handlelength=3,
        )
    return figure


def _panel(axes: Axes, results: Sequence[Result]) -> None:
    ratios = [100 * result.ratio for result in results]
    for k, name in enumerate(results[0].comparison.systems):
        f1 = [result.comparison.systems[name].f1 for result in results]
        style = _STYLES[k % len(_STYLES)]
        axes.plot(ratios, f1, label=name, linewidth=1, markerfacecolor="none", **style)
    axes.set_xticks(ratios)
    axes.grid(alpha=0.3)
