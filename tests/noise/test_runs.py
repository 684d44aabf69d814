from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import get_args

import orjson
import pytest

from cijie.cli.options.methods import make_methods
from cijie.evaluation.comparison import evaluate
from cijie.noise.conditions import Corpus, StoredCondition, read_benchmark, write_benchmark
from cijie.noise.injection import Noise, Pool
from cijie.noise.runs import (
    BenchmarkRun,
    ConditionResult,
    f1_figure,
    f1_tables,
    of_all_seeds,
    render_results,
)
from cijie.noise.synthetic import Recipe
from cijie.pictures.figures import Kind, save_figure
from cijie.segmenters import load_segmenter
from cijie.text.segmentation import Segmentation

from strategies import cut

CHARACTERS = load_segmenter(list)  # each character a word
METHODS = "direct,p1,gaps=p2:position=local:weights=pos=1:threshold=.99"


@pytest.fixture
def conditions(tmp_path: Path) -> list[StoredCondition]:
    sentences = ("我们 昨天 参加 了 旅行团 。", "弟弟 在 河边 捡到 石头 。", "老师 问 学生 们 。")
    corpus = Corpus("example", "", tuple(cut(f"s{n}", s) for n, s in enumerate(sentences)))
    noise = Noise(Pool.of(corpus.texts, "corpus"))
    ratios = [Fraction(percent, 100) for percent in (0, 10, 30)]
    made = list(write_benchmark(tmp_path, corpus, ratios, Recipe(noise, seed=1)))
    assert read_benchmark(tmp_path) == made
    return made


@pytest.fixture
def run() -> BenchmarkRun:
    return BenchmarkRun({"": CHARACTERS}, make_methods(METHODS), trials=9)


@pytest.fixture
def results(run: BenchmarkRun, conditions: list[StoredCondition]) -> list[ConditionResult]:
    return [result for each in conditions for result in run.on(each, ("gold", "auto"))]


def test_projection_of_gold_words_is_perfect_without_noise(results: list[ConditionResult]) -> None:
    clean = results[0]
    assert (clean.condition, clean.ratio, clean.target_words) == ("r00", 0.0, "gold")
    f1 = {name: evaluation.f1 for name, evaluation in clean.comparison.systems.items()}
    assert f1["p1"] == f1["gaps"] == 1
    assert f1["direct"] < 1
    assert clean.comparison.systems["direct"].coverage.links == 0
    assert clean.comparison.systems["p1"].coverage.source_coverage == 1


def test_direct_is_the_segmenter_alone_whatever_the_target(
    conditions: list[StoredCondition], results: list[ConditionResult]
) -> None:
    for condition, gold, auto in zip(conditions, results[::2], results[1::2], strict=True):
        expected = evaluate(
            condition.gold(),
            {
                pair.id: Segmentation.from_tokens(pair.source, list(pair.source))
                for pair in condition.pairs()
            },
        )
        # A segmenter that cuts everywhere has nothing to project.
        for comparison, name in ((gold, "direct"), (auto, "direct"), (auto, "p1")):
            found = comparison.comparison.systems[name]
            assert replace(found, coverage=expected.coverage) == expected


def test_targets_do_not_depend_on_one_another(
    run: BenchmarkRun, conditions: list[StoredCondition]
) -> None:
    gold, auto = run.on(conditions[2], ("gold", "auto"))
    assert list(run.on(conditions[2], ("auto", "gold"))) == [auto, gold]


def test_results_as_text_and_as_json(
    run: BenchmarkRun, conditions: list[StoredCondition], results: list[ConditionResult]
) -> None:
    signature = run.signature(conditions)
    text = render_results(results, signature, "text")
    assert text.count("Token F1, ") == 2
    assert text.count("share of the level that is kept, ") == 2
    assert text.count("Differences in token F1 at r30") == 2
    assert text.endswith(f"\n{signature}\n")
    record = orjson.loads(render_results(results, signature, "json"))
    assert record["signature"] == signature
    assert [name for name in record if name.startswith("scores-")] == [
        f"scores-{target}-{name}" for name in ("r00", "r10", "r30") for target in ("gold", "auto")
    ]
    p1 = results[2].comparison.systems["p1"]
    assert record["scores-gold-r10"]["rows"]["p1"]["F1"] == p1.f1
    assert record["links-gold-r10"]["rows"]["p1"]["anchors"] == p1.coverage.anchors
    tsv = render_results(results[:1], signature, "tsv").splitlines()
    assert tsv[2] == "f1-gold\tr00\tp1\t1.0"


def test_the_signature_names_benchmark_and_methods(
    run: BenchmarkRun, conditions: list[StoredCondition]
) -> None:
    signature = run.signature(conditions)
    assert signature != run.signature(conditions[:2])
    assert signature != BenchmarkRun({"": CHARACTERS}, make_methods("direct,p1")).signature(
        conditions
    )
    assert "[gaps]" in signature
    assert "segmenter:function:list" in signature


