"""The figure of the synthetic benchmark: F1 over the ratio of noise, and what noise takes away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cijie.noise.runs import TARGET_WORDS, ConditionResult, Series, series
from cijie.pictures.figures import add_legend, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LABELS = ("token F1 (micro average)", "minus that without noise")
_COLOURS = (
    *("#4d4d4d", "#0072b2", "#d55e00", "#009e73"),
    *("#cc79a7", "#000000", "#56b4e9", "#e69f00"),
)
# Told apart without colour, and where they coincide: marks are hollow, and of different sizes.
_STYLES: tuple[dict[str, Any], ...] = (
    {"marker": "o", "linestyle": ":", "markersize": 5},
    {"marker": "s", "linestyle": "--", "markersize": 7.5},
    {"marker": "^", "linestyle": "-", "markersize": 6},
    {"marker": "D", "linestyle": "-.", "markersize": 3.5},
    {"marker": "v", "linestyle": (0, (3, 1, 1, 1, 1, 1)), "markersize": 6},
    {"marker": "x", "linestyle": (0, (5, 1)), "markersize": 5},
    {"marker": "p", "linestyle": (0, (1, 1)), "markersize": 6},
    {"marker": "*", "linestyle": (0, (5, 1, 1, 1)), "markersize": 7},
)


def f1_figure(results: Sequence[ConditionResult]) -> Figure:
    """Token F1 over the ratio of noise, a curve for each method and segmenter.

    There is a column for each kind of target words. Where the condition without noise was run, a
    second row shows how much less F1 is than there, so that segmenters of different levels can be
    compared.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    found = series(results)
    targets = list(dict.fromkeys(each.target_words for each in found))
    segmenters = list(dict.fromkeys(each.segmenter for each in found))
    rows = 2 if all(each.clean for each in found) else 1
    # Two panels are as wide as a page of print, so that letters keep their size there.
    width = 3.3 * len(targets) if len(targets) > 1 else 4.2
    with new_figure(width, 0.6 + 2.5 * rows, letters=9) as figure:
        grid = figure.subplots(rows, len(targets), squeeze=False, sharex=True)
        columns = dict(zip(targets, grid.T, strict=True))
        for target, column in columns.items():
            column[0].set_title(TARGET_WORDS[target], fontsize="medium")
            column[-1].set_xlabel("noise (edits per 100 characters)")
        for each in found:
            colour = segmenters.index(each.segmenter) if len(segmenters) > 1 else None
            for axes, values in zip(columns[each.target_words], (each.f1, each.less), strict=False):
                _draw(axes, each, values, colour)
        for axes, label in zip(grid.T[0], _LABELS, strict=False):
            axes.set_ylabel(label)
        _, labels = grid[0, 0].get_legend_handles_labels()
        # A letter takes some .07 inches, and the line before a label as much as eight.
        room = int(width / 0.07 / (max(map(len, labels)) + 8))
        fitting = len(labels) if room >= len(labels) else max(1, min(room, len(segmenters)))
        add_legend(figure, grid[0, 0], fitting, handlelength=3)
    return figure


def _draw(
    axes: Axes, series: Series, values: Callable[[str], list[float]], colour: int | None
) -> None:
    """A curve for each method, in the colour of its segmenter, or else in one of its own."""
    ratios = [100 * result.ratio for result in series.results]
    for k, method in enumerate(series.methods):
        axes.plot(
            ratios,
            values(method),
            label=method if colour is None else f"{method}, {series.segmenter}",
            linewidth=1,
            markerfacecolor="none",
            color=_COLOURS[(k if colour is None else colour) % len(_COLOURS)],
            **_STYLES[k % len(_STYLES)],
        )
    axes.set_xticks(ratios)
    axes.grid(alpha=0.3)
