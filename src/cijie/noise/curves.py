"""Report F1 over the ratio of noise, and its loss: as tables, plain values and a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cijie.evaluation.report import comparison_record, differences_table
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
"""The display names of the kinds of target words."""

_LABELS = ("token F1", "loss against clean text")
# Distinct without colour, and where curves coincide: markers are hollow and differ in size.
_STYLES: Sequence[tuple[str, str, Any, float]] = (
    ("#4d4d4d", "o", ":", 5),
    ("#0072b2", "s", "--", 7.5),
    ("#d55e00", "^", "-", 6),
    ("#009e73", "D", "-.", 3.5),
    ("#cc79a7", "v", (0, (3, 1, 1, 1, 1, 1)), 6),
    ("#000000", "x", (0, (5, 1)), 5),
    ("#56b4e9", "p", (0, (1, 1)), 6),
    ("#e69f00", "*", (0, (5, 1, 1, 1)), 7),
)


@dataclass(frozen=True, slots=True)
class Series:
    """Results that differ only in their condition.

    Attributes:
        target_words: the origin of the projected target words.
        results: the systems on each condition.
    """

    target_words: TargetWords
    results: Sequence[ConditionResult]

    @property
    def systems(self) -> list[str]:
        """The names of the systems."""
        return list(self.results[0].comparison.systems)

    @property
    def clean(self) -> ConditionResult | None:
        """The result on the condition without noise, if there is one."""
        return next((result for result in self.results if result.ratio == 0), None)

    def f1(self, system: str) -> list[float]:
        """Return the micro token F1 of a system on each condition."""
        return [result.f1(system) for result in self.results]

    def less(self, system: str) -> list[float]:
        """Return F1 minus F1 without noise; requires a condition without noise."""
        assert self.clean
        clean = self.clean.f1(system)
        return [f1 - clean for f1 in self.f1(system)]


def series(results: Iterable[ConditionResult]) -> list[Series]:
    """Group results by target words, gold first."""
    found: dict[TargetWords, list[ConditionResult]] = {"gold": [], "auto": []}
    for result in results:
        found[result.target_words].append(result)
    return [Series(words, chosen) for words, chosen in found.items() if chosen]


def f1_tables(results: Iterable[ConditionResult]) -> Iterator[Table]:
    """Yield tables of F1 by condition for each kind of target words, and of the loss by noise.

    The loss needs a condition without noise. It is the difference from F1 without noise; a further
    table gives, for the highest noise, the level, the loss and the share of the level kept, and
    another one the differences between systems there.
    """
    for each in series(results):
        words, noisy = each.target_words, [result for result in each.results if result.ratio > 0]
        shown = [("f1", "Token F1", ".4f", each.f1, each.results)]
        if each.clean:
            shown.append(("loss", "Loss of token F1 against clean text", "+.4f", each.less, noisy))
        for name, caption, format, values, conditions in shown:
            rows = zip(each.results, *map(values, each.systems), strict=True)
            yield Table(
                f"{name}-{words}",
                f"{caption}, {TARGET_WORDS[words]}",
                (Column("condition"), *(Column(system, format) for system in each.systems)),
                tuple((its.condition, *cells) for its, *cells in rows if its in conditions),
            )
        if each.clean and noisy:
            most = max(noisy, key=lambda result: result.ratio)
            yield _robustness(each, each.clean, most)
            if most.comparison.tests:
                tests = differences_table(most.comparison.tests, f"token F1 at {most.condition}")
                yield replace(tests, name=f"differences-{words}")


def _robustness(its: Series, clean: ConditionResult, most: ConditionResult) -> Table:
    """Level and loss of each system."""
    names = (
        f"{which}{each.condition}" for each in (clean, most) for which in ("", "low ", "high ")
    )
    rows = [
        (
            *(system, clean.f1(system), *clean.interval(system)),
            *(most.f1(system), *most.interval(system)),
            *(most.f1(system) - clean.f1(system), most.f1(system) / (clean.f1(system) or 1)),
        )
        for system in its.systems
    ]
    return Table(
        f"robustness-{its.target_words}",
        f"Token F1 with {_band(its)}, loss, and share of the level that is kept, "
        f"{TARGET_WORDS[its.target_words]}",
        (
            *(Column("system"), *(Column(name, ".4f") for name in names)),
            *(Column("loss", "+.4f"), Column("kept", ".1%")),
        ),
        tuple(rows),
    )


def _band(its: Series) -> str:
    seeds = len(its.results[0].seeds)
    return f"the lowest and highest of {seeds} seeds" if seeds else "95% intervals"


def render_results(results: Sequence[ConditionResult], signature: str, format: Format) -> str:
    """Render the tables of `f1_tables`, or for JSON all values of each condition."""
    record = {
        "signature": signature,
        "results": [
            {
                "condition": result.condition,
                "ratio": result.ratio,
                "target_words": result.target_words,
                **comparison_record(result.comparison),
            }
            for result in results
        ],
    }
    return render_tables(list(f1_tables(results)), record, signature, format)


def f1_figure(results: Iterable[ConditionResult]) -> Figure:
    """Draw token F1 over the ratio of noise, a curve per system.

    The band around a curve is the 95 % interval or, with several seeds, the range over seeds. There
    is a column for each kind of target words. If the condition without noise was run, a second row
    shows the loss against it, so that systems of different levels can be compared.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    found = series(results)
    rows = 2 if all(each.clean for each in found) else 1
    # Two panels have the width of a printed page, so that letters keep their size.
    width = 3.3 * len(found) if len(found) > 1 else 4.2
    with new_figure(width, 0.6 + 2.5 * rows, letters=9) as figure:
        grid = figure.subplots(rows, len(found), squeeze=False, sharex=True)
        for each, column in zip(found, grid.T, strict=True):
            column[0].set_title(TARGET_WORDS[each.target_words], fontsize="medium")
            column[-1].set_xlabel("noise (edits per 100 characters)")
            for axes, values in zip(column, (each.f1, each.less), strict=False):
                _draw(axes, each, values)
        for axes, label in zip(grid.T[0], _LABELS, strict=False):
            axes.set_ylabel(label)
        _, labels = grid[0, 0].get_legend_handles_labels()
        # A letter takes about .07 inches, and the line before a label as much as eight letters.
        room = int(width / 0.07 / (max(map(len, labels)) + 8))
        add_legend(figure, grid[0, 0], max(1, min(room, len(labels))), handlelength=3)
    return figure


def _draw(axes: Axes, its: Series, values: Callable[[str], list[float]]) -> None:
    """Draw a curve per system; curves of F1 have a band for the interval."""
    ratios = [100 * result.ratio for result in its.results]
    for k, system in enumerate(its.systems):
        colour, _, line, _ = _STYLES[k % len(_STYLES)]
        _, marker, _, size = _STYLES[(k + k // len(_STYLES)) % len(_STYLES)]
        style: dict[str, Any] = {
            "linewidth": 1,
            "markerfacecolor": "none",
            "markersize": size,
            "label": system,
        }
        axes.plot(ratios, values(system), color=colour, linestyle=line, marker=marker, **style)
        if values == its.f1:
            low, high = zip(*(result.interval(system) for result in its.results), strict=True)
            axes.fill_between(ratios, low, high, color=colour, alpha=0.12, linewidth=0)
    axes.set_xticks(ratios)
    axes.grid(alpha=0.3)
