"""Build the tables and figures that `cijie reproduce` shows, each beside the paper's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, get_args

from cijie.evaluation.report import comparison_tables, link_table
from cijie.evaluation.tables import Cell, Format, Table, render_tables
from cijie.noise.curves import f1_figure, f1_tables
from cijie.paper.claims import claims, claims_table
from cijie.paper.failures import example_figure, failure_tables
from cijie.paper.grid import Setting
from cijie.paper.reproduction import Reproduction
from cijie.paper.sensitivity import sensitivity_figure
from cijie.paper.tuning import TEST_COLUMNS, ablation_table, cells_of, tuning_tables
from cijie.pictures.figures import Kind, draw
from cijie.recovery.sentence import Recovery


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Tables and a figure on one subject; title and explanation are in the page's template.

    Args:
        name: the name, which its files have too.
        tables: the tables.
        signature: everything that the exhibit depends on.
        pictures: the figure, if there is one, as the content of a file by kind.
    """

    name: str
    tables: Sequence[Table]
    signature: str
    pictures: Mapping[Kind, bytes]

    def files(self) -> dict[str, bytes]:
        """Return the files of the tables and the figure, by name."""
        formats: dict[str, Format] = {"tsv": "tsv", "tex": "latex"}
        tables = {
            f"{self.name}.{ending}": render_tables(self.tables, self.signature, format).encode()
            for ending, format in formats.items()
        }
        pictures = {f"{self.name}.{kind}": picture for kind, picture in self.pictures.items()}
        return tables | pictures


def exhibits(results: Reproduction, selection: Mapping[str, Any] | None = None) -> list[Exhibit]:
    """Build the exhibits of the results in the order of the paper.

    Args:
        results: the results.
        selection: the data card of `choose_targets`, if targets were chosen among corrections.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    tuning, synthetic = results.tuning, results.synthetic
    ibm_and_papers = results.readings[results.join_rule]
    scored, ibm, patterns, literal = (
        {table.name: table for table in comparison_tables(comparison)}
        for comparison in (results.comparison, ibm_and_papers, results.papers, results.literal)
    )
    tables = {
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
        "synthetic": list(f1_tables(synthetic.results if synthetic else ())),
        "failures": list(failure_tables(results)),
    }
    # Exhibits that depend on other things than the rest.
    signatures = {"tuning": tuning.signature}
    figures = {"tuning": sensitivity_figure(tuning)}
    if selection:
        signatures["selection"] = selection["signature"]
    if synthetic:
        signatures["synthetic"] = synthetic.signature
        figures["synthetic"] = f1_figure(synthetic.results)

    def exhibit(name: str, its: Sequence[Table]) -> Exhibit:
        signature = signatures.get(name, results.signature)
        pictures: dict[Kind, bytes] = {}
        if name in figures:
            pictures = {kind: draw(figures[name], kind, signature) for kind in get_args(Kind)}
        elif name == "failures":
            pictures = {"svg": example_figure(signature)}
        return Exhibit(name, its, signature, pictures)

    return [exhibit(name, its) for name, its in tables.items() if its]


def _benchmarks(results: Reproduction) -> Table:
    direct, cases = results.recoveries["D"].values(), results.cases
    characters = results.coverage["P1"].source_characters
    rows: list[tuple[Cell, ...]] = [
        ("the learner benchmark", len(direct), "", characters, "", _target_tokens(direct)),
        (
            *("of them with gold", len(cases), "", sum(len(case.source) for case in cases)),
            *(sum(len(case.segmentation) for case in cases), _target_tokens(cases)),
        ),
    ]
    if results.synthetic:
        levels = {result.ratio for result in results.synthetic.results} - {0}
        row = "the synthetic benchmark", results.synthetic.sentences, len(levels), "", "", ""
        rows.append(row)
    names = (
        *("sentences", "levels of noise"),
        *("source characters", "gold source tokens", "target tokens"),
    )
    caption, columns = "Sentences, characters and tokens", dict.fromkeys(names, ",d")
    return Table("benchmarks", caption, "sentences of", columns, rows)


def _target_tokens(recoveries: Iterable[Recovery]) -> int:
    return sum(len(each.target_segmentation) for each in recoveries)


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
    return Table("selection", caption, "decided by", {"sentences": ",d", "share": ".1%"}, rows)


def _readings(results: Reproduction) -> Iterator[Table]:
    """Yield tables of F1 and errors, and of differences between systems, per join rule."""
    readings = results.readings

    def beside(columns: Mapping[str, str]) -> dict[str, str]:
        return {f"{x} ({rule})": its for rule in readings for x, its in columns.items()}

    def scores(name: str) -> Iterator[Cell]:
        for its in (reading.systems[name] for reading in readings.values()):
            yield from (its.f1, "/".join(f"{count:,}" for count in astuple(its.errors)))

    def tests(pair: tuple[str, str]) -> Iterator[Cell]:
        for test in (reading.tests[pair] for reading in readings.values()):
            yield from (test.difference, test.p_randomisation)

    yield Table(
        "readings",
        "Token F1 and errors under each join rule",
        "system",
        beside({"F1": ".4f", "over/under/drift": ""}),
        [(name, *scores(name)) for name in readings[results.join_rule].systems],
    )
    yield Table(
        "reading-tests",
        "Differences in token F1 under each join rule",
        "systems",
        beside({"difference": "+.4f", "p": ".4f"}),
        [(" vs ".join(pair), *tests(pair)) for pair in readings[results.join_rule].tests],
    )


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
        "",
        {"setting": "", "F1": ".4f", **TEST_COLUMNS},
        rows,
    )
