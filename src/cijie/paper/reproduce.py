"""Run the paper's experiments on files, and write tables, figures and a self-contained page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from importlib.resources import files
from typing import Any, Literal, get_args

import orjson

from cijie.choices import Language
from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import UsageError
from cijie.evaluation.report import comparison_tables, link_table
from cijie.evaluation.tables import Cell, Format, Table, render_tables
from cijie.extras import library
from cijie.files.opening import StrPath
from cijie.files.output import new_directory
from cijie.gold.learner import choose_targets
from cijie.noise.conditions import Corpus
from cijie.noise.runs import f1_figure, f1_tables
from cijie.paper.claims import SIGNIFICANT, claims, claims_table, papers_table
from cijie.paper.failures import appendix_table, example_figure, example_tables
from cijie.paper.grid import Setting
from cijie.paper.reproduction import Plan, Reproduction, Watch, run, unwatched
from cijie.paper.tuning import (
    TEST_COLUMNS,
    ablation_table,
    cells_of,
    sensitivity_figure,
    tuning_tables,
)
from cijie.pictures.figures import Kind, draw
from cijie.recovery.sentence import Recovery, Sentence
from cijie.viewer.pages import render_page

Correction = Literal["nearest", "selected"]

_PAGES: Mapping[Language, str] = {"en": "index.html", "zh": "index.zh.html"}


def reproduce(
    pairs: StrPath,
    gold: StrPath,
    output: StrPath,
    plan: Plan,
    *,
    votes: Sequence[StrPath] = (),
    correction: Correction = "nearest",
    corpus: Corpus | None = None,
    watch: Watch = unwatched,
) -> Reproduction:
    """Run the paper's experiments, and write the page, its tables and its figures.

    Args:
        pairs: a file of pairs, or of sources with several corrections.
        gold: a file with gold segmentations of the sources.
        output: the output directory, which must not exist or be empty.
        plan: the experiments to run.
        votes: files of votes on corrections.
        correction: the choice of the target among several corrections: `"nearest"` by Levenshtein
            distance, with which cijie's gold was made, or `"selected"` by `choose_targets`, from
            both rankings or votes, whatever target gold was made with.
        corpus: the corpus for the synthetic benchmark.
        watch: shows the progress of long steps, see `Watch`.

    Raises:
        CijieError: a malformed file, gold that does not match the pairs, or too little gold.
        UsageError: votes or a selection for pairs with one correction each.
        FileExistsError: the directory is not empty.
        MissingExtraError: Matplotlib is not installed.
    """
    library("matplotlib", "figures")  # before the work
    sentences = read(pairs, "pairs")
    has_corrections = pairs != "-" and not sentences.format.named
    if (votes or correction == "selected") and not has_corrections:
        raise UsageError("nothing can be selected among pairs with one correction each")
    known = list(sentences_of(sentences))
    chosen = choose_targets(pairs, votes=votes) if has_corrections else None
    if chosen and correction == "selected":
        records = chosen.files["pairs.jsonl"]
        known = [Sentence(each["id"], each["source"], (each["target"],)) for each in records]
    selection = {**chosen.card, "correction": correction} if chosen else None
    reference, _ = read_to_compare(gold, (), known, any_target=correction == "selected")
    with new_directory(output) as directory:
        results = run(known, reference, plan, corpus=corpus, watch=watch)
        for name, content in as_files(results, selection).items():
            (directory / name).write_bytes(content)
    return replace(results, skipped=Counter(sentences.skipped) + results.skipped)


def as_files(results: Reproduction, selection: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """Return the files of all exhibits, by name, and the page in each language; see `exhibits`."""
    shown = exhibits(results, selection)
    written = {_PAGES[language]: _page(results, shown, selection, language) for language in _PAGES}
    for exhibit in shown:
        written |= exhibit.files()
    return written


def _page(
    results: Reproduction,
    shown: Sequence[Exhibit],
    selection: Mapping[str, Any] | None,
    language: Language,
) -> bytes:
    """Render all exhibits on one page, with the paper's figures beside the run's."""
    folder = files(__package__) / "template"
    messages = orjson.loads((folder / "page.messages.json").read_bytes())

    def say(key: str, values: Mapping[str, object] | None = None) -> str:
        """Return a message; a text that is none, such as a number, stays as it is."""
        text: str = messages.get(key, (key, key))[language == "zh"]
        return text if values is None else text.format(**values)

    return render_page(
        "page",
        folder=folder,
        lang="zh-Hans" if language == "zh" else "en",
        other=next(page for other, page in _PAGES.items() if other != language),
        t=say,
        exhibits={exhibit.name: exhibit for exhibit in shown},
        printed={**printed(), "claims/claims": papers_table(claims(results))},
        results=results,
        selection=selection,
        significant=SIGNIFICANT,
        verdicts=Counter(verdict for _, verdict, _ in shown[0].tables[0].rows),
        # Functions of the template.
        base64=lambda content: b64encode(content).decode(),
        kinds=lambda table: ["number" if x else "words" for x in table.columns.values()],
        minus=lambda text: re.sub(r"^-(?=\d)", "−", text),
        rows_by_label=lambda table: {label: cells for label, *cells in table.lines[1:]},
    )


def printed() -> dict[str, Table]:
    """Read the paper's tables, by exhibit and name of the corresponding table of a run.

    All figures are copied from Wang, Li, Yuan and Park, "Chinese Word Boundary Recovery through
    Character Alignment Projection", and cover all 1,079 pairs of its learner benchmark. Nothing
    here is computed, and no result of a run depends on it. Rows are named as in the run, columns
    are the ones that the paper reports, and captions name the table in the paper.
    """
    tables = orjson.loads((files(__package__) / "printed.json").read_bytes())
    return {name: Table(name, **table) for name, table in tables.items()}


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
            *(literal[name] for name in ("scores", "errors", "differences")),
        ],
        "patterns": [patterns["patterns"], patterns["contested"]],
        "ibm": [ibm["scores"], ibm["differences"], ibm["errors"]],
        "tuning": [_tuned(results), *tuning_tables(tuning)],
        "synthetic": list(f1_tables(synthetic.results if synthetic else ())),
        "failures": [*example_tables(), *filter(None, [appendix_table(results)])],
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
    kinds = "unanimous", "majority", "disputed"
    voted = sum(getattr(votes, kind) for kind in kinds) if votes else 0
    for kind in kinds:
        share = getattr(votes, kind) / voted if voted else ""
        rows.append((f"votes: {kind}", getattr(votes, kind, ""), share))
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
    return Table(
        "tuned",
        "Token F1 of choosing a setting, and how it differs from the paper's setting",
        "",
        {"setting": "", "F1": ".4f", **TEST_COLUMNS},
        rows,
    )
