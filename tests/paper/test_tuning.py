from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cijie import Recoverer, Recovery, Segmentation, SegmentationError, Sentence, Weights
from cijie.alignment.links import Alignment
from cijie.alignment.residual import ResidualAligner
from cijie.evaluation.counts import Counts, token_counts
from cijie.paper import grid
from cijie.paper.grid import (
    Grid,
    Setting,
    SettingScorer,
    assign_folds,
    digest_of,
    make_cases,
    simplex,
)
from cijie.paper.tuning import (
    Tuning,
    ablate,
    held_out_test,
    render_tuning,
    tune,
)
from cijie.projection.boundaries import project
from cijie.segmenters import load_segmenter
from cijie.similarity.features import Candidates, Feature, Floats, GlobalPosition, Scorer

# Source, gold, and target words.
SENTENCES = [
    ("因为下雨我昨天没去", "因为 下雨 我 昨天 没 去", "我 昨天 因为 下雨 没 去"),
    ("我参加了旅行困", "我 参加 了 旅行困", "我 参加 了 旅行团"),
    ("旅行因很大", "旅行因 很 大", "旅行团 很 大"),
    ("他么什都好", "他 么什 都 好", "他 什么 都 好"),
    ("天天天见见面", "天天 天 见见面", "天天 见面 天"),
    ("👩\u200d🏫 好老师", "👩\u200d🏫 好 老师", "好 老师 👩\u200d🏫"),
]


class Likeness:
    """The nearness of code points, so that there is much to choose from."""

    name = "likeness"

    def __call__(self, candidates: Candidates) -> Floats:
        a, b = (chars.astype(np.int64) for chars in candidates.chars)
        return 1 / (1 + np.abs(a - b) % 7)


FEATURES: dict[str, Feature] = {"glyph": Likeness(), "pos": GlobalPosition()}


def cases() -> list[Recovery]:
    made = []
    for number, (source, gold, words) in enumerate(SENTENCES):
        target = words.replace(" ", "")
        made.append(
            as_case(
                str(number),
                Segmentation.from_tokens(source, list(source)),
                Segmentation.from_tokens(target, words.split()),
                Segmentation.from_tokens(source, gold.split()),
            )
        )
    return made


def as_case(id: str, initial: Segmentation, target: Segmentation, gold: Segmentation) -> Recovery:
    return Recovery(
        id,
        initial.text,
        (target.text,),
        initial=initial,
        segmentation=gold,
        target_segmentations=(target,),
        alignment=Alignment(len(initial.text), len(target.text)),
        changes=(),
    )


weights = st.builds(Weights, *[st.integers(0, 10).map(lambda k: k / 10)] * 4)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(weights, st.integers(0, 19)), min_size=1, max_size=4))
def test_counts_are_those_of_a_recoverer(tried: list[tuple[Weights, int]]) -> None:
    trials = SettingScorer(cases(), FEATURES)
    for vector, k in tried:
        aligner = ResidualAligner(Scorer(vector, FEATURES), k / 20)
        recoverer = Recoverer(list, aligner, batch_size=2)
        recovered = recoverer.recover_all(
            Sentence(
                case.id,
                case.source,
                case.targets,
                initial=case.initial,
                target_segmentations=case.target_segmentations,
            )
            for case in cases()
        )
        expected = [
            token_counts(case.segmentation, recovery.segmentation)
            for case, recovery in zip(cases(), recovered, strict=True)
        ]
        assert trials.counts(vector, [k / 20]) == [expected]


def test_a_case_is_projected_only_for_new_links(monkeypatch: pytest.MonkeyPatch) -> None:
    projected = []
    monkeypatch.setattr(
        grid, "project", lambda *words, **rule: projected.append(words) or project(*words, **rule)
    )
    trials = SettingScorer(cases(), FEATURES)
    trials.counts(Weights(glyph=0.7, pos=0.3), [0.2, 0.5])
    before = len(projected)
    trials.counts(Weights(glyph=0.7, pos=0.3), [0.5, 0.2])
    assert len(projected) == before > len(SENTENCES)


def test_the_grid_is_that_of_the_paper() -> None:
    grid = Grid(cases(), FEATURES, folds=2)
    assert len(grid.vectors) * len(grid.thresholds) == 3718
    assert Setting() in [Setting(v, t) for v in grid.vectors for t in grid.thresholds]
    assert all(sum((v.emb, v.glyph, v.pinyin, v.pos)) == pytest.approx(1) for v in grid.vectors)


def small(**options: object) -> Tuning:
    options = {"vectors": list(simplex(2)), "thresholds": (0.3, 0.6), "folds": 3, **options}
    return tune(Grid(cases(), FEATURES, **options))  # type: ignore[arg-type]


def test_tuning_ranks_by_the_mean_of_the_folds() -> None:
    tuning = small()
    fold_of = np.array(assign_folds([case.id for case in cases()], 3))
    trials = SettingScorer(cases(), FEATURES)
    for k, setting in enumerate(tuning.settings):
        [row] = trials.counts(setting.weights, [setting.threshold])
        by_fold = [
            sum((row[n] for n in np.flatnonzero(fold_of == fold)), Counts()).f1 for fold in range(3)
        ]
        assert tuning.fold_f1[k].tolist() == pytest.approx(by_fold)
        assert tuning.mean_f1[k] == pytest.approx(sum(by_fold) / 3)
    means = [tuning.mean_f1[k] for k in tuning.ranking]
    assert means == pytest.approx(sorted(means, reverse=True))
    assert min(tuning.mean_f1) < max(tuning.mean_f1)