def test_the_figure_has_a_panel_for_each_target(results: list[ConditionResult]) -> None:
    gold, auto = f1_figure(results).axes
    assert (gold.get_title(), auto.get_title()) == ("gold target words", "automatic target words")
    lines = {str(line.get_label()): line for line in gold.get_lines()}
    assert list(lines) == ["direct", "p1", "gaps"]
    assert list(lines["p1"].get_xdata()) == [0, 10, 30]
    assert list(lines["p1"].get_ydata()) == [
        result.comparison.systems["p1"].f1 for result in results[::2]
    ]
    assert len(f1_figure(results[::2]).axes) == 1, "one kind of target words"


def test_segmenters_side_by_side(conditions: list[StoredCondition]) -> None:
    halves = load_segmenter(lambda text: [text[:3], text[3:]] if len(text) > 3 else [text])
    segmenters = {"characters": CHARACTERS, "halves": halves}
    run = BenchmarkRun(segmenters, make_methods("direct,p1"), trials=9)
    results = [result for each in conditions for result in run.on(each, ("gold",))]
    alone = BenchmarkRun({"": halves}, run.methods, trials=9)
    for result, its in zip(results, conditions, strict=True):
        [expected] = alone.on(its, ("gold",))
        for name, evaluation in expected.comparison.systems.items():
            assert result.comparison.systems[f"{name}, halves"] == evaluation
    tables = {table.name: table for table in f1_tables(results)}
    assert list(tables) == ["f1-gold", "robustness-gold", "differences-gold"]
    names = [f"{method}, {name}" for name in segmenters for method in ("direct", "p1")]
    assert list(tables["f1-gold"].columns) == names
    # Segmenters are tested against one another.
    assert "direct, halves vs direct, characters" in [x[0] for x in tables["differences-gold"].rows]
    [first] = f1_figure(results).axes
    assert [str(line.get_label()) for line in first.get_lines()] == names
    assert halves.name in run.signature(conditions)


def test_many_curves_differ(conditions: list[StoredCondition]) -> None:
    methods = make_methods(",".join(f"m{k}=direct" for k in range(12)))
    run = BenchmarkRun({"": CHARACTERS}, methods, trials=9)
    [axes] = f1_figure([x for each in conditions for x in run.on(each, ("gold",))]).axes
    drawn = {(x.get_color(), x.get_marker(), x.get_linestyle()) for x in axes.get_lines()}
    without_colour = {(x.get_marker(), x.get_linestyle()) for x in axes.get_lines()}
    assert (len(drawn), len(without_colour)) == (12, 12)


def test_level_and_loss_stand_together(results: list[ConditionResult]) -> None:
    [table] = [each for each in f1_tables(results) if each.name == "robustness-gold"]
    heads = table.lines[0]
    assert heads == [
        *("system", "r00", "low r00", "high r00", "r30", "low r30", "high r30", "loss", "kept")
    ]
    [row] = [row for row in table.rows if row[0] == "direct"]
    clean, most = (results[k].f1("direct") for k in (0, 4))
    values = dict(zip(heads[1:], map(float, row[1:]), strict=True))
    assert (values["r00"], values["r30"]) == (clean, most)
    assert values["loss"] == most - clean != 0
    assert values["kept"] == most / clean
    assert values["low r30"] <= most <= values["high r30"]
    assert values["low r30"] < values["high r30"]


def test_seeds_are_counted_together_with_the_band_of_each(
    run: BenchmarkRun, results: list[ConditionResult], tmp_path: Path
) -> None:
    corpus = Corpus("other", "", (cut("s0", "我们 昨天 参加 了 旅行团 。"),))
    recipe = Recipe(Noise(Pool.of(corpus.texts, "corpus")), seed=2)
    [other] = write_benchmark(tmp_path / "other", corpus, [Fraction(3, 10)], recipe)
    more = list(run.on(other, ("gold",)))
    merged = of_all_seeds([*results, *more])
    assert len(merged) == len(results)
    assert merged[:4] == results[:4]
    first, both = results[4], merged[4]
    assert both.seeds == (first, *more)
    for name, evaluation in both.comparison.systems.items():
        parts = [each.comparison.systems[name].tokens for each in both.seeds]
        assert evaluation.tokens == parts[0] + parts[1]
        assert both.interval(name) == tuple(sorted(each.f1 for each in parts))
    assert both.comparison.tests["p1", "direct"].trials == 9


def test_tables_and_figures_say_nothing_of_a_loss_without_the_baseline(
    results: list[ConditionResult],
) -> None:
    assert [table.name for table in f1_tables(results[2:])] == ["f1-gold", "f1-auto"]


@pytest.mark.parametrize("kind", get_args(Kind))
def test_the_same_results_give_the_same_figure(
    kind: str, results: list[ConditionResult], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        save_figure(f1_figure(results), tmp_path / f"{name}.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
