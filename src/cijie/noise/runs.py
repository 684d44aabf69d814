"""Methods run on the conditions of a synthetic benchmark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from cijie.errors import UsageError
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.report import comparison_record
from cijie.evaluation.tables import Column, Format, Table, render_tables
from cijie.noise.conditions import StoredCondition
from cijie.recovery.methods import RecoveryMethod
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.segmenting import segment_pairs
from cijie.recovery.sentence import Sentence
from cijie.segmenters import Segmenter

TargetWords = Literal["gold", "auto"]
"""Whose words of the target are projected: the corpus's own, or the segmenter's."""

TARGET_WORDS: Mapping[TargetWords, str] = {
    "gold": "gold target words",
    "auto": "automatic target words",
}
"""What to call them where they are shown."""


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """All methods over one segmenter on one condition.

    Attributes:
        condition: its name.
        ratio: edits / characters of the targets.
        segmenter: the name of the segmenter.
        target_words: whose words of the target were projected.
        comparison: the methods, by name, against gold and against one another.
    """

    condition: str
    ratio: float
    segmenter: str
    target_words: TargetWords
    comparison: Comparison

    def f1(self, method: str) -> float:
        """Micro token F1 of a method."""
        return self.comparison.systems[method].f1


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """Methods to run, over one segmenter or several.

    Args:
        segmenters: segment the sources, and for `"auto"` the targets.
        methods: the methods by name.
        trials: trials of the significance tests.
        seed: their seed.

    Raises:
        UsageError: no segmenter, or two of the same name.
    """

    segmenters: Sequence[Segmenter]
    methods: Mapping[str, RecoveryMethod]
    trials: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        names = [segmenter.name for segmenter in self.segmenters]
        if not names or len(set(names)) < len(names):
            raise UsageError(f"different segmenters are needed, not {', '.join(names) or 'none'}")

    def signature(self, conditions: Sequence[StoredCondition]) -> str:
        """Everything that the results depend on: versions, the benchmark, segmenters, methods."""
        digest = sha256("".join(condition.checksum for condition in conditions).encode())
        return "|".join(
            [
                "score:token-f1",
                "average:micro",
                f"conditions:{len(conditions)}/{digest.hexdigest()[:12]}",
                f"trials:{self.trials}",
                f"seed:{self.seed}",
                *(
                    f"[{name}]{Recoverer(segmenter, method).signature}"
                    for segmenter in self.segmenters
                    for name, method in self.methods.items()
                ),
            ]
        )

    def on(
        self, condition: StoredCondition, targets: Sequence[TargetWords]
    ) -> Iterator[ConditionResult]:
        """Run the methods on a condition, over each segmenter, once for each of `targets`.

        Raises:
            CijieError: the files of the condition cannot be read.
        """
        gold, read = condition.gold(), condition.pairs()
        for segmenter in self.segmenters:
            pairs = list(segment_pairs(segmenter, read))
            for target in targets:
                given = pairs
                if target == "auto":
                    alone = (Sentence(x.id, x.source, x.targets, initial=x.initial) for x in pairs)
                    given = list(segment_pairs(segmenter, alone))
                systems = {
                    name: {
                        each.id: each for each in Recoverer(segmenter, method).recover_all(given)
                    }
                    for name, method in self.methods.items()
                }
                compared = compare(gold, systems, trials=self.trials, seed=self.seed)
                yield ConditionResult(
                    condition.name, condition.ratio, segmenter.name, target, compared
                )


def render_results(results: Sequence[ConditionResult], signature: str, format: Format) -> str:
    """Tables of F1, see `f1_tables`; for JSON, all values of each condition."""
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
