"""What `cijie reproduce` shows: the results as tables and figures, each beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from cijie.evaluation.comparison import Evaluation
from cijie.evaluation.report import comparison_tables, link_table
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Column, Table, render_tables
from cijie.noise.curves import f1_figure, f1_tables
from cijie.paper.ablation import TEST_COLUMNS, ablation_table, cells_of
from cijie.paper.claims import claims, claims_table
from cijie.paper.failures import example_figure, failure_tables
from cijie.paper.grid import Setting
from cijie.paper.reproduction import THE_PAPERS, Reproduction
from cijie.paper.sensitivity import sensitivity_figure
from cijie.paper.tuning import tuning_tables
from cijie.pictures.figures import Kind, draw


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Something to show; its title and how to read it stand in the template of the page.

    Args:
        name: names its files.
        tables: its tables.
        signature: everything that it depends on.
        pictures: its figure, if it has one, as the file of each kind.
    """

    name: str
    tables: Sequence[Table]
    signature: str
    pictures: Mapping[Kind, bytes]

    def files(self) -> dict[str, bytes]:
        """Its files by name: the tables, and the figure."""
        texts = {
            f"{self.name}.tsv": render_tables(self.tables, {}, self.signature, "tsv"),
            f"{self.name}.tex": render_tables(self.tables, {}, self.signature, "latex"),
        }
        return {
            **{name: text.encode() for name, text in texts.items()},
            **{f"{self.name}.{kind}": picture for kind, picture in self.pictures.items()},
        }


