from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie import Recoverer, Segmentation, WordList

from strategies import PLAIN, plain_texts, segmentations

word_lists = st.lists(st.lists(st.sampled_from(PLAIN), min_size=1, max_size=3).map("".join))


def kept(words: list[str], cut: str) -> str:
    text = cut.replace("|", "")
    return "|".join(
        WordList(words).keep_whole(Segmentation.from_tokens(text, cut.split("|"))).tokens
    )


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (["旅行团"], "去|旅行|团长|家", "去|旅行团|长|家"),
        (["旅行", "旅行团"], "旅|行|团|旅|行", "旅行团|旅行"),  # the longest
        (["旅行", "行团长"], "旅|行|团|长", "旅行|团|长"),  # from the left
        (["天天"], "天|天|天", "天天|天"),
        (["了"], "来了", "来了"),  # one character is not looked for
        (["👩\u200d🏫"], "好👩\u200d🏫", "好👩\u200d🏫"),  # nor one cluster
        (["没有"], "没\u200b|有错", "没\u200b有|错"),
        (["好cafe"], "好|cafe\u0301", "好|cafe\u0301"),  # another character at the end
        (["AI", "12"], "M|AI|N|2012|年", "M|AI|N|2012|年"),  # within a run of letters or digits
        (["AI课"], "上|AI|课", "上|AI课"),
        ([], "旅行", "旅行"),
    ],
)
def test_keep_whole(words: list[str], before: str, after: str) -> None:
    assert kept(words, before) == after


def test_white_space_within_a_word_is_kept_by_a_listed_word_only() -> None:
    text = Segmentation.from_tokens("学 deep learning 课", ["学", "deep", "learning", "课"])
    assert WordList(["deep learning"]).keep_whole(text).tokens == ["学", "deep learning", "课"]
    assert WordList(["deeplearning"]).keep_whole(text) == text


@given(segmentations(), word_lists)
def test_every_occurrence_is_a_word_and_the_rest_is_as_it_was(
    segmentation: Segmentation, words: list[str]
) -> None:
    listed = WordList(words)
    found = listed.occurrences(segmentation.text)
    result = listed.keep_whole(segmentation)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert {(each.start, each.end) for each in found} <= set(result.spans)
    touched = {at for each in found for at in range(each.start, each.end + 1)}
    # Where white space precedes an occurrence, the word before it ends before the white space.
    split = segmentation.characters
    ends = [end for end, blank in zip(split.ends, split.blank, strict=True) if not blank]
    touched |= {max([0, *(end for end in ends if end <= each.start)]) for each in found}
    assert set(segmentation.boundaries) ^ set(result.boundaries) <= touched
    assert listed.keep_whole(result) == result


@given(word_lists, plain_texts)
def test_occurrences_are_those_of_a_plain_search(words: list[str], text: str) -> None:
    expected = []
    at = 0
    while at < len(text):
        here = [w for w in words if len(w) > 1 and text.startswith(w, at)]
        here = [w for w in here if not _splits_run(text, at) and not _splits_run(text, at + len(w))]
        longest = max(here, key=len, default="")
        if longest:
            expected.append((at, longest))
        at += len(longest) or 1
    assert [(each.start, each.word) for each in WordList(words).occurrences(text)] == expected


def _splits_run(text: str, at: int) -> bool:
    return 0 < at < len(text) and {text[at - 1], text[at]} <= {"a", "2"}


def test_a_word_list_does_not_depend_on_order_or_repetition() -> None:
    once, twice = WordList(["旅行", "团长"]), WordList(["团长", "旅行", "团长", "了"])
    assert once.signature == twice.signature
    assert len(twice) == 2
    assert "旅行" in twice
    assert "了" not in twice


def test_the_name_of_a_file_is_not_a_list_of_words() -> None:
    with pytest.raises(TypeError, match="expected a list of words, got a string: 'words.txt'"):
        Recoverer(list, user_words="words.txt")


def test_user_words_hold_for_source_and_target() -> None:
    recoverer = Recoverer(list, "direct", user_words=["旅行"])
    recovery = recoverer.recover("旅行困", "旅行团")
    assert recovery.words == ["旅行", "困"]
    assert recovery.target_segmentation.tokens == ["旅行", "团"]
    assert f"segmenter:function:list+{WordList(['旅行']).signature}|" in recoverer.signature
