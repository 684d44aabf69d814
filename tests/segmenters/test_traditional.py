import pickle
from importlib.metadata import PackageNotFoundError, version
from unittest.mock import patch

import pytest

from cijie import recover
from cijie.errors import MissingExtraError, UsageError
from cijie.segmenters import load_segmenter

pytest.importorskip("opencc", reason="opencc is not installed: cijie[traditional] brings it")
pytest.importorskip("rjieba", reason="rjieba is not installed: cijie[rjieba] brings it")

TEXT, SIMPLE = "她看著圖書館裡的鐘發呆，覺得很無聊。", "她看着图书馆里的钟发呆，觉得很无聊。"
TRADITIONAL = {"traditional": True}


class _Longer:
    """A converter with an entry that is longer than what it stands for."""

    def __init__(self, config: str) -> None:
        pass

    def convert(self, text: str) -> str:
        return text.replace("圖書館", "公共图书馆").replace("圖", "图").replace("館", "食堂")


def test_words_are_those_of_the_simplified_copy_in_the_characters_of_the_text() -> None:
    [simple] = load_segmenter("rjieba").segment([SIMPLE])
    [result] = load_segmenter("rjieba", TRADITIONAL).segment([TEXT])
    assert result.text == TEXT
    assert result.boundaries == simple.boundaries
    [untouched] = load_segmenter("rjieba").segment([TEXT])
    assert untouched.boundaries != simple.boundaries


def test_each_character_stands_for_one_even_if_a_phrase_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert load_segmenter(list, TRADITIONAL).read(TEXT) == SIMPLE
    monkeypatch.setattr("opencc.OpenCC", _Longer)
    # 館 has no single character to stand for it.
    assert load_segmenter(list, TRADITIONAL).read("在圖書館") == "在图書館"


def test_the_signature_has_the_converter_with_its_version() -> None:
    plain, wrapped = (load_segmenter("rjieba", each) for each in ({}, TRADITIONAL))
    assert wrapped.name == f"{plain.name}+opencc-{version('opencc')}"


def test_words_to_keep_whole_are_in_the_characters_of_the_text() -> None:
    segmenter = load_segmenter("rjieba", TRADITIONAL, ["館裡"])
    [result] = segmenter.segment([TEXT])
    assert "館裡" in result.tokens
    assert segmenter.read("館裡") == "馆里"


def test_functions_take_it_too_and_it_is_on_or_off() -> None:
    seen = []
    segmenter = load_segmenter(lambda text: seen.append(text) or [text], TRADITIONAL)
    [result] = segmenter.segment([TEXT])
    assert (seen, result.tokens) == ([SIMPLE], [TEXT])
    assert load_segmenter("rjieba", {"traditional": False}).name == load_segmenter("rjieba").name
    with pytest.raises(UsageError, match="the option traditional must be on or off, not 'yes'"):
        load_segmenter("rjieba", {"traditional": "yes"})


def test_without_the_converter_the_extra_is_named() -> None:
    with (
        patch("cijie.segmenters.base.version", side_effect=PackageNotFoundError),
        pytest.raises(MissingExtraError, match=r"pip install 'cijie\[traditional\]'"),
    ):
        load_segmenter(list, TRADITIONAL)


def test_a_pickle_leaves_the_converter_behind() -> None:
    segmenter = load_segmenter("rjieba", TRADITIONAL)
    [result] = segmenter.segment([TEXT])
    assert list(pickle.loads(pickle.dumps(segmenter)).segment([TEXT])) == [result]


def test_p3_weighs_words_in_simplified_characters() -> None:
    tokens = {"source_tokens": ["他", "學", "習", "著"], "target_tokens": ["他", "學習", "着"]}
    simple = recover(
        "他学习着",
        "他学习着",
        source_tokens=["他", "学", "习", "着"],
        target_tokens=["他", "学习", "着"],
        segmenter=list,
    )
    plain, wrapped = (
        recover("他學習著", "他學習着", **tokens, segmenter=list, segmenter_options=each)
        for each in ({}, TRADITIONAL)
    )
    numbers = [
        {name: value for name, value, _ in each.doubts[0].evidence if name != "nearness"}
        for each in (simple, wrapped, plain)
    ]
    assert numbers[0] == numbers[1] != numbers[2]
