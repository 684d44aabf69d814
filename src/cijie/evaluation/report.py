"""A comparison as tables, and as plain values; and both as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, astuple
from operator import attrgetter
from typing import Any

from cijie.evaluation.comparison import Comparison, Evaluation
from cijie.evaluation.counts import Counts, Coverage
from cijie.evaluation.regions import KINDS
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Column, Format, Table, render_tables

_Value = tuple[str, str, str]  # the head of a column, its format, and an attribute


def render(comparison: Comparison, format: Format) -> str:
    """The whole comparison with its signature, in a format of `cijie evaluate`.

    Raises:
        UsageError: an unknown format.
    """
    tables = list(comparison_tables(comparison))
    record = comparison_record(comparison)
    return render_tables(tables, record, comparison.signature, format)


def comparison_tables(comparison: Comparison) -> Iterator[Table]:
    """The tables that `cijie evaluate` shows.

    What concerns several systems is left out for a single one, and links where there are none.
    """
    systems = comparison.systems
    yield _scores(systems)
    yield _errors(systems)
    if comparison.tests:
        yield differences_table(comparison.tests, "token F1")
        yield _contested(comparison)
        yield _patterns(comparison)
    if coverage := _with_links(comparison):
        yield link_table(coverage)


def comparison_record(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain values, unrounded: what `cijie evaluate --format json` writes."""
    coverage = _with_links(comparison)
    record: dict[str, Any] = {
        "signature": comparison.signature,
        "gold_left_out": comparison.gold_left_out,
        "systems": [
            {"name": name, "left_out": comparison.left_out[name]}
            | _evaluation_record(evaluation, coverage.get(name))
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


def _sorted(patterns: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(patterns.items(), reverse=True))


def differences_table(tests: Mapping[tuple[str, str], PairedTest], score: str) -> Table:
    """How the systems of each pair compare; `score` says by what."""
    return Table(
        "differences",
        f"Differences in {score}, with 95% interval; sentences won, lost, tied",
        (
            Column("systems"),
            *(Column(name, "+.4f") for name in ("difference", "low", "high")),
            *(Column(name, ".3g") for name in ("p (randomisation)", "p (bootstrap)")),
            *map(Column, ("won", "lost", "tied")),
        ),
        tuple(
            (f"{a} vs {b}", *astuple(test)[:8])  # all but trials and seed
            for (a, b), test in tests.items()
        ),
    )


def difference_records(tests: Mapping[tuple[str, str], PairedTest]) -> list[dict[str, Any]]:
    """The same as plain values."""
    return [{"a": a, "b": b, **asdict(test)} for (a, b), test in tests.items()]


def _by_system(name: str, caption: str, values: Mapping[str, Any], *columns: _Value) -> Table:
    """A row for each system, of the named attributes of its value."""
    return Table(
        name,
        caption,
        (Column("system"), *(Column(head, format) for head, format, _ in columns)),
        tuple(
            (system, *(attrgetter(attribute)(value) for _, _, attribute in columns))
            for system, value in values.items()
        ),
    )


def _scores(systems: Mapping[str, Evaluation]) -> Table:
    return _by_system(
        "scores",
        "Token scores (micro average), and others",
        systems,
        ("precision", ".4f", "precision"),
        ("recall", ".4f", "recall"),
        ("F1", ".4f", "f1"),
        ("macro F1", ".4f", "macro_f1"),
        ("boundary F1", ".4f", "boundaries.f1"),
        ("sentence accuracy", ".4f", "sentence_accuracy"),
    )


def _errors(systems: Mapping[str, Evaluation]) -> Table:
    return Table(
        "errors",
        "Error regions",
        (
            Column("system"),
            *map(Column, (*KINDS, "all")),
            *(Column(f"{kind} share", ".1%") for kind in KINDS),
        ),
        tuple(
            (name, *astuple(errors), errors.total, *map(errors.share, KINDS))
            for name, errors in ((name, each.errors) for name, each in systems.items())
        ),
    )


def _contested(comparison: Comparison) -> Table:
    regions = comparison.contested_patterns.total()
    return Table(
        "contested",
        f"Contested regions, which the systems do not all cut alike: {regions:,}",
        (Column("system"), Column("right"), Column("share", ".1%")),
        tuple(
            (name, right, right / regions if regions else 0.0)
            for name, right in comparison.contested_right.items()
        ),
    )


def _patterns(comparison: Comparison) -> Table:
    tokens, contested = comparison.token_patterns, comparison.contested_patterns
    sentences = comparison.sentence_patterns
    return Table(
        "patterns",
        f"Outcome patterns (g: right, b: wrong) of {', '.join(comparison.systems)}",
        tuple(map(Column, ("pattern", "gold tokens", "contested regions", "sentences"))),
        tuple(
            (pattern, tokens[pattern], contested[pattern], sentences[pattern])
            for pattern in sorted(tokens | contested | sentences, reverse=True)
        ),
    )


def _with_links(comparison: Comparison) -> dict[str, Coverage]:
    return {name: coverage for name, coverage in comparison.coverage.items() if coverage.links}


def link_table(coverage: Mapping[str, Coverage]) -> Table:
    """How much systems have linked, and how many links cross, as a number and as shares."""
    return _by_system(
        "links",
        "Links; residual ones that cross an anchor (another link, without anchors), their shares",
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


def _evaluation_record(evaluation: Evaluation, coverage: Coverage | None) -> dict[str, Any]:
    return {
        "tokens": _counts_record(evaluation.tokens),
        "boundaries": _counts_record(evaluation.boundaries),
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
        **({"coverage": coverage.as_dict()} if coverage else {}),
    }


def _counts_record(counts: Counts) -> dict[str, Any]:
    scores = {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
    return asdict(counts) | scores
