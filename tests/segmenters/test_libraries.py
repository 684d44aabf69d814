import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.segmenters.libraries import pieces, with_unseen

from strategies import texts


@given(texts, st.none() | st.integers(1, 5))
def test_pieces_are_the_text_without_white_space(text: str, window: int | None) -> None:
    parts = pieces(text, window)
    assert "".join(parts) == "".join(text.split())
    assert all(part and (window is None or len(part) <= window) for part in parts)


@pytest.mark.parametrize(
    ("text", "window", "expected"),
    [
        ("你好。我们走", 6, ["你好。我们走"]),  # it fits
        ("你好。好！我们走吧", 7, ["你好。好！", "我们走吧"]),  # as long as it can be
        ("他说，我们走，吧你好", 8, ["他说，我们走，", "吧你好"]),  # a comma, where no stop is
        ("他。们说，我们走吧你", 8, ["他。", "们说，我们走吧你"]),  # but a stop before a comma
        ("我们明天去公园", 3, ["我们明", "天去公", "园"]),
        ("我 们", 5, ["我", "们"]),
        ("", 5, []),
    ],
)
def test_where_long_parts_are_cut(text: str, window: int, expected: list[str]) -> None:
    assert pieces(text, window) == expected


@pytest.mark.parametrize(
    ("piece", "words", "expected"),
    [
        ("我们", ["我", "们"], ["", "我", "们", ""]),
        ("\x00我\u0301", ["我"], ["\x00", "我", "\u0301"]),
        ("\u200b", [], ["", "\u200b"]),
        ("我们走", ["我们"], ["我们"]),  # cut off: not to be hidden
        ("我们走", [], []),
        ("去走", ["去", "，"], ["去", "，"]),
    ],
)
def test_only_what_cannot_be_seen_is_added(
    piece: str, words: list[str], expected: list[str]
) -> None:
    assert list(with_unseen(piece, words)) == expected
