"""Report the agreement of annotators as tables, as plain values or as a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from itertools import chain, combinations
from math import isnan, nan
from typing import Any

from cijie.errors import counted
from cijie.evaluation.tables import Column, Table
from cijie.gold.adjudication import by_contest
from cijie.gold.agreement import Agreement, Work
from cijie.gold.sheets import versions_item
from cijie.gold.versions import Versions
from cijie.viewer.pages import render_page


def agreement_tables(agreement: Agreement) -> list[Table]:
    """Build the tables: all annotators together, each annotator, and each pair."""
    work, regions = agreement.work, agreement.regions.values()
    identical = f"{agreement.identical:,} of {counted(agreement.sentences, 'sentences')} identical"
    by_region = [f"{measure} {name}" for name in agreement.regions for measure in ("F1", "kappa")]
    couples = combinations(work, 2)
    overall = Table(
        "agreement",
        f"Agreement of {len(work)} annotators on boundaries; {identical}",
        (Column("region"), Column("positions"), *_ratios(["pairwise F1", "alpha", "Fleiss"])),
        tuple(
            (name, region.positions, region.pairwise_f1, region.alpha, region.fleiss_kappa)
            for name, region in agreement.regions.items()
        ),
        "-: not defined, because there is no position, or all always give the same answer"
        if any(isnan(region.alpha) for region in regions)
        else "",
    )
    annotators = Table(
        "annotators",
        "Each annotator with the others, on average; Cohen's kappa",
        (Column("annotator"), Column("words"), *_ratios(by_region)),
        tuple(
            (name, work[name].words, *chain(*(region.of_annotator(name) for region in regions)))
            for name in work
        ),
    )
    pairs = Table(
        "pairs",
        "Each pair of annotators; Cohen's kappa",
        (Column("annotators"), *_ratios(by_region)),
        tuple(
            (f"{a} and {b}", *chain(*((pair.f1, pair.cohen_kappa) for pair in same)))
            for (a, b), *same in zip(couples, *(region.pairs for region in regions), strict=True)
        ),
    )
    has_effort = any(each.counted for each in work.values())
    return [overall, annotators, *([_effort(work)] if has_effort else []), pairs]


def _effort(work: Mapping[str, Work]) -> Table:
    costs = (Column(name, ".1f") for name in ("median seconds", "keys", "clicks"))
    return Table(
        "effort",
        "Effort, where recorded; median seconds, keys and clicks are per sentence",
        (
            Column("annotator"),
            Column("sentences"),
            Column("hours", ".2f"),
            *costs,
            Column("started from"),
        ),
        tuple(
            (
                name,
                each.counted,
                each.seconds / 3600,
                each.median,
                each.keys / each.counted if each.counted else nan,
                each.clicks / each.counted if each.counted else nan,
                ", ".join(each.start),
            )
            for name, each in work.items()
        ),
    )


def _ratios(names: Iterable[str]) -> list[Column]:
    return [Column(name, ".4f") for name in names]


def agreement_record(agreement: Agreement) -> dict[str, Any]:
    """Return all figures as plain values for orjson: unrounded, NaN where undefined."""
    words = {name: work.words for name, work in agreement.work.items()}
    values = {each.name: getattr(agreement, each.name) for each in fields(agreement)}
    return {"signature": agreement.signature, "words": words} | values


def agreement_page(agreement: Agreement, sentences: Sequence[Versions]) -> bytes:
    """Render an agreement as a page: its tables, and all contested sentences side by side.

    Args:
        agreement: the result of `cijie.gold.agreement.agreement`.
        sentences: the sentences that it was measured on.
    """
    data: dict[str, Any] = {
        "annotators": list(agreement.work),
        "sentences": agreement.sentences,
        "signature": agreement.signature,
        "tables": [
            {
                "caption": "; ".join(filter(None, (table.caption, table.note))),
                "heads": [column.name for column in table.columns],
                "rows": list(table.formatted()),
            }
            for table in agreement_tables(agreement)
        ],
        "items": list(map(versions_item, by_contest(sentences)[1])),
    }
    return render_page("agreement", data)
