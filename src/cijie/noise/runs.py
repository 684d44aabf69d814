"""Run methods on the conditions of a synthetic benchmark, and show F1 over the ratio of noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import sha256
from itertools import chain, cycle
from operator import add, attrgetter
from typing import TYPE_CHECKING, Literal

from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.report import comparison_tables, differences_table
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Format, Table, render_tables
from cijie.noise.conditions import StoredCondition
from cijie.pictures.figures import add_legend, new_figure
from cijie.recovery.methods import RecoveryMethod
from cijie.recovery.recoverer import Recoverer, segment_pairs
from cijie.recovery.sentence import Recovery, Sentence
from cijie.segmenters import Segmenter

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TargetWords = Literal["gold", "auto"]
"""The origin of the projected target words: the corpus (gold), or the segmenter (auto)."""

TARGET_WORDS: Mapping[TargetWords, str] = {
    "gold": "gold target words",
    "auto": "automatic target words",
}
"""The display names of the kinds of target words."""

_COLOURS = ["#4d4d4d", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#e69f00"]
_MARKERS = "os^Dvxp"  # one fewer than colours, so that further curves have new pairs
_LINES = ":", "--", "-", "-."


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """The results of all systems on one condition.

    Attributes:
        condition: the name of the condition.
        ratio: the number of edits per character of the targets.
        target_words: the origin of the projected target words.
        comparison: the systems, by name, against gold and against one another.
        seeds: if it combines several seeds, the results of each.
    """

    condition: str
    ratio: float
    target_words: TargetWords
    comparison: Comparison
    seeds: Sequence[ConditionResult] = ()

    def f1(self, system: str) -> float:
        """Return the micro token F1 of a system."""
        return self.comparison.systems[system].f1

    def interval(self, system: str) -> tuple[float, float]:
        """Return the lowest and highest F1 of a system over seeds.

        For a single seed it is the 95 % interval, by a bootstrap over sentences with a thousand
        samples.
        """
        if self.seeds:
            of_seeds = [result.f1(system) for result in self.seeds]
            return min(of_seeds), max(of_seeds)
        # The difference from a system without words is F1 itself.
        counts = self.comparison.systems[system].histogram
        ratios = Counter({(each.f1_ratio, (0, each.gold)): n for each, n in counts.items()})
        test = PairedTest.of(ratios, trials=1_000, seed=self.comparison.seed)
        return test.low, test.high


def of_all_seeds(results: Iterable[ConditionResult]) -> list[ConditionResult]:
    """Combine results of the same condition and target words by adding up their counts."""
    groups: dict[tuple[str, str], list[ConditionResult]] = {}
    for result in results:
        groups.setdefault((result.condition, result.target_words), []).append(result)
    found = []
    for same in groups.values():
        combined = same[0]
        if len(same) > 1:
            total = reduce(add, (each.comparison for each in same))
            combined = replace(combined, comparison=total, seeds=tuple(same))
        found.append(combined)
    return found


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """Methods to run, with one or several segmenters.

    Args:
        segmenters: the segmenters of the sources, and for `"auto"` of the targets, by name.
        methods: the methods, by name.
        trials: the number of trials of the significance tests.
        seed: the seed of the significance tests.
    """

    segmenters: Mapping[str, Segmenter]
    methods: Mapping[str, RecoveryMethod]
    trials: int = 10_000
    seed: int = 0

    def systems(self, segmenter: str) -> dict[str, Recoverer]:
        """Return the methods with a segmenter, by name; with several segmenters, name both."""
        of = f", {segmenter}" if len(self.segmenters) > 1 else ""
        return {
            f"{name}{of}": Recoverer(self.segmenters[segmenter], method)
            for name, method in self.methods.items()
        }

    def signature(self, conditions: Sequence[StoredCondition]) -> str:
        """Return everything the results depend on: versions, benchmark, segmenters, methods."""
        digest = sha256("".join(condition.checksum for condition in conditions).encode())
        made_of = f"conditions:{len(conditions)}/{digest.hexdigest()[:12]}"
        systems = [
            f"[{name}]{recoverer.signature}"
            for segmenter in self.segmenters
            for name, recoverer in self.systems(segmenter).items()
        ]
        tests = f"trials:{self.trials}", f"seed:{self.seed}"
        return "|".join(["score:token-f1", "average:micro", made_of, *tests, *systems])

    def on(
        self, condition: StoredCondition, targets: Sequence[TargetWords]
    ) -> Iterator[ConditionResult]:
        """Run the methods on a condition, with all segmenters, once for each of `targets`.

        Raises:
            CijieError: the files of the condition cannot be read.
        """
        gold, read = condition.gold(), condition.pairs()
        pairs = {name: list(segment_pairs(each, read)) for name, each in self.segmenters.items()}
        for target in targets:
            systems: dict[str, Mapping[str, Recovery]] = {}
            for segmenter, given in pairs.items():
                words: Iterable[Recovery] = given
                if target == "auto":
                    alone = (Sentence(x.id, x.source, x.targets, initial=x.initial) for x in given)
                    words = list(segment_pairs(self.segmenters[segmenter], alone))
                for name, recoverer in self.systems(segmenter).items():
                    systems[name] = {each.id: each for each in recoverer.recover_all(words)}
            compared = compare(gold, systems, trials=self.trials, seed=self.seed)
            yield ConditionResult(condition.name, condition.ratio, target, compared)


def series(results: Sequence[ConditionResult]) -> dict[TargetWords, list[ConditionResult]]:
    """Group results that differ only in their condition by their target words, gold first."""
    groups = {words: [x for x in results if x.target_words == words] for words in TARGET_WORDS}
    return {words: its for words, its in groups.items() if its}


def f1_tables(results: Sequence[ConditionResult]) -> Iterator[Table]:
    """Yield tables of F1 by condition for each kind of target words, and of the loss by noise.

    The loss needs a condition without noise. For the highest noise a table gives the level, the
    difference from F1 without noise and the share of the level kept, and another one the
    differences between systems there.
    """
    for words, its in series(results).items():
        systems = its[0].comparison.systems
        yield Table(
            f"f1-{words}",
            f"Token F1, {TARGET_WORDS[words]}",
            "condition",
            dict.fromkeys(systems, ".4f"),
            [(each.condition, *map(each.f1, systems)) for each in its],
        )
        clean, most = (of(its, key=attrgetter("ratio")) for of in (min, max))
        if clean.ratio == 0 < most.ratio:
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
            *(most.f1(system) - clean.f1(system), most.f1(system) / (clean.f1(system) or 1)),
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
    tables = list(f1_tables(results))
    if format == "json":
        tables += [
            replace(table, name=f"{table.name}-{result.target_words}-{result.condition}")
            for result in results
            for table in comparison_tables(result.comparison)
        ]
    return render_tables(tables, signature, format)


def f1_figure(results: Sequence[ConditionResult]) -> Figure:
    """Draw token F1 over the ratio of noise, a curve per system.

    The band around a curve is the 95 % interval or, with several seeds, the range over seeds. There
    is a column for each kind of target words.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    found = series(results)
    # Two panels have the width of a printed page, so that letters keep their size.
    width = 3.3 * len(found) if len(found) > 1 else 4.2
    with new_figure(width, 3.1, letters=9) as figure:
        columns = figure.subplots(1, len(found), squeeze=False)[0]
        for (words, its), axes in zip(found.items(), columns, strict=True):
            axes.set_title(TARGET_WORDS[words], fontsize="medium")
            axes.set_xlabel("noise (edits per 100 characters)")
            _draw(axes, its)
        columns[0].set_ylabel("token F1")
        _, labels = columns[0].get_legend_handles_labels()
        # A letter takes about .07 inches, and the line before a label as much as eight letters.
        room = int(width / 0.07 / (max(map(len, labels)) + 8))
        add_legend(figure, columns[0], max(1, min(room, len(labels))), handlelength=3)
    return figure


def _draw(axes: Axes, its: Sequence[ConditionResult]) -> None:
    """Draw a curve per system, with a band for the interval; distinct without colour, too."""
    ratios = [100 * result.ratio for result in its]
    styles = zip(*map(cycle, (_COLOURS, _MARKERS, _LINES)), strict=False)
    for system, (colour, marker, line) in zip(its[0].comparison.systems, styles, strict=False):
        values = [result.f1(system) for result in its]
        style = {"color": colour, "marker": marker, "linestyle": line, "linewidth": 1}
        axes.plot(ratios, values, label=system, markersize=5, markerfacecolor="none", **style)
        low, high = zip(*(result.interval(system) for result in its), strict=True)
        axes.fill_between(ratios, low, high, color=colour, alpha=0.12, linewidth=0)
    axes.set_xticks(ratios)
    axes.grid(alpha=0.3)
