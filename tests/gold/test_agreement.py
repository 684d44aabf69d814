from __future__ import annotations

from itertools import permutations, product
from math import isnan

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment.links import anchors
from cijie.evaluation.counts import boundary_counts
from cijie.evaluation.tables import render_tables
from cijie.gold.agreement import (
    NEAR,
    agreement,
    boundary_marks,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    near_errors,
)
from cijie.gold.annotation import Annotation, Effort, shared_sentences
from cijie.recovery.sentence import Sentence
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

from strategies import alike, plain_texts, texts, words

matrices = st.integers(2, 5).flatmap(
    lambda annotators: st.lists(
        st.lists(st.booleans(), min_size=annotators, max_size=annotators), min_size=1, max_size=30
    ).map(lambda rows: np.array(rows, np.bool_))
)


@given(matrices)
def test_alpha_is_one_minus_observed_by_expected_disagreement(marks: np.ndarray) -> None:
    values = marks.ravel()
    alpha = krippendorff_alpha(marks)
    if marks.all() or not marks.any():
        assert isnan(alpha)
        return
    observed = np.mean([[a != b for a, b in permutations(row, 2)] for row in marks])
    expected = np.mean([a != b for a, b in permutations(values, 2)])
    assert alpha == pytest.approx(1 - observed / expected)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_cohens_kappa_is_agreement_beyond_that_of_strangers(marks: list[tuple[bool, bool]]) -> None:
    a, b = np.array(marks, np.bool_).T
    observed = float(np.mean([x == y for x, y in marks]))
    # By chance: what one says of a position against what the other says of any.
    strangers = float(np.mean([x == y for (x, _), (_, y) in product(marks, marks)]))
    kappa = cohen_kappa(a, b)
    if strangers == 1:
        assert isnan(kappa)
    else:
        assert kappa == pytest.approx((observed - strangers) / (1 - strangers))


@given(matrices)
def test_fleiss_kappa_and_krippendorffs_alpha_differ_by_the_size_of_the_sample(
    marks: np.ndarray,
) -> None:
    # Alpha takes what two annotators agree in by chance from the sample without replacement.
    alpha, kappa, values = krippendorff_alpha(marks), fleiss_kappa(marks), marks.size
    if marks.all() or not marks.any():
        assert isnan(alpha)
        assert isnan(kappa)
    else:
        assert 1 - alpha == pytest.approx((1 - kappa) * (values - 1) / values)


def test_kappas_of_worked_examples() -> None:
    # Both yes 20, only one yes 5 and 10, both no 15: agreement .7, by chance .5.
    rows = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    a, b = np.array(rows, np.bool_).T
    assert cohen_kappa(a, b) == pytest.approx(0.4)
    assert cohen_kappa(a, a) == 1
    three = np.array([(1, 1, 1), (1, 1, 0), (0, 0, 0), (1, 0, 0)], np.bool_)
    # Agreeing pairs: 3, 1, 3, 1 of 3; half of the values are yes.
    assert fleiss_kappa(three) == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))


@given(alike(2))
def test_marks_count_what_boundary_counts_counts(versions: tuple[Segmentation, ...]) -> None:
    marks = boundary_marks(versions)
    counts = boundary_counts(*versions)
    assert marks.sum(axis=0).tolist() == [counts.gold, counts.system]
    assert int(marks.all(axis=1).sum()) == counts.correct


@given(st.one_of(st.tuples(texts, texts), st.tuples(plain_texts, plain_texts)))
def test_near_is_two_characters_from_a_difference(pair: tuple[str, str]) -> None:
    source, target = pair
    links = {i + k: j + k for i, j, size in anchors(source, target).anchors for k in range(size)}

    def in_step(i: int) -> bool:
        """Whether nothing differs between the code points i - 1 and i."""
        before = -1 if i == 0 else links.get(i - 1)
        after = len(target) if i == len(source) else links.get(i)
        return before is not None and after == before + 1

    split = characters(source)
    ends = [end for end, blank in zip(split.ends, split.blank, strict=True) if not blank][:-1]
    expected = [
        not all(in_step(i) for i in range(p - NEAR + 1, p + NEAR) if 0 <= i <= len(source))
        for p in ends
    ]
    assert near_errors(source, target).tolist() == expected


