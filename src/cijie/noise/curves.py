"""Report F1 over the ratio of noise, and its loss: as tables, plain values and a figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from cijie.evaluation.report import comparison_record, differences_table
from cijie.evaluation.tables import Cell, Format, Table, render_tables
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


def series(results: Sequence[ConditionResult]) -> dict[TargetWords, list[ConditionResult]]:
    """Group results that differ only in their condition by their target words, gold first."""
    groups = {words: [x for x in results if x.target_words == words] for words in TARGET_WORDS}
    return {words: its for words, its in groups.items() if its}


def _clean(results: Iterable[ConditionResult]) -> ConditionResult | None:
    """Return the result on the condition without noise, if there is one."""
    return next((result for result in results if result.ratio == 0), None)


def f1_tables(results: Sequence[ConditionResult]) -> Iterator[Table]:
    """Yield tables of F1 by condition for each kind of target words, and of the loss by noise.

    The loss needs a condition without noise. It is the difference from F1 without noise; a further
    table gives, for the highest noise, the level, the loss and the share of the level kept, and
    another one the differences between systems there.
    """
    for words, its in series(results).items():
        systems, clean = its[0].comparison.systems, _clean(its)
        noisy = [result for result in its if result.ratio > 0]
        shown = [("f1", "Token F1", ".4f", its)]
        if clean:
            shown.append(("loss", "Loss of token F1 against clean text", "+.4f", noisy))
        for name, caption, format, conditions in shown:
            base = clean if name == "loss" else None
            yield Table(
                f"{name}-{words}",
                f"{caption}, {TARGET_WORDS[words]}",
                "condition",
                dict.fromkeys(systems, format),
                [(x.condition, *(x.f1(name, base) for name in systems)) for x in conditions],
            )
        if clean and noisy:
            most = max(noisy, key=lambda result: result.ratio)
            yield _robustness(its, clean, most)
            if most.comparison.tests:
                tests = differences_table(most.comparison.tests, f"token F1 at {most.condition}")
                yield replace(tests, name=f"differences-{words}")


def _robustness(
    its: Sequence[ConditionResult], clean: ConditionResult, most: ConditionResult
) -> Table:
    """Level and loss of each system."""
    levels, words = (clean, most), clean.target_words
    names = (f"{which}{each.condition}" for each in levels for which in ("", "low ", "high "))
    rows: list[tuple[Cell, ...]] = [
        (
            system,
            *chain(*((each.f1(system), *each.interval(system)) for each in levels)),
            *(most.f1(system, clean), most.f1(system) / (clean.f1(system) or 1)),
        )
        for system in clean.comparison.systems
    ]
    seeds = len(its[0].seeds)
    band = f"the lowest and highest of {seeds} seeds" if seeds else "95% intervals"
    return Table(
        f"robustness-{words}",
        f"Token F1 with {band}, loss, and share of the level that is kept, {TARGET_WORDS[words]}",
        "system",
        dict.fromkeys(names, ".4f") | {"loss": "+.4f", "kept": ".1%"},
        rows,
    )


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


def f1_figure(results: Sequence[ConditionResult]) -> Figure:
    """Draw token F1 over the ratio of noise, a curve per system.

    The band around a curve is the 95 % interval or, with several seeds, the range over seeds. There
    is a column for each kind of target words. If the condition without noise was run, a second row
    shows the loss against it, so that systems of different levels can be compared.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    found = series(results)
    rows = 2 if all(map(_clean, found.values())) else 1
    # Two panels have the width of a printed page, so that letters keep their size.
    width = 3.3 * len(found) if len(found) > 1 else 4.2
    with new_figure(width, 0.6 + 2.5 * rows, letters=9) as figure:
        grid = figure.subplots(rows, len(found), squeeze=False, sharex=True)
        for (words, its), column in zip(found.items(), grid.T, strict=True):
            column[0].set_title(TARGET_WORDS[words], fontsize="medium")
            column[-1].set_xlabel("noise (edits per 100 characters)")
            for axes, base in zip(column, (None, _clean(its)), strict=False):
                _draw(axes, its, base)
        for axes, label in zip(grid.T[0], _LABELS, strict=False):
            axes.set_ylabel(label)
        _, labels = grid[0, 0].get_legend_handles_labels()
        # A letter takes about .07 inches, and the line before a label as much as eight letters.
        room = int(width / 0.07 / (max(map(len, labels)) + 8))
        add_legend(figure, grid[0, 0], max(1, min(room, len(labels))), handlelength=3)
    return figure


def _draw(axes: Axes, its: Sequence[ConditionResult], base: ConditionResult | None) -> None:
    """Draw a curve per system, less the F1 of a base; curves of F1 have a band for the interval."""
    ratios = [100 * result.ratio for result in its]
    for k, system in enumerate(its[0].comparison.systems):
        colour, _, line, _ = _STYLES[k % len(_STYLES)]
        _, marker, _, size = _STYLES[(k + k // len(_STYLES)) % len(_STYLES)]
        style: dict[str, Any] = {"linestyle": line, "marker": marker, "markersize": size}
        style |= {"color": colour, "linewidth": 1, "markerfacecolor": "none"}
        values = [result.f1(system, base) for result in its]
        axes.plot(ratios, values, label=system, **style)
        if base is None:
            low, high = zip(*(result.interval(system) for result in its), strict=True)
            axes.fill_between(ratios, low, high, color=colour, alpha=0.12, linewidth=0)
    axes.set_xticks(ratios)
    axes.grid(alpha=0.3)
