"""Inputs that broke other tools, and their kin: one test for each way to be wrong.

The numbers are those of the project's list of such cases.
"""

from __future__ import annotations

import pytest

from cijie import Recoverer, Segmentation, SegmentationError, anchors


def recovered(source: str, target: str, target_words: str = "", **options: object) -> list[str]:
    """The words of `source`, cut into characters at first; words of the target by blanks."""
    method = options.pop("method", "p2")
    if method in {"p2", "p3"}:
        options = {"glyph_table": "identity", **options}
    recoverer = Recoverer(list, method, **options)  # type: ignore[arg-type]
    words = target_words.split() or None
    return recoverer.recover(source, target, target_tokens=words).words


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        # 1: a token across white space that it does not have
        ("手机 15 8 元", ["手机", "158", "元"], r"offset 5: expected ' ' .* found '8' .*'158'"),
        # 3: white space that the text does not have
        ("他花了3.8万", ["他", "花", "了", "3 . 8万"], r"offset 4: expected '\.' .* found ' '"),
        # 4: a character that no token covers
        ("十二月25号我们爬山", ["十二月", "25", "号", "我们", "爬"], r"offset 9: '山' .* no token"),
        ("十二月", ["十二月", "月"], "offset 3: expected the end of the text, found '月'"),
        # 5: as long, but another character; a normalised one
        (
            "打八·五折。",
            ["打", "八.五", "折", "。"],
            r"offset 2: expected '·' \(U\+00B7\), found '\.'",
        ),
        ("拾元", ["十", "元"], r"offset 0: expected '拾' \(U\+62FE\), found '十' \(U\+5341\)"),
        ("２个", ["2", "个"], r"expected '２' \(U\+FF12\), found '2' \(U\+0032\)"),
        ("caf\u00e9", ["cafe\u0301"], r"offset 3: expected 'é' \(U\+00E9\), found 'e'"),
    ],
)
def test_words_that_are_not_the_texts(text: str, words: list[str], message: str) -> None:
    with pytest.raises(SegmentationError, match=message):
        Segmentation.from_tokens(text, words)
    with pytest.raises(SegmentationError, match="^target_tokens: .*" + message):
        Recoverer(list, "p1").recover("我", text, target_tokens=words)


@pytest.mark.parametrize("blank", ["\u3000", "\u00a0", " ", "\u2003\t"])
def test_2_white_space_may_be_left_out_of_the_words(blank: str) -> None:
    target = f"老师说：{blank}明天放假"
    words = ["老师", "说", "：", "明天", "放假"]
    recovery = Recoverer(list, "p1").recover("老师说明天放假", target, target_tokens=words)
    end = 4 + len(blank)
    assert recovery.target_segmentation.spans[2:] == [(3, 4), (end, end + 2), (end + 2, end + 4)]
    assert recovery.words == ["老师", "说", "明天", "放假"]


def test_6_no_word_spans_a_blank_unless_a_target_word_does() -> None:
    source, target = "我学deep learning课", "我上deep learning课"
    assert recovered(source, target, "我 上 deep learning 课") == [
        "我",
        "学",
        "deep",
        "learning",
        "课",
    ]
    words = ["我", "上", "deep learning", "课"]
    recovery = Recoverer(list, "p1").recover(source, target, target_tokens=words)
    assert recovery.words == ["我", "学", "deep learning", "课"]
    assert recovered("旅 行团", "旅行团", "旅行团") == ["旅", "行", "团"]


def test_9_grapheme_clusters_stay_whole() -> None:
    source, target = "今天👩‍🏫很好🙂", "今天👩‍🏫非常好🙂"
    assert recovered(source, target, "今天 👩‍🏫 非常 好 🙂") == ["今天", "👩‍🏫", "很", "好", "🙂"]
    assert len(anchors(source, target)) == 7
    assert len(anchors("👩‍🏫", "👩‍🔬")) == 0
    assert len(anchors("👩", "👩‍🏫")) == 0


def test_10_characters_beyond_the_basic_plane() -> None:
    recovery = Recoverer(list).recover(
        "𪚥先生来了", "𪚥先生来过了", target_tokens=["𪚥", "先生", "来过", "了"]
    )
    assert recovery.words == ["𪚥", "先生", "来", "了"]
    assert recovery.spans[0] == (0, 1)
    assert recovered("𠮷田", "吉田", "吉田") == ["𠮷", "田"]
    assert recovered("𠮷田", "吉田", "吉田", method="p3") == ["𠮷田"]


@pytest.mark.parametrize("method", ["p1", "p2", "p3"])
def test_11_mixed_scripts_and_punctuation(method: str) -> None:
    assert recovered("他说OK……真得", "他说OK……真的", "他 说 OK …… 真的", method=method)[:4] == [
        "他",
        "说",
        "OK",
        "……",
    ]


def test_13_composed_and_decomposed_are_different_characters_in_their_places() -> None:
    links = anchors("cafe\u0301店", "caf\u00e9店").links
    assert [(link.source, link.target) for link in links] == [(0, 0), (1, 1), (2, 2), (5, 4)]
    assert recovered("葛\U000e0100城", "葛城", "葛城")[0].startswith("葛\U000e0100")


def test_14_anchors_are_equal_code_points() -> None:
    links = anchors("买了２个㎡", "买了2个m2").links
    assert [(link.source, link.target) for link in links] == [(0, 0), (1, 1), (3, 3)]


def test_15_zero_width_characters_are_no_words() -> None:
    assert recovered("没\u200b有错", "没有错", "没有 错") == ["没\u200b有", "错"]
    assert recovered("\ufeff我们", "我们", "我们") == ["\ufeff我们"]


def test_16_nothing_is_converted() -> None:
    recovery = Recoverer(list).recover("我去圖書舘", "我去图书馆")
    assert "".join(recovery.words) == "我去圖書舘"


def test_17_18_repeated_characters() -> None:
    assert recovered("他高兴地地跑", "他高兴地跑", "他 高兴 地 跑") == [
        "他",
        "高兴",
        "地",
        "地",
        "跑",
    ]
    assert recovered("天天天见", "天天见", "天天 见") == ["天天", "天", "见"]
    assert recovered("他很很很好", "他很好", "他 很 好") == list("他很很很好")


def test_19_a_moved_block_keeps_its_inner_boundaries() -> None:
    source, target = "因为下雨我昨天没去学校", "我昨天因为下雨没去学校"
    recovery = Recoverer(list, "p2", glyph_table="identity", threshold=0.7).recover(
        source, target, target_tokens=["我", "昨天", "因为", "下雨", "没", "去", "学校"]
    )
    assert recovery.words == ["因为", "下雨", "我", "昨天", "没", "去", "学校"]
    assert recovery.alignment.crossings == len(recovery.alignment.residuals) == 3


@pytest.mark.parametrize("method", ["direct", "p1", "p2", "p3"])
def test_20_empty_and_unrelated_texts(method: str) -> None:
    for source, target, words in [
        ("", "我们", []),
        ("我们", "", ["我", "们"]),
        ("", "", []),
        ("ABC", "你好", ["A", "B", "C"]),
    ]:
        recovery = Recoverer(list, method).recover(source, target)  # type: ignore[arg-type]
        assert recovery.words == words
        assert recovery.alignment.source_coverage == recovery.alignment.target_coverage == 0
        assert recovery.alignment.crossings == 0