def test_of_equals_the_one_nearest_to_the_paper_is_chosen() -> None:
    case = as_case("1", *[Segmentation("好", (1,))] * 3)
    two = [case, replace(case, id="2")]
    tuning = tune(Grid(two, FEATURES, folds=2))
    assert tuning.settings[tuning.best] == Setting()


def test_a_choice_is_scored_where_it_was_not_made() -> None:
    # Setting 0 is right in fold 0 alone, setting 1 in fold 1 alone: each is chosen for the other.
    right, wrong = (2, 2, 2), (2, 2, 0)
    counts = np.array([[right, wrong], [wrong, right]])
    tuning = Tuning([Setting(threshold=0.3), Setting(threshold=0.4)], counts, "")
    assert tuning.choices == [1, 0]
    assert tuning.held_out_f1 == 0


def test_choosing_is_tested_against_the_papers_setting() -> None:
    grid = Grid(cases(), FEATURES, vectors=list(simplex(2)), thresholds=(0.3, 0.6), folds=3)
    tuning = tune(grid)
    test = held_out_test(grid, tuning, trials=9)
    paper = sum(grid.scorer.under(Setting()), Counts())
    assert test.difference == pytest.approx(tuning.held_out_f1 - paper.f1)
    assert test.difference != 0


def test_folds_depend_on_ids_and_seed_alone() -> None:
    ids = [str(k) for k in range(11)]
    folds = dict(zip(ids, assign_folds(ids, 5), strict=True))
    assert sorted(Counter(folds.values()).values()) == [2, 2, 2, 2, 3]
    assert assign_folds(ids[::-1], 5) == [folds[id] for id in ids[::-1]]
    assert assign_folds(ids, 5, seed=1) != assign_folds(ids, 5)
    for folds_wanted in (1, 12):
        with pytest.raises(ValueError, match="folds"):
            assign_folds(ids, folds_wanted)


@pytest.mark.parametrize("format", ["text", "json", "tsv", "latex"])
def test_reports_carry_their_signature(format: str) -> None:
    tuning = small()
    assert "features:emb:absent,glyph:likeness" in tuning.signature
    report = render_tuning(tuning, format)  # type: ignore[arg-type]
    assert tuning.signature in report
    assert f"{tuning.held_out_f1:.4f}"[:5] in report


def test_json_has_all_settings_best_first() -> None:
    tuning = small()
    rows = orjson.loads(render_tuning(tuning, "json"))["settings"]["rows"].values()
    means = [row["mean fold F1"] for row in rows]
    assert len(means) == len(tuning.settings)
    assert means == sorted(means, reverse=True)


def test_ablation_removes_each_feature_and_keeps_the_other_weights() -> None:
    setting = Setting(Weights(emb=0.1, glyph=0.5, pinyin=0.0, pos=0.4), 0.3)
    whole, *without = ablate(SettingScorer(cases(), FEATURES), setting, trials=99)
    trials = SettingScorer(cases(), FEATURES)
    assert whole.removed is whole.test is None
    assert [result.removed for result in without] == ["emb", "glyph", "pinyin", "pos"]
    for result, vector in zip(
        without,
        [
            Weights(emb=0.0, glyph=0.5, pinyin=0.0, pos=0.4),
            Weights(emb=0.1, glyph=0.0, pinyin=0.0, pos=0.4),
            setting.weights,
            Weights(emb=0.1, glyph=0.5, pinyin=0.0, pos=0.0),
        ],
        strict=True,
    ):
        [row] = trials.counts(vector, [0.3])
        assert result.f1 == sum(row, Counts()).f1
        assert result.test is not None
        assert result.test.difference == pytest.approx(whole.f1 - result.f1)
    assert without[2].test is not None
    assert without[2].test.p_randomisation == 1
    assert len({result.f1 for result in without}) > 1


def test_only_pairs_with_gold_become_cases() -> None:
    skipped: Counter[str] = Counter()
    pairs = [
        Sentence("1", "我好", "我好"),
        Sentence("2", "他好", "他好", initial=Segmentation("他好", (2,))),
    ]
    gold = {"2": ["他", "好"], "3": ["好"]}
    [case] = make_cases(pairs, gold, load_segmenter(list), skipped)
    assert (case.id, case.initial.tokens, case.segmentation.tokens) == ("2", ["他好"], ["他", "好"])
    assert skipped == {"pairs without gold": 1, "gold sentences without a pair": 1}
    assert digest_of([case], gold=True) != digest_of([], gold=True)
    for words in (["他", "坏"], Segmentation("她好", (2,))):
        with pytest.raises(SegmentationError, match="id 2"):
            make_cases(pairs, {"2": words}, load_segmenter(list), Counter())


def test_nothing_to_link_is_no_error() -> None:
    same = as_case("1", *[Segmentation("好", (1,))] * 3)
    assert SettingScorer([same], FEATURES).counts(Weights(), [0.3]) == [[Counts(1, 1, 1)]]
