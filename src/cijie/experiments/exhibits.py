"""What `cijie reproduce` shows: the results as tables and figures, each beside the paper's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from cijie.evaluation.report import comparison_tables, link_table
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Cell, Column, Table, render_tables
from cijie.experiments import paper
from cijie.experiments.figures import Kind, draw, sensitivity_figure
from cijie.experiments.report import ablation_table, tuning_tables
from cijie.experiments.reproduce import Reproduction
from cijie.experiments.settings import Setting
from cijie.noise.figures import f1_figure
from cijie.noise.runs import f1_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SIGNIFICANT = 0.05
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


def exhibits(results: Reproduction) -> Iterator[Exhibit]:
    """The results in the order of the paper.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    signature = results.signature
    comparison = {t.name: t for t in comparison_tables(results.comparison)}
    ibm = {t.name: t for t in comparison_tables(results.ibm)}
    yield Exhibit(
        "summary",
        "What holds here",
        "The differences in token F1 that the paper’s conclusions rest on. The paper’s own "
        "are those of its rounded F1; it gives p for three of them. A difference holds if it has "
        f"the paper’s sign and p < {_SIGNIFICANT}; and where the paper has no significant "
        "difference, if there is none here either.",
        [_summary(results)],
        signature,
    )
    yield Exhibit(
        "data",
        "The data",
        "Links are counted, and the IBM-style aligner is trained, on all pairs; everything else is "
        "about those with gold. Characters are code points, white space included; the words of the "
        f"targets are those of {results.segmenter}."
        + ("" if results.synthetic else " No corpus was given for the synthetic benchmark."),
        [(_data(results), paper.DATA)],
        signature,
    )
    yield Exhibit(
        "table-1",
        "Table 1: token F1, and significance",
        "D is the segmenter alone; P1 projects the target’s boundaries along identical characters, "
        "P2 along similar ones as well, with the paper’s weights and threshold. Not in the paper: "
        "P3 weighs word-level evidence, with six coefficients that were fitted to the gold that "
        "cijie ships, so that figures on it are to be cross-validated (see the guide, Method); the "
        "dictionary cuts out the target’s words wherever they occur. The tests made "
        f"{results.comparison.trials:,} trials each.",
        [
            (comparison["scores"], paper.SCORES),
            (comparison["differences"], paper.DIFFERENCES),
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
        [(ablation_table(results.ablation), paper.ABLATION)],
        signature,
    )
    yield Exhibit(
        "table-3",
        "Table 3: kinds of errors",
        "An error is a region between boundaries that system and gold share: over-segmented if the "
        "system has more words there than gold, under-segmented if fewer, drift if as many.",
        [(comparison["errors"], paper.ERRORS)],
        signature,
    )
    yield Exhibit(
        "links",
        "Coverage and word order",
        "Over all pairs, with gold or without: the share of characters that are linked, the links "
        "that P1 has not, how many of those cross an anchor (so that source and target differ in "
        "word order), and in how many sentences. All links of the IBM-style aligner count as "
        "residual, since it knows no anchors.",
        [(link_table(results.coverage), paper.LINKS)],
        signature,
    )
    yield Exhibit(
        "ibm",
        "An IBM-style aligner",
        "Each source character is generated by one of the target’s words, or by none; the same "
        "projection follows.",
        [(ibm["scores"], paper.IBM), (ibm["differences"], None)],
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
            f"The {synthetic.sentences:,} sentences of {synthetic.corpus} are targets, and sources "
            "are made of them by random edits. Target words are those of the corpus, or the "
            "segmenter’s own.",
            [(table, None) for table in f1_tables(synthetic.results)],
            synthetic.signature,
            _pictures(f1_figure(synthetic.results), synthetic.signature),
        )


def _pictures(figure: Figure, signature: str) -> dict[Kind, bytes]:
    return {kind: draw(figure, kind, signature) for kind in get_args(Kind)}


def _data(results: Reproduction) -> Table:
    coverage = results.coverage["P1"]
    with_gold = results.cases
    return Table(
        "data",
        "Pairs, characters and words",
        paper.DATA.columns,
        (
            ("all", results.pairs, coverage.source_characters, "", results.target_words),
            (
                "with gold",
                len(with_gold),
                sum(len(case.initial.text) for case in with_gold),
                sum(len(case.gold) for case in with_gold),
                sum(len(case.target) for case in with_gold),
            ),
        ),
    )


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


def _summary(results: Reproduction) -> tuple[Table, Table]:
    """Ours, and the paper's."""
    ours: list[tuple[Cell, ...]] = []
    papers: list[tuple[Cell, ...]] = []
    for label, test, difference, p in _claims(results):
        ours.append((label, *_test_cells(test), verdict(test, difference, p)))
        papers.append((label, difference, "" if p is None else p))
    return (
        Table(
            "summary",
            "Differences in token F1, with 95% interval",
            (Column("difference between"), *_TEST_COLUMNS, Column("holds")),
            tuple(ours),
        ),
        Table(
            "summary",
            "from Tables 1 and 2",
            (Column("difference between"), Column("difference", "+.4f"), Column("p", ".4f")),
            tuple(papers),
        ),
    )


def _claims(results: Reproduction) -> Iterator[tuple[str, PairedTest, float, float | None]]:
    """Each difference with its test here, and in the paper its size, and p if that is given."""
    scores, p_values = _by_row(paper.SCORES), _by_row(paper.DIFFERENCES)
    for a, b in (("P2", "P1"), ("P2", "D"), ("P1", "D")):
        test = results.comparison.tests[a, b]
        yield f"{a} and {b}", test, scores[a] - scores[b], p_values[f"{a} vs {b}"]
    ablated = _by_row(paper.ABLATION)
    for ablation in results.ablation:
        if ablation.test:
            effect = ablated["P2"] - ablated[f"- {ablation.removed}"]
            yield f"P2 and P2 without {ablation.removed}", ablation.test, effect, None
    ibm = _by_row(paper.IBM)
    yield "IBM and D", results.ibm.tests["IBM", "D"], ibm["IBM"] - ibm["D"], None


def verdict(test: PairedTest, difference: float, p: float | None) -> str:
    """Whether a difference of the paper, with its p if that is known, holds in a test.

    >>> from cijie.evaluation.scores import Counts
    >>> from cijie.evaluation.significance import paired_test
    >>> verdict(paired_test([Counts(4, 4, 4)], [Counts(4, 4, 4)]), 0.0017, 0.0006)
    'not significant'
    """
    significant = test.p_randomisation < _SIGNIFICANT
    if abs(difference) < 0.00005 or (p is not None and p >= _SIGNIFICANT):
        return "no, significant" if significant else "yes"
    if not significant:
        return "not significant"
    return "yes" if test.difference * difference > 0 else "no, reversed"


def _by_row(table: Table) -> dict[str, float]:
    """The numbers of a table with a single column of them."""
    return {str(row[0]): float(row[1]) for row in table.rows}


def _test_cells(test: PairedTest) -> tuple[Cell, ...]:
    return test.difference, test.low, test.high, test.p_randomisation


def _no_test() -> tuple[Cell, ...]:
    return ("",) * len(_TEST_COLUMNS)
