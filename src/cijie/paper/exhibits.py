"""What `cijie reproduce` shows: the results as tables and figures, each beside the paper's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from cijie.errors import counted
from cijie.evaluation.report import comparison_tables, link_table
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Column, Table, render_tables
from cijie.noise.figures import f1_figure
from cijie.noise.runs import f1_tables
from cijie.paper import printed
from cijie.paper.claims import SIGNIFICANT, claims, claims_tables
from cijie.paper.failures import (
    appendix_table,
    broken_table,
    example_figure,
    example_tables,
)
from cijie.paper.figures import Kind, draw, sensitivity_figure
from cijie.paper.grid import Setting
from cijie.paper.report import ablation_table, tuning_tables
from cijie.paper.reproduction import THE_PAPERS, Reproduction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TEST_COLUMNS = (
    *(Column(name, "+.4f") for name in ("difference", "low", "high")),
    Column("p", ".4f"),
)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """Something to show.

    Args:
        name: names its files.
        title: what it is.
        text: how to read it.
        tables: its tables, each with the one of the paper that belongs beside it, if any.
        signature: everything that it depends on.
        pictures: its figure, if it has one, as the file of each kind.
    """

    name: str
    title: str
    text: str
    tables: Sequence[tuple[Table, Table | None]]
    signature: str
    pictures: Mapping[Kind, bytes] = field(default_factory=dict)

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


def exhibits(
    results: Reproduction, selection: Mapping[str, Any] | None = None
) -> Iterator[Exhibit]:
    """The results in the order of the paper.

    Args:
        results: the results.
        selection: how targets are chosen among corrections: the data card of `choose_targets`.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    signature = results.signature
    comparison = {t.name: t for t in comparison_tables(results.comparison)}
    ibm = {t.name: t for t in comparison_tables(results.readings[results.join_rule])}
    found = list(claims(results))
    verdicts = Counter(each.verdict for each in found)
    yield Exhibit(
        "claims",
        "What the paper claims, and what holds here",
        f"Of {len(found)} claims of the paper {verdicts['holds']} hold here, "
        f"{verdicts['does not hold']} do not, and {verdicts['not tested']} are not tested. A "
        f"difference holds if it has the paper’s sign and p < {SIGNIFICANT}. The paper’s own "
        "differences are those of its rounded F1. Under noise, P1 cannot both fall less than D and "
        "lose its advantage over the same range: one of these two claims does not hold.",
        [claims_tables(found)],
        signature,
    )
    yield Exhibit(
        "benchmarks",
        "Tables 4 and 6: the benchmarks",
        "Links are counted, and the IBM-style aligner is trained, on all pairs; everything else is "
        "about those with gold. Characters are code points, white space included; the words of the "
        f"learner benchmark’s targets are those of {results.segmenter}."
        + ("" if results.synthetic else " No corpus was given for the synthetic benchmark."),
        [(_benchmarks(results), printed.BENCHMARKS)],
        signature,
    )
    if selection is not None:
        yield Exhibit(
            "selection",
            "Table 5: which correction is the target",
            "Corrections are ranked by Levenshtein distance and by the cosine of sentence vectors. "
            "Where both put the same one first, it is the target; else annotators vote. This table "
            "says what ‘cijie bench learner’ makes of the file of pairs, with the votes that were "
            "given. The experiments on this page take the correction that is nearest by "
            "Levenshtein distance, the one that the gold was made with.",
            [(_selection(selection), printed.SELECTION)],
            selection["signature"],
        )
    yield Exhibit(
        "table-1",
        "Table 1: token F1, and significance",
        "D is the segmenter alone; P1 projects the target’s boundaries along identical characters, "
        "P2 along similar ones as well, with the paper’s weights and threshold. Not in the paper: "
        "P3 weighs word-level evidence, with coefficients that were fitted to the gold that cijie "
        "ships, so that figures on it are to be cross-validated (see the guide, Method); the "
        "dictionary cuts out the target’s words wherever they occur. Regions are contested by all "
        f"five. The tests made {results.comparison.trials:,} trials each.",
        [
            (comparison["scores"], printed.SCORES),
            (comparison["differences"], printed.DIFFERENCES),
            (comparison["contested"], None),
        ],
        signature,
    )
    yield Exhibit(
        "table-2",
        "Table 2: P2 without one of its features",
        "The weight of one feature is set to 0, and the others stay as they are. The effect of a "
        "feature is F1 with it minus F1 without it. Where nothing but the anchors exceeds the "
        "threshold, what remains is P1.",
        [(ablation_table(results.ablation), printed.ABLATION)],
        signature,
    )
    yield Exhibit(
        "table-3",
        "Table 3: kinds of errors",
        "An error is a region between boundaries that system and gold share: over-segmented if the "
        "system has more tokens there than gold, under-segmented if fewer, drift if as many.",
        [(comparison["errors"], printed.ERRORS)],
        signature,
    )
    yield Exhibit(
        "links",
        "Coverage and word order",
        "Over all pairs, with gold or without: the share of characters that are linked, the links "
        "that P1 has not, how many of those cross an anchor (which the paper calls non-monotone), "
        "and in how many sentences. Links out of order cross another link, of whatever kind: so "
        "are those of the IBM-style aligner counted, which all are residual, since it knows no "
        "anchors.",
        [(link_table(results.coverage), printed.LINKS), (_crossing(results), printed.CROSSING)],
        signature,
    )
    yield Exhibit(
        "readings",
        "Three readings of Algorithm 1",
        "When the boundaries inside a target word’s image are removed. equal-length: all its "
        "characters are linked, to a source span as long as the word (the paper’s appendix). "
        "contiguous: those that are linked cover a source span. endpoints: everything between the "
        "first and the last linked one, extra source characters included. The links are the same; "
        "the IBM-style aligner, whose links scatter, shows the difference most. "
        f"Everything else on this page is {results.join_rule}.",
        [(_readings(results), printed.READINGS), (_reading_tests(results), printed.DIFFERENCES)],
        signature,
    )
    patterns = {t.name: t for t in comparison_tables(results.papers)}
    yield Exhibit(
        "patterns",
        "Outcome patterns",
        "One letter a system, for D, P1 and P2: g where it is right, b where it is wrong. The "
        "paper counts them over sentences; contested regions are those of these three.",
        [(patterns["patterns"], None), (patterns["contested"], None)],
        signature,
    )
    yield Exhibit(
        "ibm",
        "An IBM-style aligner",
        "Each source character is generated by one of the target’s words, or by none; the same "
        "projection follows.",
        [(ibm["scores"], printed.IBM), (ibm["differences"], None), (ibm["errors"], None)],
        signature,
    )
    tuning = results.tuning
    yield Exhibit(
        "tuning",
        "Choosing weights and threshold",
        f"All {len(tuning.settings):,} settings of weights that add up to 1 and of a threshold, "
        f"ranked by their mean F1 over {len(tuning.choices)} folds. The best of so many is too "
        "good: held out, each fold is cut under the setting that the other folds would have "
        "chosen. The figure shows for each value of a weight all settings that have it.",
        [(_tuned(results), None), *((table, None) for table in tuning_tables(tuning))],
        tuning.signature,
        _pictures(sensitivity_figure(tuning), tuning.signature),
    )
    if results.synthetic:
        synthetic = results.synthetic
        yield Exhibit(
            "synthetic",
            "Synthetic noise",
            f"Targets are {counted(synthetic.sentences, 'sentences')} of {synthetic.corpus}; "
            f"sources are made of them by random edits ({synthetic.noise}). Target words are those "
            "of the corpus, or the segmenter’s own. r00 is without noise. The paper has a figure "
            "like this, without values.",
            [(table, None) for table in f1_tables(synthetic.results)],
            synthetic.signature,
            _pictures(f1_figure(synthetic.results), synthetic.signature),
        )
    appendix = appendix_table(results)
    yield Exhibit(
        "failures",
        "Where projection fails",
        "The paper works out three failures. In the second and third it has P1 and P2 join what D "
        "leaves apart, which the corrections that it quotes do not license under any reading "
        "above. All sentences, with reasons, are shown by ‘cijie view’.",
        [
            *((table, None) for table in example_tables()),
            *([(appendix, None)] if appendix else []),
            (broken_table(results), None),
        ],
        signature,
        {"svg": example_figure(signature)},
    )


