import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.edits.edits import Edit, apply_edits, character_edits, word_edits
from cijie.errors import CijieError

CHARACTERS = st.lists(st.sampled_from("我们昨天去了。"), max_size=12)
WORDS = st.lists(st.sampled_from(["我", "们", "我们", "昨天", "去", "了", "。"]), max_size=12)


def kinds(source: str, target: str) -> list[tuple[int, int, str, str]]:
    edits = word_edits(source.split(), target.split())
    return [(e.start, e.end, e.type, " ".join(e.correction)) for e in edits]


@given(WORDS, WORDS)
def test_edits_applied_give_the_text_of_the_target(source: list[str], target: list[str]) -> None:
    edits = word_edits(source, target)
    applied = apply_edits(source, edits)
    assert "".join(applied) == "".join(target)
    assert bool(edits) == ("".join(source) != "".join(target))
    assert word_edits(source, applied) == edits


@given(CHARACTERS, CHARACTERS)
def test_edits_of_characters_applied_give_the_target(source: list[str], target: list[str]) -> None:
    assert apply_edits(source, character_edits(source, target)) == target


@given(WORDS, WORDS)
def test_types_say_what_an_edit_does(source: list[str], target: list[str]) -> None:
    for edit in word_edits(source, target):
        replaced, correction = source[edit.start : edit.end], list(edit.correction)
        assert "".join(replaced) != "".join(correction)
        if edit.type != "W":
            assert (edit.type == "M") == (not replaced)
            assert (edit.type == "R") == (not correction)
            assert edit.type != "S" or replaced[-1] != correction[-1]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("", "", []),
        ("", "去 了", [(0, 0, "M", "去 了")]),
        ("去 了", "", [(0, 2, "R", "")]),
        ("他 做 飞机", "他 坐 飞机", [(1, 2, "S", "坐")]),
        ("旅行 困 去", "旅行团 去", [(0, 2, "S", "旅行团")]),
        ("当 个 好 人", "变成 一个 好 人", [(0, 1, "S", "变成"), (1, 2, "S", "一个")]),
        ("不用 说 了", "不用说 啦", [(2, 3, "S", "啦")]),
        ("看 书 的话", "看书 的 话 就", [(3, 3, "M", "就")]),
        ("它 虽然 不 贵", "虽然 它 不 贵", [(0, 2, "W", "虽然 它")]),
        ("太 冷 冬天", "冷 冬天 太 多", [(0, 3, "W", "冷 冬天 太"), (3, 3, "M", "多")]),
        ("冷 冬天 太", "也 太 冷 冬天", [(0, 0, "M", "也"), (0, 3, "W", "太 冷 冬天")]),
        ("冷 冬天 太 多", "太 冷 冬天", [(0, 3, "W", "太 冷 冬天"), (3, 4, "R", "")]),
        ("很 太 冷 冬天", "冷 冬天 太", [(0, 1, "R", ""), (1, 4, "W", "冷 冬天 太")]),
    ],
)
def test_examples(source: str, target: str, expected: list[tuple[int, int, str, str]]) -> None:
    assert kinds(source, target) == expected


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        # However far: what lies between stays in place.
        ("了 一 二 三 四 五", "一 二 三 四 五 了", [(0, 6, "W", "一 二 三 四 五 了")]),
        ("书 在 手 在 画", "画 在 手 在 书", [(0, 5, "W", "画 在 手 在 书")]),
        # With a word more, or fewer, on the way.
        ("需要 光 为了 不 怕", "为了 不 怕 而 需要 光", [(0, 5, "W", "为了 不 怕 而 需要 光")]),
        ("为 小猫 也 很 着急", "也 很 着急 小猫", [(0, 5, "W", "也 很 着急 小猫")]),
        # Half of it is not the same any more.
        ("很 多 人 来", "人 来 很", [(0, 2, "R", ""), (4, 4, "M", "很")]),
        # A comma that moves is one too many and one too few.
        ("， 他 来 了", "他 来 了 ，", [(0, 1, "R", ""), (4, 4, "M", "，")]),
        # Neither two reorderings nor what has another edit between.
        ("二 一 在 四 三", "一 二 在 三 四", [(0, 2, "W", "一 二"), (3, 5, "W", "三 四")]),
        (
            "书 在 手 不 远",
            "在 脚 不 远 书",
            [(0, 1, "R", ""), (2, 3, "S", "脚"), (5, 5, "M", "书")],
        ),
    ],
)
def test_moves(source: str, target: str, expected: list[tuple[int, int, str, str]]) -> None:
    assert kinds(source, target) == expected


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


def test_words_may_be_an_array() -> None:
    before, after = np.array(["我", "去"]), np.array(["我", "走"])
    assert word_edits(before, after) == word_edits(["我", "去"], ["我", "走"])  # type: ignore[arg-type]


def test_a_string_is_no_list_of_words() -> None:
    with pytest.raises(TypeError, match="^target must be a list of words, not '我 去'$"):
        word_edits(["我", "去"], "我 去")
