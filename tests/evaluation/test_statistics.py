"""Statistics of parts add up to those of the whole, however it is divided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.report import render
from cijie.text.segmentation import Segmentation

from strategies import alike

NAMES = ("D", "P1", "P2")
corpora = st.lists(alike(1 + len(NAMES)), max_size=6)


def counted(sentences: Sequence[tuple[Segmentation, ...]]) -> Comparison:
    gold, *systems = ([sides[k] for sides in sentences] for k in range(1 + len(NAMES)))
    return compare(gold, dict(zip(NAMES, systems, strict=True)))


@given(corpora, st.randoms(use_true_random=False))
def test_grouping_and_order_do_not_matter(
    corpus: list[tuple[Segmentation, ...]], random: Random
) -> None:
    whole = counted(corpus)
    shuffled = random.sample(corpus, len(corpus))
    parts = [counted([sentence]) for sentence in shuffled]
    one_by_one = reduce(add, parts, Comparison())
    while len(parts) > 1:
        at = random.randrange(len(parts) - 1)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    total = sum(parts, counted([]))
    assert total == one_by_one + counted([]) == whole
    assert replace(total, trials=9).tests == replace(whole, trials=9).tests
    rendered = (render(replace(of, trials=20), "json") for of in (total, whole))
    assert next(rendered) == next(rendered)


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
