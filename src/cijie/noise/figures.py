"""The figure of the synthetic benchmark: F1 over the ratio of noise, and what noise takes away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cijie.extras import library
from cijie.noise.runs import TARGET_WORDS, ConditionResult, clean, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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
    library("matplotlib", "figures")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    found = series(results)
    targets = list(dict.fromkeys(target for target, _ in found))
    segmenters = list(dict.fromkeys(segmenter for _, segmenter in found))
    rows = 2 if all(map(clean, found.values())) else 1
    with mpl.rc_context({"font.size": 9}):
        # Two panels are as wide as a page of print, so that letters keep their size there.
        width = 3.3 * len(targets) if len(targets) > 1 else 4.2
        figure = Figure(figsize=(width, 0.6 + 2.5 * rows))
        figure.set_layout_engine("constrained")
        grid = figure.subplots(rows, len(targets), squeeze=False, sharex=True)
        for column, target in zip(grid.T, targets, strict=True):
            column[0].set_title(TARGET_WORDS[target], fontsize="medium")
            column[-1].set_xlabel("noise (edits per 100 characters)")
            for number, segmenter in enumerate(segmenters):
                chosen = found[target, segmenter]
                colour = number if len(segmenters) > 1 else None
                _draw(column[0], chosen, colour, lambda result, method: result.f1(method))
                if rows > 1:
                    _draw(column[1], chosen, colour, _drop_from(chosen))
        grid[0, 0].set_ylabel("token F1 (micro average)")
        if rows > 1:
            grid[1, 0].set_ylabel("minus that without noise")
        handles, labels = grid[0, 0].get_legend_handles_labels()
        # A letter takes some .07 inches, and the line before a label as much as eight.
        room = int(width / 0.07 / (max(map(len, labels)) + 8))
        columns = len(labels) if room >= len(labels) else max(1, min(room, len(segmenters)))
        figure.legend(
            handles,
            labels,
            loc="outside upper center",
            ncols=columns,
            frameon=False,
            handlelength=3,
        )
    return figure


def _drop_from(results: Sequence[ConditionResult]) -> Callable[[ConditionResult, str], float]:
    baseline = clean(results)
    assert baseline is not None
    return lambda result, method: result.f1(method) - baseline.f1(method)


def _draw(
    axes: Axes,
    results: Sequence[ConditionResult],
    colour: int | None,
    value: Callable[[ConditionResult, str], float],
) -> None:
    """A curve for each method, in the colour of its segmenter, or else in one of its own."""
    ratios = [100 * result.ratio for result in results]
    for k, method in enumerate(results[0].comparison.systems):
        axes.plot(
            ratios,
            [value(result, method) for result in results],
            label=method if colour is None else f"{method}, {results[0].segmenter}",
            linewidth=1,
            markerfacecolor="none",
            color=_COLOURS[(k if colour is None else colour) % len(_COLOURS)],
            **_STYLES[k % len(_STYLES)],
        )
    axes.set_xticks(ratios)
    axes.grid(alpha=0.3)
