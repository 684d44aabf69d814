"""What P3 knows of words: how a segmenter cut strings."""

from __future__ import annotations

from cijie.projection.evidence import Habits


def test_what_is_unknown_says_nothing() -> None:
    habits = Habits("mine", {})
    assert habits.habit("我们") == habits.freedom("我") == 0


def test_other_counts_have_another_name() -> None:
    assert Habits("mine", {1: (1, 0)}).name != Habits("mine", {1: (0, 1)}).name


def test_the_habits_of_wapic() -> None:
    habits = Habits.builtin()
    assert habits.segmenter.startswith("wapic-")
    assert habits.habit("我们") > 3
    assert habits.habit("不是") < -3
    assert habits.freedom("了") > 0 > habits.freedom("们")
