"""F1 over the ratio of noise, and what noise takes away: as tables, as plain values, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cijie.evaluation.report import comparison_record
from cijie.evaluation.tables import Column, Format, Table, render_tables
from cijie.noise.runs import ConditionResult, TargetWords
from cijie.pictures.figures import add_legend, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TARGET_WORDS: Mapping[TargetWords, str] = {
    "gold": "gold target words",
    "auto": "automatic target words",
}
"""What to call them where they are shown."""

_LABELS = ("token F1 (micro average)", "minus that without noise")
_COLOURS = (
    *("#4d4d4d", "#0072b2", "#d55e00", "#009e73"),
    *("#cc79a7", "#000000", "#56b4e9", "#e69f00"),
)
# Distinct without colour, and where they coincide: marks are hollow, and of different sizes.
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


@dataclass(frozen=True, slots=True)
class Series:
    """The results that differ in their condition alone.

    Attributes:
        target_words: whose words of the target were projected.
        segmenter: the name of the segmenter.
        results: the methods on each condition.
    """

    target_words: TargetWords
    segmenter: str
    results: Sequence[ConditionResult]

    @property
    def methods(self) -> list[str]:
        """The names of the methods."""
        return list(self.results[0].comparison.systems)

    @property
    def clean(self) -> ConditionResult | None:
        """The condition without noise, if there is one."""
        return next((result for result in self.results if result.ratio == 0), None)

    def f1(self, method: str) -> list[float]:
        """Micro token F1 of a method on each condition."""
        return [result.f1(method) for result in self.results]

    def less(self, method: str) -> list[float]:
        """The same minus that without noise, which must be there."""
        assert self.clean
        clean = self.clean.f1(method)
        return [f1 - clean for f1 in self.f1(method)]


def series(results: Iterable[ConditionResult]) -> list[Series]:
    """The results by target words, gold ones first, and segmenter."""
    found: dict[tuple[TargetWords, str], list[ConditionResult]] = {}
    for result in sorted(results, key=lambda each: each.target_words != "gold"):
        found.setdefault((result.target_words, result.segmenter), []).append(result)
    return [Series(*key, chosen) for key, chosen in found.items()]


def f1_tables(results: Sequence[ConditionResult]) -> Iterator[Table]:
    """F1 by condition, and how much less it is than without noise, if that was run.

    There is a table of each for each kind of target words and each segmenter.
    """
    found = series(results)
    several = len({each.segmenter for each in found}) > 1
    for each in found:
        name = f"{each.target_words}-{each.segmenter}" if several else each.target_words
        words = f"{TARGET_WORDS[each.target_words]}, segmenter {each.segmenter}"
        yield _table(f"f1-{name}", f"Token F1, {words}", each, each.f1, ".4f")
        if each.clean:
            caption = f"Token F1 minus that without noise, {words}"
            yield _table(f"drop-{name}", caption, each, each.less, "+.4f", but=each.clean)


def _table(
    name: str,
    caption: str,
    series: Series,
    values: Callable[[str], list[float]],
    format: str,
    *,
    but: ConditionResult | None = None,
) -> Table:
    columns = Column("condition"), *(Column(method, format) for method in series.methods)
    rows = zip(series.results, *map(values, series.methods), strict=True)
    return Table(
        name,
        caption,
        columns,
        tuple((result.condition, *cells) for result, *cells in rows if result is not but),
    )


def render_results(results: Sequence[ConditionResult], signature: str, format: Format) -> str:
    """Tables of F1, see `f1_tables`; for JSON, all values of each condition.

    Args:
        results: one for each condition.
        signature: everything that the results depend on.
        format: one of `FORMATS`.
    """
    record = {
        "signature": signature,
        "results": [
            {
                "condition": result.condition,
                "ratio": result.ratio,
                "segmenter": result.segmenter,
                "target_words": result.target_words,
                **comparison_record(result.comparison),
            }
            for result in results
        ],
    }
    return render_tables(list(f1_tables(results)), record, signature, format)


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