def _pictures(figure: Figure, signature: str) -> dict[Kind, bytes]:
    return {kind: draw(figure, kind, signature) for kind in get_args(Kind)}


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
            sum(len(case.initial.text) for case in cases),
            sum(len(case.gold) for case in cases),
            sum(len(case.target) for case in cases),
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
    tuning, test = results.tuning, results.held_out
    rows: list[tuple[Cell, ...]] = [
        ("paper's setting", str(Setting()), results.comparison.systems["P2"].f1, *_no_test()),
        (
            "chosen, held out",
            "as below",
            tuning.held_out_f1,
            *_test_cells(test),
        ),
    ]
    for fold, k in enumerate(tuning.choices):
        f1 = float(tuning.fold_f1[k, fold])
        rows.append((f"without fold {fold + 1}", str(tuning.settings[k]), f1, *_no_test()))
    return Table(
        "tuned",
        "Token F1 of choosing a setting, and how it differs from the paper's setting; of the "
        "setting chosen without a fold, F1 in that fold",
        (Column(""), Column("setting"), Column("F1", ".4f"), *_TEST_COLUMNS),
        tuple(rows),
    )


def _test_cells(test: PairedTest) -> tuple[Cell, ...]:
    return test.difference, test.low, test.high, test.p_randomisation


def _no_test() -> tuple[Cell, ...]:
    return ("",) * len(_TEST_COLUMNS)
