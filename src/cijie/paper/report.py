"""Results of experiments as tables, and as plain values; and both as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from cijie.evaluation.tables import Cell, Column, Format, Table, render_tables
from cijie.paper.ablation import Ablation
from cijie.paper.grid import Setting
from cijie.paper.tuning import Tuning

_TOP = 10


def render_tuning(tuning: Tuning, format: Format) -> str:
    """The chosen setting, those next to it, and the distribution over all settings."""
    record = {
        "signature": tuning.signature,
        "best": _setting_record(tuning, tuning.best),
        "held_out_f1": tuning.held_out_f1,
        "settings": [_setting_record(tuning, k) for k in tuning.ranking],
    }
    return render_tables(tuning_tables(tuning), record, tuning.signature, format)


def render_ablation(results: Sequence[Ablation], signature: str, format: Format) -> str:
    """F1 without each feature, and whether that differs from P2 as a whole."""
    record = {"signature": signature, "settings": [asdict(result) for result in results]}
    return render_tables([ablation_table(results)], record, signature, format)


def tuning_tables(tuning: Tuning) -> list[Table]:
    """The best settings, with the paper's; and the distribution over all settings."""
    return [_ranking(tuning), _distribution(tuning)]


def ablation_table(results: Sequence[Ablation]) -> Table:
    """F1 without each feature, and its effect."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        name = "P2" if result.removed is None else f"- {result.removed}"
        test = result.test
        rows.append(
            (name, result.f1, "", "", "", "")
            if test is None
            else (name, result.f1, test.difference, test.low, test.high, test.p_randomisation)
        )
    columns = (
        Column("setting", "s"),
        Column("F1", ".4f"),
        Column("effect", "+.4f"),
        Column("low", "+.4f"),
        Column("high", "+.4f"),
        Column("p", ".4f"),
    )
    caption = "Token F1 of P2 without each feature; effect of the feature, 95 % interval, p"
    return Table("ablation", caption, columns, tuple(rows))


def setting_lines(tuning: Tuning) -> Iterator[str]:
    """All settings, best first, as lines of tab-separated values with a head."""
    folds = tuning.counts.shape[1]
    names = [*asdict(tuning.settings[0].weights), "threshold", "mean_f1", "f1"]
    yield "\t".join([*names, *(f"fold_{fold}" for fold in range(1, folds + 1))])
    for k in tuning.ranking:
        setting = tuning.settings[k]
        numbers = [*asdict(setting.weights).values(), setting.threshold]
        scores = [tuning.mean_f1[k], tuning.f1[k], *tuning.fold_f1[k]]
        yield "\t".join([*(f"{x:g}" for x in numbers), *(f"{x:.6f}" for x in scores)])


def _setting_record(tuning: Tuning, k: int) -> dict[str, Any]:
    return {
        **asdict(tuning.settings[k]),
        "mean_f1": float(tuning.mean_f1[k]),
        "f1": float(tuning.f1[k]),
        "fold_f1": tuning.fold_f1[k].tolist(),
    }


def _ranking(tuning: Tuning) -> Table:
    shown = list(enumerate(tuning.ranking[:_TOP], start=1))
    # The paper's setting is shown beside the best, whatever its rank.
    paper = next((k for k, setting in enumerate(tuning.settings) if setting == Setting()), None)
    if paper is not None and paper not in tuning.ranking[:_TOP]:
        shown.append((tuning.ranking.index(paper) + 1, paper))
    rows = tuple(
        (
            f"{rank}{' (paper)' if k == paper else ''}",
            str(tuning.settings[k]),
            tuning.mean_f1[k].item(),
            tuning.fold_f1[k].max().item(),
            tuning.f1[k].item(),
        )
        for rank, k in shown
    )
    columns = (
        Column("rank", "s"),
        Column("setting", "s"),
        Column("mean fold F1", ".4f"),
        Column("max fold F1", ".4f"),
        Column("F1", ".4f"),
    )
    caption = f"The best of {len(tuning.settings):,} settings, {tuning.counts.shape[1]} folds"
    return Table("settings", caption, columns, rows)


def _distribution(tuning: Tuning) -> Table:
    quantiles = {"minimum": 0.0, "quartile 1": 0.25, "median": 0.5, "quartile 3": 0.75, "best": 1.0}
    rows: list[tuple[Cell, ...]] = [
        (name, float(np.quantile(tuning.mean_f1, q))) for name, q in quantiles.items()
    ]
    # What the choice is worth on sentences that had no part in it.
    rows.append(("best, held out", tuning.held_out_f1))
    columns = Column("", "s"), Column("F1", ".4f")
    return Table("distribution", "Mean fold F1 over all settings", columns, tuple(rows))
