"""Statistics of parts add up to those of the whole, however it is divided."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.evaluation.comparison import Comparison, compare, count_all
from cijie.evaluation.report import render
from cijie.text.segmentation import Segmentation

from strategies import alike

NAMES = ("D", "P1", "P2")
corpora = st.lists(alike(1 + len(NAMES)), max_size=6)


@given(corpora, st.randoms(use_true_random=False))
def test_grouping_and_order_do_not_matter(
    corpus: list[tuple[Segmentation, ...]], random: Random
) -> None:
    whole = count_all(NAMES, corpus)
    shuffled = random.sample(corpus, len(corpus))
    parts = [count_all(NAMES, [sentence]) for sentence in shuffled]
    one_by_one = reduce(add, parts, Comparison())
    while len(parts) > 1:
        at = random.randrange(len(parts) - 1)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    total = sum(parts, count_all(NAMES, []))
    assert total == one_by_one + count_all(NAMES, []) == whole
    rendered = (render(replace(of, trials=20), "json") for of in (total, whole))
    assert next(rendered) == next(rendered)


@given(corpora)
def test_a_comparison_is_that_of_its_statistics(corpus: list[tuple[Segmentation, ...]]) -> None:
    gold = [sides[0] for sides in corpus]
    systems = {name: [sides[k] for sides in corpus] for k, name in enumerate(NAMES, start=1)}
    found = compare(gold, systems)
    assert found == count_all(NAMES, corpus)
    assert replace(found, trials=9) == compare(gold, systems, trials=9)


def test_what_is_left_out_adds_up() -> None:
    one = compare({"1": "甲", "2": "乙"}, {"D": {"1": "甲"}}, intersection=True)
    total = one + one + compare({}, {"D": {"3": "丙"}})
    assert (total.sentences, total.systems["D"].left_out, total.gold_left_out) == (2, 1, 2)


def test_statistics_of_other_systems_do_not_add_up() -> None:
    one, other = (compare(["甲"], {name: ["甲"]}) for name in ("D", "P1"))
    with pytest.raises(ValueError, match="expected the systems"):
        one + other


def test_size_is_that_of_the_variety() -> None:
    part = compare(["我 参加"] * 50, {"D": ["我 参 加"] * 50, "P1": ["我 参加"] * 50})
    total = reduce(add, [part] * 100)
    assert total.sentences == 5_000
    assert [len(histogram) for histogram in total.pairs.values()] == [1]
