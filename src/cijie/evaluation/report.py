"""Render a comparison as tables or as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple
from typing import Any

from cijie.evaluation.comparison import Comparison
from cijie.evaluation.counts import Coverage
from cijie.evaluation.regions import KINDS
from cijie.evaluation.significance import PairedTest, holm
from cijie.evaluation.statistics import Evaluation
from cijie.evaluation.tables import Column, Format, Table, render_tables

Tests = Mapping[tuple[str, str], PairedTest] | Mapping[tuple[str, str, str], PairedTest]
"""Tests by the names of both systems, or by these and the part of a sentence that is tested."""


def render(comparison: Comparison, format: Format) -> str:
    """Render the whole comparison with its signature, in a format of `cijie evaluate`.

    Raises:
        UsageError: the format is unknown.
    """
    tables = list(comparison_tables(comparison))
    record = comparison_record(comparison)
    return render_tables(tables, record, comparison.signature, format)


def comparison_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield the tables that `cijie evaluate` shows.

    Tables that compare systems are omitted for a single system, and link tables without links.
    """
    systems = comparison.systems
    yield Table.of(
        "scores",
        "Token scores (micro-averaged) and other scores",
        "system",
        systems,
        ("precision", ".4f", "precision"),
        ("recall", ".4f", "recall"),
        ("F1", ".4f", "f1"),
        ("macro F1", ".4f", "macro_f1"),
        ("boundary F1", ".4f", "boundaries.f1"),
        ("sentence accuracy", ".4f", "sentence_accuracy"),
    )
    yield Table(
        "errors",
        "Error regions",
        (
            *map(Column, ("system", *KINDS, "all")),
            *(Column(f"{kind} share", ".1%") for kind in KINDS),
        ),
        tuple(
            (name, *astuple(each.errors), each.errors.total, *map(each.errors.share, KINDS))
            for name, each in systems.items()
        ),
    )
    if comparison.tests:
        yield differences_table(comparison.tests, "token F1")
        yield from _outcomes(comparison)
    if links := {name: each.coverage for name, each in systems.items() if each.coverage.links}:
        yield link_table(links)


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as plain, unrounded values, written by `evaluate --format json`."""
    record: dict[str, Any] = {
        "signature": comparison.signature,
        "gold_left_out": comparison.gold_left_out,
        "systems": [
            {"name": name, **_evaluation_record(evaluation)}
            for name, evaluation in comparison.systems.items()
        ],
    }
    if comparison.tests:
        record |= {
            "differences": difference_records(comparison.tests),
            "token_patterns": _sorted(comparison.token_patterns),
            "sentence_patterns": _sorted(comparison.sentence_patterns),
            "contested": {
                "regions": comparison.contested_patterns.total(),
                "right": comparison.contested_right,
                "patterns": _sorted(comparison.contested_patterns),
            },
        }
    return record


def _evaluation_record(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "left_out": evaluation.left_out,
        "tokens": evaluation.tokens.as_record(),
        "boundaries": evaluation.boundaries.as_record(),
        "macro_precision": evaluation.macro_precision,
        "macro_recall": evaluation.macro_recall,
        "macro_f1": evaluation.macro_f1,
        "sentences": evaluation.sentences,
        "exact": evaluation.exact,
        "sentence_accuracy": evaluation.sentence_accuracy,
        "errors": {
            kind: {"count": count, "share": evaluation.errors.share(kind)}
            for kind, count in zip(KINDS, astuple(evaluation.errors), strict=True)
        },
        **({"coverage": evaluation.coverage.as_record()} if evaluation.coverage.links else {}),
    }


def _sorted(patterns: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(patterns.items(), reverse=True))


def differences_table(tests: Tests, score: str, name: str = "differences") -> Table:
    """Build the table of differences between the systems of each pair in the score `score`.

    Args:
        tests: the tests by the names of both systems; or by these and the part of the sentences'
            edits that is compared, and then with p corrected for their number.
        score: the score that is compared.
        name: the name of the table.
    """
    rows = [(" ".join([" vs ".join(key[:2]), *key[2:]]), test) for key, test in tests.items()]
    corrected = holm([test.p_randomisation for test in tests.values()])
    parts = name != "differences"
    return Table(
        name,
        f"Differences in {score}, with 95% interval; sentences won, lost, tied",
        (
            Column("systems"),
            *(Column(name, "+.4f") for name in ("difference", "low", "high")),
            *(Column(name, ".3g") for name in ("p (randomisation)", "p (bootstrap)")),
            *map(Column, ("won", "lost", "tied")),
            *[Column("p (Holm)", ".3g")] * parts,
        ),
        tuple(
            (row, *astuple(test)[:8], *[p] * parts)  # all but trials and seed
            for (row, test), p in zip(rows, corrected, strict=True)
        ),
        caution(tests.values()),
    )


def difference_records(tests: Tests, *names: str) -> list[dict[str, Any]]:
    """Return the differences between the systems of each pair as plain values.

    Args:
        tests: the tests; see `differences_table`.
        names: the name of the part, if there are parts.
    """
    records = [
        {**dict(zip(("a", "b", *names), key, strict=True)), **asdict(test), "caveats": test.caveats}
        for key, test in tests.items()
    ]
    if names:
        corrected = holm([test.p_randomisation for test in tests.values()])
        records = [{**x, "p_holm": p} for x, p in zip(records, corrected, strict=True)]
    return records


def caution(tests: Iterable[PairedTest]) -> str:
    """Return the caveats of tests as the note of a table; empty without caveats."""
    caveats = dict.fromkeys(each for test in tests for each in test.caveats)
    return f"caution: {'; '.join(caveats)}" if caveats else ""


def _outcomes(comparison: Comparison) -> Iterator[Table]:
    tokens, contested = comparison.token_patterns, comparison.contested_patterns
    sentences, regions = comparison.sentence_patterns, contested.total()
    yield Table(
        "contested",
        f"Contested regions, which the systems segment differently: {regions:,}",
        (Column("system"), Column("right"), Column("share", ".1%")),
        tuple(
            (name, right, right / regions if regions else 0.0)
            for name, right in comparison.contested_right.items()
        ),
    )
    yield Table(
        "patterns",
        f"Outcome patterns (g: right, b: wrong) of {', '.join(comparison.systems)}",
        tuple(map(Column, ("pattern", "gold tokens", "contested regions", "sentences"))),
        tuple(
            (pattern, tokens[pattern], contested[pattern], sentences[pattern])
            for pattern in sorted(tokens | contested | sentences, reverse=True)
        ),
    )


def link_table(coverage: Mapping[str, Coverage]) -> Table:
    """Build the table of link coverage and crossing links, as counts and shares."""
    return Table.of(
        "links",
        "Links, and residual links that cross an anchor (without anchors, another link)",
        "system",
        coverage,
        ("source coverage", ".2%", "source_coverage"),
        ("target coverage", ".2%", "target_coverage"),
        ("anchors", ",d", "anchors"),
        ("residual links", ",d", "residuals"),
        ("crossing", ",d", "crossings"),
        ("in sentences", ",d", "crossed_pairs"),
        ("of residual links", ".2%", "crossing_of_residuals"),
        ("of source characters", ".2%", "crossing_of_source"),
        ("of linked characters", ".2%", "crossing_of_linked"),
    )