def exhibits(results: Reproduction, selection: Mapping[str, Any] | None = None) -> list[Exhibit]:
    """The results in the order of the paper.

    Args:
        results: the results.
        selection: how targets are chosen among corrections: the data card of `choose_targets`.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    tuning, synthetic = results.tuning, results.synthetic
    ibm_and_papers = results.readings[results.join_rule]
    scored, ibm, patterns, literal = (
        {table.name: table for table in comparison_tables(comparison)}
        for comparison in (results.comparison, ibm_and_papers, results.papers, results.literal)
    )
    tables: dict[str, Iterable[Table]] = {
        "claims": [claims_table(claims(results))],
        "benchmarks": [_benchmarks(results)],
        "selection": [_selection(selection)] if selection else [],
        "table-1": [scored["scores"], scored["differences"], scored["contested"]],
        "table-2": [ablation_table(results.ablation)],
        "table-3": [scored["errors"]],
        "links": [link_table(results.coverage)],
        "readings": [
            *_readings(results),
            *(replace(literal[x], name=f"literal-{x}") for x in ("scores", "differences")),
        ],
        "patterns": [patterns["patterns"], patterns["contested"]],
        "ibm": [ibm["scores"], ibm["differences"], ibm["errors"]],
        "tuning": [_tuned(results), *tuning_tables(tuning)],
        "synthetic": f1_tables(synthetic.results if synthetic else ()),
        "failures": failure_tables(results),
    }
    # These depend on something else than all the others.
    signatures = {"tuning": tuning.signature}
    figures = {"tuning": sensitivity_figure(tuning)}
    if selection:
        signatures["selection"] = selection["signature"]
    if synthetic:
        signatures["synthetic"] = synthetic.signature
        figures["synthetic"] = f1_figure(synthetic.results)
    pictures: dict[str, Mapping[Kind, bytes]] = {
        name: {kind: draw(figure, kind, signatures[name]) for kind in get_args(Kind)}
        for name, figure in figures.items()
    }
    pictures["failures"] = {"svg": example_figure(results.signature)}
    return [
        Exhibit(name, its, signatures.get(name, results.signature), pictures.get(name, {}))
        for name, its in ((name, list(its)) for name, its in tables.items())
        if its
    ]


def _benchmarks(results: Reproduction) -> Table:
    direct, cases = results.recoveries["D"].values(), results.cases
    rows: list[tuple[Cell, ...]] = [
        (
            "the learner benchmark",
            len(direct),
            "",
            results.coverage["P1"].source_characters,
            "",
            sum(len(each.target_segmentation) for each in direct),
        ),
        (
            "of them with gold",
            len(cases),
            "",
            sum(len(case.source) for case in cases),
            sum(len(case.segmentation) for case in cases),
            sum(len(case.target_segmentation) for case in cases),
        ),
    ]
    if results.synthetic:
        levels = {result.ratio for result in results.synthetic.results} - {0}
        row = "the synthetic benchmark", results.synthetic.sentences, len(levels), "", "", ""
        rows.append(row)
    names = (
        *("sentences of", "sentences", "levels of noise"),
        *("source characters", "gold source tokens", "target tokens"),
    )
    return Table(
        "benchmarks",
        "Sentences, characters and tokens",
        tuple(map(Column, names)),
        tuple(rows),
    )


def _selection(card: Mapping[str, Any]) -> Table:
    votes, automatic = card["votes"], card["chosen_by"]["automatic"]
    sentences = card["pairs"] + card["left_out"].get("sentences without a good correction", 0)
    rows: list[tuple[Cell, ...]] = [
        ("both rankings, which agree", automatic, ""),
        ("votes, where they disagree", sentences - automatic, ""),
    ]
    for kind in ("unanimous", "majority", "disputed"):
        count = getattr(votes, kind, "")
        rows.append((f"votes: {kind}", count, count / votes.sentences if votes else ""))
    rows.append(("votes: mean pairwise agreement", "", getattr(votes, "pairwise", "")))
    caption = "Targets by what decides for them" + ("" if votes else "; no votes were given")
    return Table(
        "selection",
        caption,
        (Column("decided by"), Column("sentences"), Column("share", ".1%")),
        tuple(rows),
    )


def _readings(results: Reproduction) -> list[Table]:
    """F1 and errors, and differences between systems, under each join rule."""
    readings = results.readings

    def heads(first: str, *columns: Column) -> tuple[Column, ...]:
        named = (replace(x, name=f"{x.name} ({rule})") for rule in readings for x in columns)
        return (Column(first), *named)

    scores = [
        (name, *(cell for each in readings.values() for cell in _scores(each.systems[name])))
        for name in (*THE_PAPERS, "IBM")
    ]
    tests = [
        (f"{a} vs {b}", *(cell for each in readings.values() for cell in _test(each.tests[a, b])))
        for a, b in readings[results.join_rule].tests
    ]
    return [
        Table(
            "readings",
            "Token F1 and errors under each join rule",
            heads("system", Column("F1", ".4f"), Column("over/under/drift")),
            tuple(scores),
        ),
        Table(
            "reading-tests",
            "Differences in token F1 under each join rule",
            heads("systems", Column("difference", "+.4f"), Column("p", ".4f")),
            tuple(tests),
        ),
    ]


def _scores(system: Evaluation) -> tuple[Cell, ...]:
    errors = system.errors
    return system.f1, f"{errors.over:,}/{errors.under:,}/{errors.drift:,}"


def _test(test: PairedTest) -> tuple[Cell, ...]:
    return test.difference, test.p_randomisation


def _tuned(results: Reproduction) -> Table:
    tuning, p2 = results.tuning, results.comparison.systems["P2"]
    rows: list[tuple[Cell, ...]] = [
        ("paper's setting", str(Setting()), p2.f1, *cells_of(None)),
        ("chosen, held out", "as below", tuning.held_out_f1, *cells_of(results.held_out)),
    ]
    for fold, k in enumerate(tuning.choices):
        f1 = float(tuning.fold_f1[k, fold])
        rows.append((f"without fold {fold + 1}", str(tuning.settings[k]), f1, *cells_of(None)))
    return Table(
        "tuned",
        "Token F1 of choosing a setting, and how it differs from the paper's setting; of the "
        "setting chosen without a fold, F1 in that fold",
        (Column(""), Column("setting"), Column("F1", ".4f"), *TEST_COLUMNS),
        tuple(rows),
    )
