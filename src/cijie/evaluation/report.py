"""Render a comparison as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple
from operator import attrgetter
from typing import Any

from cijie.evaluation.comparison import Comparison
from cijie.evaluation.counts import KINDS, Coverage, share
from cijie.evaluation.significance import PairedTest, holm
from cijie.evaluation.tables import Format, Table, render_tables

Tests = Mapping[tuple[str, str], PairedTest] | Mapping[tuple[str, str, str], PairedTest]
"""Tests by the names of both systems, or by these and the kind of edits that is tested."""


def render(comparison: Comparison, format: Format) -> str:
    """Render the whole comparison with its signature, in a format of `cijie evaluate`.

    Raises:
        UsageError: the format is unknown.
    """
    return render_tables(list(comparison_tables(comparison)), comparison.signature, format)


def comparison_tables(comparison: Comparison) -> Iterator[Table]:
    """Yield the tables that `cijie evaluate` shows.

    Tables that compare systems are omitted for a single system, and link tables without links.
    """
    systems = comparison.systems
    heads = "precision", "recall", "F1", "macro F1", "boundary F1", "sentence accuracy"
    scores = attrgetter(*heads[:2], "f1", "macro_f1", "boundaries.f1", "sentence_accuracy")
    yield Table(
        "scores",
        "Token scores (micro-averaged) and other scores",
        "system",
        dict.fromkeys(heads, ".4f"),
        [(name, *scores(each)) for name, each in systems.items()],
    )
    yield Table(
        "errors",
        "Error regions",
        "system",
        dict.fromkeys((*KINDS, "all"), ",d") | {f"{kind} share": ".1%" for kind in KINDS},
        [
            (name, *astuple(each.errors), each.errors.total, *map(each.errors.share, KINDS))
            for name, each in systems.items()
        ],
    )
    if comparison.tests:
        yield differences_table(comparison.tests, "token F1")
        contested, patterns = comparison.contested_patterns, comparison.sentence_patterns
        regions = contested.total()
        yield Table(
            "contested",
            f"Contested regions, which the systems segment differently: {regions:,}",
            "system",
            {"right": ",d", "share": ".1%"},
            [(name, n, share(n, regions)) for name, n in comparison.contested_right.items()],
        )
        of_tokens = comparison.token_patterns
        yield Table(
            "patterns",
            f"Outcome patterns (g: right, b: wrong) of {', '.join(systems)}",
            "pattern",
            dict.fromkeys(("gold tokens", "contested regions", "sentences"), ",d"),
            [
                (each, of_tokens[each], contested[each], patterns[each])
                for each in sorted(of_tokens | contested | patterns, reverse=True)
            ],
        )
    if links := {name: each.coverage for name, each in systems.items() if each.coverage.links}:
        yield link_table(links)


def differences_table(tests: Tests, score: str, name: str = "differences") -> Table:
    """Build the table of differences between the systems of each pair in the score `score`.

    Args:
        tests: the tests by the names of both systems; or by these and a kind of edits, and then p
            is also given as corrected for the number of tests.
        score: the score that is compared.
        name: the name of the table.
    """
    columns = dict.fromkeys(("difference", "low", "high"), "+.4f")
    columns |= dict.fromkeys(("p (randomisation)", "p (bootstrap)"), ".3g")
    columns |= dict.fromkeys(("won", "lost", "tied"), ",d")
    rows = [
        (" ".join([" vs ".join(key[:2]), *key[2:]]), *astuple(test)[:8])  # all but trials and seed
        for key, test in tests.items()
    ]
    if name != "differences":
        columns["p (Holm)"] = ".3g"
        corrected = holm([test.p_randomisation for test in tests.values()])
        rows = [(*row, p) for row, p in zip(rows, corrected, strict=True)]
    return Table(
        name,
        f"Differences in {score}, with 95% interval; sentences won, lost, tied",
        "systems",
        columns,
        rows,
        caution(tests.values()),
    )


def difference_records(tests: Tests) -> list[dict[str, Any]]:
    """Return the differences between the systems of each pair as plain values.

    `p_holm` is `p_randomisation`, corrected for the number of tests.
    """
    corrected = holm([test.p_randomisation for test in tests.values()])
    return [
        {**dict(zip(("a", "b", "type"), key, strict=False)), **asdict(test), "p_holm": p}
        for (key, test), p in zip(tests.items(), corrected, strict=True)
    ]


def caution(tests: Iterable[PairedTest]) -> str:
    """Return the caveats of tests as the note of a table; empty without caveats."""
    caveats = dict.fromkeys(each for test in tests for each in test.caveats)
    return f"caution: {'; '.join(caveats)}" if caveats else ""


def link_table(coverage: Mapping[str, Coverage]) -> Table:
    """Build the table of link coverage and crossing links, as counts and shares."""
    shares = "of residual links", "of source characters", "of linked characters"
    values = attrgetter(
        *("source_coverage", "target_coverage", "anchors", "residuals", "crossings"),
        *("crossed_pairs", "crossing_of_residuals", "crossing_of_source", "crossing_of_linked"),
    )
    return Table(
        "links",
        "Links, and residual links that cross an anchor (without anchors, another link)",
        "system",
        {
            **dict.fromkeys(("source coverage", "target coverage"), ".2%"),
            **dict.fromkeys(("anchors", "residual links", "crossing", "in sentences"), ",d"),
            **dict.fromkeys(shares, ".2%"),
        },
        [(name, *values(each)) for name, each in coverage.items()],
    )