def test_the_whole_table() -> None:
    pairs = {
        "1": Sentence("1", "我们参加旅行困。", "我们参加旅行团。"),
        "2": Sentence("2", "好", "很好"),
        "3": Sentence("3", "", "好"),
        "4": Sentence("4", "他们来", "他们来"),
    }
    annotations = {
        "A": {"1": words("我们 参加 旅行困 。"), "4": words("他们 来")},
        "B": {"1": words("我们 参加 旅行 困 。"), "4": words("他们 来")},
        "C": {"1": words("我们 参加 旅行困 。"), "4": words("他们来")},
    }
    one, none = Annotation(Segmentation("好", (1,))), Annotation(Segmentation("", ()))
    given = {
        name: {"2": one, "3": none} | {id: Annotation(x) for id, x in versions.items()}
        for name, versions in annotations.items()
    }
    measured = agreement(shared_sentences(pairs, given, intersection=True), "ABC")
    assert (measured.sentences, measured.identical) == (4, 2)
    assert {name: work.words for name, work in measured.work.items()} == {"A": 7, "B": 8, "C": 6}
    assert measured.positions == {"all": 9, "near errors": 3, "elsewhere": 6}
    f1 = {names: group.f1 for names, group in measured.groups["all"].items()}
    assert f1 == {
        "A, B, C": pytest.approx((8 / 9 + 6 / 7 + 6 / 8) / 3),
        "A": pytest.approx((8 / 9 + 6 / 7) / 2),
        "B": pytest.approx((8 / 9 + 6 / 8) / 2),
        "C": pytest.approx((6 / 7 + 6 / 8) / 2),
        "A, B": pytest.approx(8 / 9),
        "A, C": pytest.approx(6 / 7),
        "B, C": pytest.approx(6 / 8),
    }
    near = measured.groups["near errors"]
    assert near["A, B"].f1 == pytest.approx(2 / 3)
    assert near["A, C"].f1 == near["A, C"].kappa == 1
    assert near["A, B, C"].f1 == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert near["A"].f1 == pytest.approx((2 / 3 + 1) / 2)
    text, json = (
        render_tables(measured.tables, measured.signature, format) for format in ("text", "json")
    )
    assert (
        text.splitlines()[0] == "Agreement of 3 annotators on 9 places; 2 of 4 sentences identical"
    )
    record = orjson.loads(json)
    assert record["agreement"]["rows"]["B, C"]["pairwise F1"] == pytest.approx(6 / 8)
    assert record["near-errors"]["rows"]["A, B"]["pairwise F1"] == pytest.approx(2 / 3)
    assert record["near-errors"]["caption"] == "Agreement near errors on 3 places"
    assert record["signature"] == measured.signature


def test_what_sentences_cost() -> None:
    pairs = {id: Sentence(id, "好吃", "很好吃") for id in "123"}
    cut, whole = words("好 吃"), words("好吃")
    given = {
        "A": {
            "1": Annotation(cut, effort=Effort(10.0, 4, 0)),
            "2": Annotation(cut, effort=Effort(20.0, 0, 3)),
        },
        "B": {"1": Annotation(whole, effort=Effort(36.0, 1, 1)), "2": Annotation(whole)},
        "C": dict.fromkeys("123", Annotation(whole)),
    }
    measured = agreement(shared_sentences(pairs, given, intersection=True), "ABC")
    *_, work = measured.tables
    assert work.lines[1:] == [
        ["A", "4", "2", "0.01", "15.0", "2.0", "1.5"],
        ["B", "2", "1", "0.01", "36.0", "1.0", "1.0"],
        ["C", "2", "0", "0.00", "-", "-", "-"],
    ]


def test_nothing_to_agree_on() -> None:
    measured = agreement([], "AB")
    assert measured.sentences == 0
    assert set(measured.positions.values()) == {0}
    assert isnan(measured.groups["all"]["A, B"].alpha)
    assert isnan(measured.groups["all"]["A, B"].kappa)
    groups, *_ = measured.tables
    assert groups.note.startswith("-: not defined")
    record = render_tables(measured.tables, measured.signature, "json")
    assert orjson.loads(record)["agreement"]["rows"]["A, B"]["alpha"] is None
