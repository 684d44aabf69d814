"""Measure the contribution of each feature: P2 without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from cijie.evaluation.counts import Counts
from cijie.evaluation.report import caution
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Column, Format, Table, render_tables
from cijie.paper.grid import Setting, SettingScorer

TEST_COLUMNS = (
    *(Column(name, "+.4f") for name in ("difference", "low", "high")),
    Column("p", ".4f"),
)


@dataclass(frozen=True, slots=True)
class Ablation:
    """P2 without one feature, compared with complete P2.

    Attributes:
        removed: the name of the weight; None for complete P2.
        f1: micro token F1.
        test: complete P2 against P2 without the feature; a positive difference is the
            contribution of the feature. None for complete P2.
    """

    removed: str | None
    f1: float
    test: PairedTest | None


def ablate(
    scorer: SettingScorer, setting: Setting, *, trials: int = 10_000, seed: int = 0
) -> list[Ablation]:
    """Remove each feature in turn; complete P2 comes first.

    A feature is removed by setting its weight to 0. The other weights are unchanged, as in the
    paper: where their sum cannot exceed the threshold, only the anchors remain.

    Args:
        scorer: scores sentence pairs with gold.
        setting: the weights and the threshold of complete P2.
        trials: the number of trials of the significance tests.
        seed: the seed of the significance tests.
    """
    whole = scorer.under(setting)
    results = [Ablation(None, sum(whole, Counts()).f1, None)]
    for name in asdict(setting.weights):
        weights = replace(setting.weights, **{name: 0.0})
        without = scorer.under(replace(setting, weights=weights))
        test = PairedTest.of(Counter(zip(whole, without, strict=True)), trials=trials, seed=seed)
        results.append(Ablation(name, sum(without, Counts()).f1, test))
    return results


def ablation_table(results: Sequence[Ablation]) -> Table:
    """Build the table of F1 without each feature, and of the feature's effect."""
    return Table(
        "ablation",
        "Token F1 of P2 without each feature; effect of the feature, 95 % interval, p",
        (Column("setting", "s"), Column("F1", ".4f"), Column("effect", "+.4f"), *TEST_COLUMNS[1:]),
        tuple(
            (f"- {each.removed}" if each.removed else "P2", each.f1, *cells_of(each.test))
            for each in results
        ),
        caution(each.test for each in results if each.test),
    )


def render_ablation(results: Sequence[Ablation], signature: str, format: Format) -> str:
    """Render F1 without each feature, and its difference from complete P2.

    Args:
        results: the results of `ablate`.
        signature: everything that the results depend on.
        format: one of `FORMATS`.
    """
    record = {"signature": signature, "settings": [asdict(result) for result in results]}
    return render_tables([ablation_table(results)], record, signature, format)


def cells_of(test: PairedTest | None) -> tuple[Cell, ...]:
    """Return the cells of a test for `TEST_COLUMNS`; empty cells without a test."""
    if test is None:
        return ("",) * len(TEST_COLUMNS)
    return test.difference, test.low, test.high, test.p_randomisation
