"""A comparison as tables, and as plain values; and both as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, get_args

from cijie.evaluation.comparison import Comparison, Evaluation
from cijie.evaluation.coverage import Coverage
from cijie.evaluation.errors import ErrorKind
from cijie.evaluation.scores import Counts
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Column, Format, Table, render_tables


def render(comparison: Comparison, format: Format) -> str:
    """The whole comparison with its signature, in a format of `cijie evaluate`.

    Raises:
        ValueError: an unknown format.
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
            "token_patterns": dict(sorted(comparison.token_patterns.items(), reverse=True)),
            "sentence_patterns": dict(sorted(comparison.sentence_patterns.items(), reverse=True)),
            "contested": {
                "regions": comparison.contested_patterns.total(),
                "right": comparison.contested_right,
                "patterns": dict(sorted(comparison.contested_patterns.items(), reverse=True)),
            },
        }
    return record


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
            (
                f"{a} vs {b}",
                test.difference,
                test.low,
                test.high,
                test.p_randomisation,
                test.p_bootstrap,
                test.wins,
                test.losses,
                test.ties,
            )
            for (a, b), test in tests.items()
        ),
    )


def difference_records(tests: Mapping[tuple[str, str], PairedTest]) -> list[dict[str, Any]]:
    """The same as plain values."""
    return [{"a": a, "b": b, **asdict(test)} for (a, b), test in tests.items()]


def _scores(systems: Mapping[str, Evaluation]) -> Table:
    names = ("precision", "recall", "F1", "macro F1", "boundary F1", "sentence accuracy")
    return Table(
        "scores",
        "Token scores (micro average), and others",
        (Column("system"), *(Column(name, ".4f") for name in names)),
        tuple(
            (
                name,
                evaluation.precision,
                evaluation.recall,
                evaluation.f1,
                evaluation.scores.macro_f1,
                evaluation.scores.boundaries.f1,
                evaluation.scores.sentence_accuracy,
            )
            for name, evaluation in systems.items()
        ),
    )


def _errors(systems: Mapping[str, Evaluation]) -> Table:
    kinds: tuple[ErrorKind, ...] = get_args(ErrorKind)
    return Table(
        "errors",
        "Error regions",
        (
            Column("system"),
            *map(Column, kinds),
            Column("all"),
            *(Column(f"{kind} share", ".1%") for kind in kinds),
        ),
        tuple(
            (name, errors.over, errors.under, errors.drift, errors.total, *map(errors.share, kinds))
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
        (
            Column("pattern"),
            Column("gold tokens"),
            Column("contested regions"),
            Column("sentences"),
        ),
        tuple(
            (pattern, tokens[pattern], contested[pattern], sentences[pattern])
            for pattern in sorted(tokens | contested | sentences, reverse=True)
        ),
    )


def _with_links(comparison: Comparison) -> dict[str, Coverage]:
    return {name: coverage for name, coverage in comparison.coverage.items() if coverage.links}


def link_table(coverage: Mapping[str, Coverage]) -> Table:
    """How much systems have linked, and how many links are out of order."""
    shares = ("source coverage", "target coverage")
    counts = (
        *("anchors", "residual links", "crossing an anchor", "in sentences"),
        *("out of order", "sentences"),
    )
    return Table(
        "links",
        "Links; those out of order cross another link, of whatever kind",
        (
            Column("system"),
            *(Column(name, ".2%") for name in shares),
            *map(Column, counts),
        ),
        tuple(
            (
                name,
                links.source_coverage,
                links.target_coverage,
                links.anchors,
                links.residuals,
                links.crossings,
                links.crossed_pairs,
                links.out_of_order,
                links.out_of_order_pairs,
            )
            for name, links in coverage.items()
        ),
    )


def _evaluation_record(evaluation: Evaluation, coverage: Coverage | None) -> dict[str, Any]:
    scores, errors = evaluation.scores, evaluation.errors
    kinds: tuple[ErrorKind, ...] = get_args(ErrorKind)
    record: dict[str, Any] = {
        "tokens": _counts_record(scores.tokens),
        "boundaries": _counts_record(scores.boundaries),
        "macro_precision": scores.macro_precision,
        "macro_recall": scores.macro_recall,
        "macro_f1": scores.macro_f1,
        "sentences": scores.sentences,
        "exact": scores.exact,
        "sentence_accuracy": scores.sentence_accuracy,
        "errors": {
            kind: {"count": getattr(errors, kind), "share": errors.share(kind)} for kind in kinds
        },
    }
    if coverage:
        record["coverage"] = coverage.as_dict()
    return record


def _counts_record(counts: Counts) -> dict[str, Any]:
    scores = {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}
    return asdict(counts) | scores
