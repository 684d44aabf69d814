import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.edits.edits import Edit, apply_edits, word_edits
from cijie.errors import CijieError

WORDS = st.lists(st.sampled_from(["我", "们", "我们", "昨天", "去", "了", "。"]), max_size=12)


def kinds(source: str, target: str) -> list[tuple[int, int, str, str]]:
    edits = word_edits(source.split(), target.split())
    return [(e.start, e.end, e.type, " ".join(e.correction)) for e in edits]


@given(WORDS, WORDS)
def test_edits_applied_give_the_target(source: list[str], target: list[str]) -> None:
    edits = word_edits(source, target)
    assert apply_edits(source, edits) == target
    assert bool(edits) == (source != target)


@given(WORDS, WORDS)
def test_types_say_what_an_edit_does(source: list[str], target: list[str]) -> None:
    for edit in word_edits(source, target):
        replaced, correction = source[edit.start : edit.end], list(edit.correction)
        assert replaced != correction
        assert (edit.type == "M") == (not replaced)
        assert (edit.type == "R") == (not correction)
        if edit.type == "S":
            assert replaced[0] != correction[0]
            assert replaced[-1] != correction[-1]
        if edit.type == "W":
            assert sorted(replaced) == sorted(correction)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("", "", []),
        ("", "去 了", [(0, 0, "M", "去 了")]),
        ("去 了", "", [(0, 2, "R", "")]),
        ("他 做 飞机", "他 坐 飞机", [(1, 2, "S", "坐")]),
        ("旅行 困 去", "旅行团 去", [(0, 2, "S", "旅行团")]),
        ("它 虽然 不 贵", "虽然 它 不 贵", [(0, 2, "W", "虽然 它")]),
        ("太 冷 冬天", "冷 冬天 太 多", [(0, 3, "W", "冷 冬天 太"), (3, 3, "M", "多")]),
        ("冷 冬天 太", "也 太 冷 冬天", [(0, 0, "M", "也"), (0, 3, "W", "太 冷 冬天")]),
        ("冷 冬天 太 多", "太 冷 冬天", [(0, 3, "W", "太 冷 冬天"), (3, 4, "R", "")]),
        ("很 太 冷 冬天", "冷 冬天 太", [(0, 1, "R", ""), (1, 4, "W", "冷 冬天 太")]),
    ],
)
def test_examples(source: str, target: str, expected: list[tuple[int, int, str, str]]) -> None:
    assert kinds(source, target) == expected


def test_a_word_that_moves_far_is_no_move() -> None:
    words = [chr(0x4E00 + k) for k in range(12)]
    near, far = words[:11], words
    assert [e.type for e in word_edits(["了", *near], [*near, "了"])] == ["W"]
    assert [e.type for e in word_edits(["了", *far], [*far, "了"])] == ["R", "M"]


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(1, 2, (), "R"), Edit(0, 1, (), "R")],
        [Edit(0, 2, (), "R"), Edit(1, 2, (), "R")],
        [Edit(1, 3, (), "R")],
        [Edit(2, 1, (), "R")],
    ],
)
def test_edits_that_do_not_fit(edits: list[Edit]) -> None:
    with pytest.raises(CijieError, match="out of order or range"):
        apply_edits(["我", "们"], edits)


def test_noop_changes_nothing() -> None:
    assert apply_edits(["我"], [Edit(-1, -1, ("-NONE-",), "noop")]) == ["我"]
