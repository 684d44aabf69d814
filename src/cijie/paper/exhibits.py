"""What `cijie reproduce` shows: the results as tables and figures, each beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from cijie.evaluation.report import comparison_tables, link_table
from cijie.evaluation.tables import Cell, Column, Table, render_tables
from cijie.noise.figures import f1_figure
from cijie.noise.runs import f1_tables
from cijie.paper import printed
from cijie.paper.ablation import TEST_COLUMNS, ablation_table, cells_of
from cijie.paper.claims import claims, claims_tables
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
        tables: its tables, each with the one of the paper that belongs beside it, if any.
        signature: everything that it depends on.
        pictures: its figure, if it has one, as the file of each kind.
    """

    name: str
    tables: Sequence[tuple[Table, Table | None]]
    signature: str
    pictures: Mapping[Kind, bytes]

    def files(self) -> dict[str, bytes]:
        """Its files by name: the run's own tables, without the paper's, and the figure."""
        ours = [table for table, _ in self.tables]
        texts = {
            f"{self.name}.tsv": render_tables(ours, {}, self.signature, "tsv"),
            f"{self.name}.tex": render_tables(ours, {}, self.signature, "latex"),
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
    scored, ibm, patterns = (
        {table.name: table for table in comparison_tables(comparison)}
        for comparison in (results.comparison, results.readings[results.join_rule], results.papers)
    )
    tables: dict[str, Sequence[tuple[Table, Table | None]]] = {
        "claims": [claims_tables(list(claims(results)))],
        "benchmarks": [(_benchmarks(results), printed.BENCHMARKS)],
        "selection": [(_selection(selection), printed.SELECTION)] if selection else [],
        "table-1": [
            (scored["scores"], printed.SCORES),
            (scored["differences"], printed.DIFFERENCES),
            (scored["contested"], None),
        ],
        "table-2": [(ablation_table(results.ablation), printed.ABLATION)],
        "table-3": [(scored["errors"], printed.ERRORS)],
        "links": [
            (link_table(results.coverage), printed.LINKS),
            (_crossing(results), printed.CROSSING),
        ],
        "readings": [
            (_readings(results), printed.READINGS),
            (_reading_tests(results), printed.DIFFERENCES),
        ],
        "patterns": [(patterns["patterns"], None), (patterns["contested"], None)],
        "ibm": [(ibm["scores"], printed.IBM), (ibm["differences"], None), (ibm["errors"], None)],
        "tuning": [(table, None) for table in (_tuned(results), *tuning_tables(tuning))],
        "synthetic": [(table, None) for table in f1_tables(synthetic.results if synthetic else ())],
        "failures": [(table, None) for table in failure_tables(results)],
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
        for name, its in tables.items()
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
    names = ("source characters", "gold source tokens", "target tokens")
    return Table(
        "benchmarks",
        "Sentences, characters and tokens",
        (*printed.BENCHMARKS.columns[:3], *map(Column, names)),
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
    return Table("selection", caption, printed.SELECTION.columns, tuple(rows))


def _crossing(results: Reproduction) -> Table:
    def share(part: int, whole: int) -> Cell:
        return part / whole if whole else ""

    return Table(
        "crossing",
        "Links that cross an anchor, as a share of others",
        printed.CROSSING.columns,
        tuple(
            (
                name,
                share(links.crossings, links.residuals),
                share(links.crossings, links.source_characters),
                share(links.crossings, links.links),
            )
            for name, links in results.coverage.items()
            if links.anchors
        ),
    )


def _readings(results: Reproduction) -> Table:
    """F1 and errors under each join rule."""
    rows: list[tuple[Cell, ...]] = []
    for name in (*THE_PAPERS, "IBM"):
        row: list[Cell] = [name]
        for comparison in results.readings.values():
            system = comparison.systems[name]
            errors = system.errors
            row += [system.f1, f"{errors.over:,}/{errors.under:,}/{errors.drift:,}"]
        rows.append(tuple(row))
    heads = [
        column
        for rule in results.readings
        for column in (Column(f"F1 ({rule})", ".4f"), Column(f"over/under/drift ({rule})"))
    ]
    caption = "Token F1 and errors under each join rule"
    return Table("readings", caption, (Column("system"), *heads), tuple(rows))


def _reading_tests(results: Reproduction) -> Table:
    """Differences between systems under each join rule."""
    pairs = next(iter(results.readings.values())).tests
    rows: list[tuple[Cell, ...]] = []
    for a, b in pairs:
        tests = [comparison.tests[a, b] for comparison in results.readings.values()]
        cells = [cell for test in tests for cell in (test.difference, test.p_randomisation)]
        rows.append((f"{a} vs {b}", *cells))
    heads = [
        column
        for rule in results.readings
        for column in (Column(f"difference ({rule})", "+.4f"), Column(f"p ({rule})", ".4f"))
    ]
    caption = "Differences in token F1 under each join rule"
    return Table("reading-tests", caption, (Column("systems"), *heads), tuple(rows))


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
