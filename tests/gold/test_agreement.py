from __future__ import annotations

from dataclasses import asdict
from itertools import product
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
    agreement_record,
    agreement_tables,
    boundary_marks,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    near_errors,
)
from cijie.gold.annotation import Annotation, Effort
from cijie.gold.versions import shared_sentences
from cijie.recovery.sentence import Sentence
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

from strategies import alike, plain_texts, texts, words

matrices = st.integers(2, 5).flatmap(
    lambda annotators: st.lists(
        st.lists(st.booleans(), min_size=annotators, max_size=annotators), min_size=1, max_size=30
    ).map(lambda rows: np.array(rows, np.bool_))
)


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
    links = {link.source: link.target for link in anchors(source, target).links}

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
    assert "effort" not in [table.name for table in agreement_tables(measured)]
    assert {name: region.positions for name, region in measured.regions.items()} == {
        "all": 9,
        "near errors": 3,
        "elsewhere": 6,
    }
    near = measured.regions["near errors"]
    ab, ac, _ = near.pairs
    assert (ab.a, ab.b, ab.f1) == ("A", "B", pytest.approx(2 / 3))
    assert ac.f1 == ac.cohen_kappa == 1
    assert near.pairwise_f1 == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert near.of_annotator("A")[0] == pytest.approx((2 / 3 + 1) / 2)
    text = render_tables(
        agreement_tables(measured), agreement_record(measured), measured.signature, "text"
    )
    assert text.splitlines()[0] == (
        "Agreement of 3 annotators on boundaries; 2 of 4 sentences identical"
    )
    record = orjson.loads(
        render_tables(
            agreement_tables(measured), agreement_record(measured), measured.signature, "json"
        )
    )
    assert record["regions"]["near errors"]["pairs"][0]["f1"] == pytest.approx(2 / 3)
    assert record["signature"] == measured.signature


def test_what_sentences_cost() -> None:
    pairs = {id: Sentence(id, "好吃", "很好吃") for id in "123"}
    cut, whole = words("好 吃"), words("好吃")
    given = {
        "A": {
            "1": Annotation(cut, start="agreed", effort=Effort(10.0, 4, 0)),
            "2": Annotation(cut, start="agreed", effort=Effort(20.0, 0, 3)),
            "3": Annotation(cut, start="none", effort=Effort(60.0, 2, 0)),
        },
        "B": {"1": Annotation(whole, effort=Effort(36.0, 1, 1)), "2": Annotation(whole)},
        "C": dict.fromkeys("123", Annotation(whole)),
    }
    measured = agreement(shared_sentences(pairs, given, intersection=True), "ABC")
    [effort] = [table for table in agreement_tables(measured) if table.name == "effort"]
    assert effort.lines[1:] == [
        ["A", "2", "0.01", "15.0", "2.0", "1.5", "agreed"],
        ["B", "1", "0.01", "36.0", "1.0", "1.0", ""],
        ["C", "0", "0.00", "-", "-", "-", ""],
    ]
    assert asdict(measured.work["A"]) == {
        "words": 4,
        "start": ("agreed",),
        "counted": 2,
        "seconds": 30.0,
        "median": 15.0,
        "keys": 4,
        "clicks": 3,
    }


def test_nothing_to_agree_on() -> None:
    measured = agreement([], "AB")
    assert measured.sentences == 0
    assert isnan(measured.regions["all"].alpha)
    assert isnan(measured.regions["all"].fleiss_kappa)
    record = render_tables(
        agreement_tables(measured), agreement_record(measured), measured.signature, "json"
    )
    assert orjson.loads(record)["regions"]["all"]["alpha"] is None
