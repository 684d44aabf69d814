"""The agreement of annotators as tables, as plain values, and as a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from math import nan
from typing import Any

from cijie.errors import counted
from cijie.evaluation.tables import Cell, Column, Table
from cijie.gold.agreement import Agreement
from cijie.gold.sheets import versions_item
from cijie.gold.versions import Versions
from cijie.viewer.pages import render_page


def agreement_tables(agreement: Agreement) -> list[Table]:
    """The figures as tables: of all annotators, of each of them, of every two."""
    regions = agreement.regions.values()
    by_region = [f"{measure} {name}" for name in agreement.regions for measure in ("F1", "kappa")]
    overall = Table(
        "agreement",
        f"Agreement of {len(agreement.annotators)} annotators on boundaries; "
        f"{agreement.identical:,} of {counted(agreement.sentences, 'sentences')} alike",
        (Column("region"), Column("positions"), *_ratios(["pairwise F1", "alpha", "Fleiss"])),
        tuple(
            (name, region.positions, region.f1, region.alpha, region.kappa)
            for name, region in agreement.regions.items()
        ),
    )
    annotators = Table(
        "annotators",
        "Each annotator with the others, on average; Cohen's kappa",
        (Column("annotator"), Column("words"), *_ratios(by_region)),
        tuple(
            (name, work.words, *(x for region in regions for x in region.of_annotator(name)))
            for name, work in agreement.work.items()
        ),
    )
    couples: list[tuple[Cell, ...]] = [
        (
            " and ".join(couple),
            *(x for each in regions for x in (each.boundaries[couple].f1, each.kappas[couple])),
        )
        for couple in agreement.regions["all"].boundaries
    ]
    pairs = Table(
        "pairs",
        "Every two annotators; Cohen's kappa",
        (Column("annotators"), *_ratios(by_region)),
        tuple(couples),
    )
    has_effort = any(work.counted for work in agreement.work.values())
    return [overall, annotators, *([_effort(agreement)] if has_effort else []), pairs]


def _effort(agreement: Agreement) -> Table:
    formats = {"hours": ".2f", "median seconds": ".1f", "keys": ".1f", "clicks": ".1f"}
    return Table(
        "effort",
        "What sentences cost, where that was counted; seconds and keys are of one sentence",
        (
            Column("annotator"),
            Column("sentences"),
            *(Column(name, format) for name, format in formats.items()),
            Column("begun from"),
        ),
        tuple(
            (
                name,
                work.counted,
                work.seconds / 3600,
                work.median,
                work.keys / work.counted if work.counted else nan,
                work.clicks / work.counted if work.counted else nan,
                ", ".join(work.start),
            )
            for name, work in agreement.work.items()
        ),
    )


def _ratios(names: Iterable[str]) -> list[Column]:
    return [Column(name, ".4f") for name in names]


def agreement_record(agreement: Agreement) -> dict[str, Any]:
    """All figures as plain values, unrounded; what is not a number is NaN."""
    return {
        "signature": agreement.signature,
        "sentences": agreement.sentences,
        "identical": agreement.identical,
        "words": {name: work.words for name, work in agreement.work.items()},
        "work": {name: asdict(work) for name, work in agreement.work.items()},
        "regions": {
            name: {
                "positions": region.positions,
                "pairwise_f1": region.f1,
                "alpha": region.alpha,
                "fleiss_kappa": region.kappa,
                "pairs": [
                    {"a": a, "b": b, "f1": counts.f1, "cohen_kappa": region.kappas[a, b]}
                    | asdict(counts)
                    for (a, b), counts in region.boundaries.items()
                ],
            }
            for name, region in agreement.regions.items()
        },
    }


def agreement_page(agreement: Agreement, sentences: Sequence[Versions]) -> bytes:
    """The page of an agreement: its tables, and every sentence that is contested, side by side.

    Args:
        agreement: what `cijie.gold.agreement.agreement` measured.
        sentences: of what.
    """
    data: dict[str, Any] = {
        "annotators": agreement.annotators,
        "sentences": agreement.sentences,
        "signature": agreement.signature,
        "tables": [
            {
                "caption": table.caption,
                "heads": [column.name for column in table.columns],
                "rows": list(table.formatted()),
            }
            for table in agreement_tables(agreement)
        ],
        "items": [versions_item(each) for each in sentences if each.is_contested],
    }
    return render_page("agreement", data)
