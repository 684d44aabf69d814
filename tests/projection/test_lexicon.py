"""How often a segmenter cut a string as one word, and how often into pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import FormatError
from cijie.projection.evidence import Habits, count_habits

words = st.lists(st.text("我们会，a", min_size=1, max_size=5), max_size=8)


def by_definition(texts: list[list[str]], string: str) -> tuple[int, int]:
    """Both counts of a string, over all spans of words."""
    one = several = 0
    for text in texts:
        for first in range(len(text)):
            for end in range(first + 1, len(text) + 1):
                if "".join(text[first:end]) == string:
                    one += end == first + 1
                    several += end > first + 1
        if len(string) == 1:
            several += sum(
                word.count(string)
                for word in text
                if len(word) > 1 and all(char in "我们会" for char in word)
            )
    return one, several


@given(st.lists(words, max_size=4))
def test_counts_are_those_of_the_definition(texts: list[list[str]]) -> None:
    habits = count_habits(texts, "mine")
    for string in ("我", "们", "我们", "会我", "我们会", "我们我们"):
        assert habits[string] == by_definition(texts, string)
    for string in ("a", "，", "我，", "a我", "我们会我们"):
        assert habits[string] == (0, 0)


def test_rare_strings_are_left_out_but_characters_stay() -> None:
    habits = count_habits([["我们", "会"], ["我们", "去"]], "mine", fewest=2)
    assert habits["我们"] == (2, 0)
    assert habits["会"] == (1, 0)
    assert habits["我们会"] == (0, 0)


def test_what_is_unknown_says_nothing() -> None:
    habits = Habits("mine", 0, {})
    assert habits.habit("我们") == habits.freedom("我") == 0


@given(st.lists(words, max_size=4))
def test_a_file_gives_back_what_was_counted(texts: list[list[str]]) -> None:
    habits = count_habits(texts, "mine")
    again = Habits.from_bytes(habits.to_bytes())
    assert again == habits
    assert again.name == habits.name
    assert again.to_bytes() == habits.to_bytes()


def test_other_counts_have_another_name() -> None:
    assert count_habits([["我们"]], "mine").name != count_habits([["我", "们"]], "mine").name


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY"])
def test_another_file_is_an_error(content: bytes) -> None:
    with pytest.raises(FormatError, match="not a file of habits"):
        Habits.from_bytes(content)


def test_the_habits_of_wapic() -> None:
    habits = Habits.builtin()
    assert habits.segmenter.startswith("wapic-")
    assert habits.habit("我们") > 3
    assert habits.habit("不是") < -3
    assert habits.freedom("了") > 0 > habits.freedom("们")
