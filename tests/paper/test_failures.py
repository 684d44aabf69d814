from __future__ import annotations

import re
from itertools import product
from typing import get_args

import pytest

from cijie import Recoverer, Segmentation
from cijie.alignment.links import anchors
from cijie.choices import JoinRule, Method
from cijie.corpora.segmentations import source_checksum
from cijie.paper import failures
from cijie.paper.failures import appendix_table, example_tables, examples
from cijie.paper.reproduction import Reproduction
from cijie.projection.boundaries import project


def test_the_examples_are_wrong_in_the_way_that_they_say() -> None:
    outcomes = [table.rows[-1][1:] for table in example_tables()]
    assert outcomes == [
        ("b b b", "b b b", "b b b"),
        ("g g g", "g b b", "g b b"),
        ("g g g", "g g g", "g b b"),
        ("g g b", "g g b", "g g b"),
    ]
    for example, found in zip(examples(), outcomes, strict=True):
        assert re.search("[gb] [gb] [gb]", example.name)[0] in found  # type: ignore[index]
        assert example.initial.replace(" ", "") == example.gold.replace(" ", "")


RULES = get_args(JoinRule)


def joined(initial: str, target: str, *methods: Method) -> list[tuple[str, ...]]:
    """The words under each rule, a tuple for each method, when the words are given."""
    return [
        tuple(
            str(
                Recoverer(list, method, join_rule=rule).recover(
                    initial.replace(" ", ""),
                    target.replace(" ", ""),
                    source_tokens=initial.split(),
                    target_tokens=target.split(),
                )
            )
            for rule in RULES
        )
        for method in methods
    ]


def test_the_papers_second_failure_follows_where_the_target_is_one_word() -> None:
    apart, together = "音乐 调", "音乐调"
    assert joined(apart, "音乐曲调", "p1", "p2") == [(apart, together, together)] * 2
    assert joined(apart, "音乐 曲调", "p1", "p2") == [(apart,) * 3] * 2


def test_the_papers_third_failure_follows_from_no_correction_without_its_last_character() -> None:
    source = Segmentation.from_tokens("给人予", ["给", "人", "予"])
    tried = 0
    for length in range(1, 6):
        for characters in product("给人以", repeat=length):
            target = "".join(characters)
            alignment = anchors(source.text, target)
            for cuts in product((False, True), repeat=length - 1):
                ends = [at for at, cut in enumerate(cuts, start=1) if cut]
                words = Segmentation(target, (*ends, length))
                for rule in RULES:
                    tried += 1
                    found = project(source, words, alignment, join_rule=rule).segmentation
                    assert 2 in found.boundaries, (str(words), rule)
    assert tried == 13_995
    # With a correction that has it, P2 joins more than the paper has, and P1 nothing.
    assert joined("给 人 予", "给予 人", "p1", "p2") == [
        ("给 人 予",) * 3,
        ("给 人 予", "给 人 予", "给人予"),
    ]


def test_the_papers_sentences_are_shown_if_the_pairs_have_them(
    results: Reproduction, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert appendix_table(results) is None
    source = results.recoveries["D"]["0"].source
    known = {"0": source_checksum(source), "1": source_checksum("another sentence"), "99": ""}
    monkeypatch.setattr(failures, "APPENDIX", known)
    table = appendix_table(results)
    assert table is not None
    assert [row[0] for row in table.rows] == [
        "0, target", "0, gold", "0, D", "0, P1", "0, P2"
    ]  # fmt: skip
    assert table.rows[1][1] == "我 参加 了 旅行困"
    del known["0"]
    assert appendix_table(results) is None
