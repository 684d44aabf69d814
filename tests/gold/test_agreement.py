from __future__ import annotations

from itertools import permutations
from math import isnan

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.evaluation.counts import boundary_counts
from cijie.evaluation.tables import render_tables
from cijie.gold.agreement import agreement, boundary_marks, krippendorff_alpha
from cijie.gold.annotation import Annotation, Effort, shared_sentences
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from strategies import alike, words

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


@given(alike(2))
def test_marks_count_what_boundary_counts_counts(versions: tuple[Segmentation, ...]) -> None:
    marks = boundary_marks(versions)
    counts = boundary_counts(*versions)
    assert marks.sum(axis=0).tolist() == [counts.gold, counts.system]
    assert int(marks.all(axis=1).sum()) == counts.correct


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
    assert measured.positions == 9
    f1 = {names: group.f1 for names, group in measured.groups.items()}
    assert f1 == {
        "A, B, C": pytest.approx((8 / 9 + 6 / 7 + 6 / 8) / 3),
        "A, B": pytest.approx(8 / 9),
        "A, C": pytest.approx(6 / 7),
        "B, C": pytest.approx(6 / 8),
    }
    text, json = (
        render_tables(measured.tables, measured.signature, format) for format in ("text", "json")
    )
    assert (
        text.splitlines()[0] == "Agreement of 3 annotators on 9 places; 2 of 4 sentences identical"
    )
    record = orjson.loads(json)
    assert record["agreement"]["rows"]["B, C"]["pairwise F1"] == pytest.approx(6 / 8)
    assert record["signature"] == measured.signature


def test_what_sentences_cost() -> None:
    pairs = {id: Sentence(id, "好吃", "很好吃") for id in "123"}
    cut, whole = words("好 吃"), words("好吃")
    given = {
        "A": {
            "1": Annotation(cut, effort=Effort(10.0)),
            "2": Annotation(cut, effort=Effort(20.0)),
        },
        "B": {"1": Annotation(whole, effort=Effort(36.0)), "2": Annotation(whole)},
        "C": dict.fromkeys("123", Annotation(whole)),
    }
    measured = agreement(shared_sentences(pairs, given, intersection=True), "ABC")
    _, work = measured.tables
    assert work.lines[1:] == [
        ["A", "4", "2", "0.01", "15.0"],
        ["B", "2", "1", "0.01", "36.0"],
        ["C", "2", "0", "0.00", "-"],
    ]


def test_nothing_to_agree_on() -> None:
    measured = agreement([], "AB")
    assert measured.sentences == measured.positions == 0
    assert isnan(measured.groups["A, B"].alpha)
    groups, _ = measured.tables
    assert groups.note.startswith("-: not defined")
    record = render_tables(measured.tables, measured.signature, "json")
    assert orjson.loads(record)["agreement"]["rows"]["A, B"]["alpha"] is None
