import pytest
from hypothesis import given

from cijie.text.characters import characters, is_plain

from strategies import texts


@given(texts)
def test_characters_cover_the_text_once_and_in_order(text: str) -> None:
    split = characters(text)
    assert "".join(text[a:b] for a, b in zip(split.starts, split.ends, strict=True)) == text
    for key, start, end, core in zip(
        split.keys, split.starts, split.ends, split.cores, strict=True
    ):
        assert start <= core < end
        assert text.startswith(key, core)


@given(texts)
def test_plain_texts_take_the_same_way_round(text: str) -> None:
    split = characters(text)
    one_each = [text[a:b] for a, b in zip(split.starts, split.ends, strict=True)] == list(text)
    if is_plain(text):
        assert one_each
        assert not any(split.blank)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("今天👩‍🏫好", ["今", "天", "👩‍🏫", "好"]),
        ("🇨🇳人", ["🇨🇳", "人"]),
        ("cafe\u0301店", ["c", "a", "f", "e\u0301", "店"]),
        ("葛\U000e0100城", ["葛\U000e0100", "城"]),
        ("没\u200b有", ["没\u200b", "有"]),
        ("\ufeff你好", ["\ufeff你", "好"]),
        ("你 \u200b", ["你", " ", "\u200b"]),
        ("か\u3099に", ["か\u3099", "に"]),
        ("一\r\n二", ["一", "\r\n", "二"]),
        ("一 \t\u3000二", ["一", " ", "\t", "\u3000", "二"]),
        ("\u0600 一", ["\u0600", " ", "一"]),
        ("\u06001", ["\u06001"]),
        ("\u0600\u0600 \u0903\u0903", ["\u0600\u0600", " ", "\u0903\u0903"]),
    ],
)
def test_what_is_one_character(text: str, parts: list[str]) -> None:
    split = characters(text)
    assert [text[a:b] for a, b in zip(split.starts, split.ends, strict=True)] == parts


def test_blank_is_white_space_and_zero_width_characters_after_nothing() -> None:
    split = characters("\u200b \u3000你\u200b\u00a0\u200b")
    assert list(split.keys) == ["\u200b", " ", "\u3000", "你", "\u00a0", "\u200b"]
    assert list(split.blank) == [1, 1, 1, 0, 1, 1]


@pytest.mark.parametrize(
    "part", ["🇨", "\u0903", "\u0600", "\u0600 ", "\u0903\u0301", "\u200b \u0903"]
)
def test_the_time_is_linear(part: str) -> None:
    """Otherwise it would take hours."""
    text = " " + part * 200_000 + " "
    assert characters(text).ends[-1] == len(text)
