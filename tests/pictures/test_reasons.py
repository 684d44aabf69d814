from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given

from cijie.alignment.links import Alignment
from cijie.pictures.reasons import reasons, reasons_by
from cijie.pictures.wording import message
from cijie.projection.boundaries import Doubt
from cijie.projection.evidence import NUMBERS, Model
from cijie.recovery.methods import Method
from cijie.text.segmentation import Segmentation

from recovered import SUBSTITUTED, projected, recovered
from strategies import aligned

LOOKS_LIKE = ", and 困 looks like 团 (similarity .89)"


@pytest.mark.parametrize(
    ("source", "target", "method", "reason"),
    [
        (*SUBSTITUTED, "p2", f"旅行困 is one word, because 旅行团 is{LOOKS_LIKE}."),
        (
            *("我 毕业 一 后", "我 毕业 以后", "p3"),
            "一后 is one word, because 以后 is, and 一 sounds like 以 (similarity .91).",
        ),
        (
            *("吃 么 什", "吃 什么", "p2"),
            "么什 is one word, because 什么 is, and 什 is the same character in another place.",
        ),
        ("来了", "来 了", "p1", "来了 is cut after 来, because 来 ends there in the target."),
        ("旅 行 团", "旅行团", "p1", "旅行团 is one word, as in the target."),
    ],
)
def test_sentences(source: str, target: str, method: Method, reason: str) -> None:
    [found] = reasons(recovered(source, target, method))
    assert str(found) == reason
    assert found.followed


def test_both_sides_of_a_shifted_boundary() -> None:
    found = reasons(recovered("旅行 困难 了", "旅行团 难 了", "p2"))
    assert list(map(str, found)) == [
        f"旅行困 is one word, because 旅行团 is{LOOKS_LIKE}.",
        f"困难 is cut after 困, because 旅行团 ends there in the target{LOOKS_LIKE}.",
    ]


def test_what_was_weighed_and_left_alone_has_a_reason() -> None:
    recovery = recovered("旅 行 困", "旅 行 困", "direct")
    doubts = (
        Doubt(1, True, 0.8, (0, 2), "旅行"),
        Doubt(2, False, 0.7, (1, 2), "行"),
    )
    kept, whole = reasons(replace(recovery, doubts=doubts))
    assert str(kept) == "旅|行 stay apart, although 旅行 is one word in the target."
    assert kept.sure() == ".80 sure; otherwise 旅行 (.20)"
    assert str(whole).startswith("行困 is not cut after 行, although 行 ends there") or whole.pieces


def test_confidence_and_runner_up() -> None:
    [reason] = reasons(recovered(*SUBSTITUTED))
    assert reason.confidence is not None
    assert reason.confidence > 0.9
    assert "otherwise 旅行|困 (" in reason.sure()
    assert "likeness 0.89 (+" in reason.weighed()
    assert "；相似度 0.89 (+" in reason.weighed("zh")
    assert not re.search("[a-z]", reason.weighed("zh"))


def test_all_that_is_weighed_has_a_name_in_both_languages() -> None:
    for name in (*NUMBERS, *Model.builtin().weights):
        assert message(f"number.{name}", "en") == name
        assert not re.search("[a-z]", message(f"number.{name}", "zh"))


def test_methods_that_say_the_same_say_it_together() -> None:
    groups = reasons_by({name: recovered(*SUBSTITUTED, name) for name in ("p1", "p2", "p3")})
    assert [list(group) for group in groups] == [["p2", "p3"]]


@given(aligned())
def test_every_change_has_one_reason(pair: tuple[Segmentation, Segmentation, Alignment]) -> None:
    recovery = projected(*pair)
    found = reasons(recovery)
    assert sorted(at for reason in found for at in reason.places) == [
        change.at for change in recovery.changes
    ]
    for reason in found:
        assert all(reason.pieces)
        assert str(reason).endswith(".")
