from collections.abc import Sequence

import pytest

from cijie.edits.edits import Edit, character_edits, word_edits
from cijie.edits.types import EditTyper, digits_of
from cijie.errors import CijieError


def types(source: str, target: str, typer: EditTyper) -> list[str]:
    words = source.split()
    return [edit.type for edit in typer.typed(words, word_edits(words, target.split()))]


@pytest.fixture(scope="module")
def typer() -> EditTyper:
    return EditTyper()


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("３ ： ３", "3 : 3", ["S:WIDTH"] * 3),
        ("ＯＫ", "OK", ["S:WIDTH"]),
        ("好 。", "好 ？", ["S:PUNCT"]),
        ("好", "好 ……", ["M:PUNCT"]),
        ("好 ， 好", "好 好", ["R:PUNCT"]),
        ("好 。 他", "好 ， 但是 他", ["S:OTHER"]),
        ("25 人", "二十五 人", ["S:NUM"]),
        ("二 个", "两 个", ["S:NUM"]),
        ("25 人", "二十六 人", ["S:OTHER"]),
        ("在 见", "再见", ["S:SPELL:SOUND"]),
        ("旅行困", "旅行团", ["S:SPELL:SHAPE"]),
        ("清况", "情况", ["S:SPELL:SHAPE-SOUND"]),
        ("在末", "再未", ["S:SPELL"]),
        ("味", "味道", ["S:CHAR:MISSING"]),
        ("学校生", "学生", ["S:CHAR:EXTRA"]),
        ("绍介", "介绍", ["S:CHAR:ORDER"]),
        ("毒 气", "毒气体", ["S:OTHER"]),
        ("高兴", "满意", ["S:OTHER"]),
        ("我 去", "去 我", ["W"]),
        ("我", "我 去", ["M:OTHER"]),
        ("我 去", "我", ["R:OTHER"]),
    ],
)
def test_categories(typer: EditTyper, source: str, target: str, expected: list[str]) -> None:
    assert types(source, target, typer) == expected


def test_characters_have_no_words() -> None:
    source = list("气味好")
    edits = character_edits(source, list("毒味道好"))
    assert [edit.type for edit in EditTyper("char").typed(source, edits)] == ["S:OTHER", "M:OTHER"]
    with pytest.raises(ValueError, match="requires words, not characters"):
        EditTyper("char", lambda words: list(words))


def test_a_tagger_adds_fields_of_speech() -> None:
    tags = {"很": "ADV", "高兴": "ADJ", "满意": "ADJ", "去": "VERB", "在 见": "VERB"}

    def tagger(words: Sequence[str]) -> list[str]:
        return [tags.get(word, "X") for word in words]

    typer = EditTyper(tagger=tagger)
    assert types("我 高兴", "我 很 满意", typer) == ["S:OTHER"]
    assert types("他 高兴 。", "他 满意 。", typer) == ["S:ADJ"]
    assert types("他 高兴", "他 很 高兴 去", typer) == ["M:ADV", "M:VERB"]
    assert types("去 的", "的", typer) == ["R:VERB"]
    assert types("旅行困", "旅行团", typer) == ["S:SPELL:SHAPE"]
    assert typer.signature.endswith(",given")


@pytest.mark.parametrize("tags", [[], ["A", "B", "C"], ["A", "B C"], ["A", "B|||"], ["A", ""]])
def test_a_tagger_that_does_not_give_one_tag_a_word(tags: list[str]) -> None:
    with pytest.raises(CijieError, match="the tagger gives"):
        EditTyper(tagger=lambda words: tags).typed(["我", "去"], [Edit(0, 1, (), "R")])


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("十", "10"),
        ("十二", "12"),
        ("二十", "20"),
        ("贰拾", "20"),
        ("二〇一一", "2011"),
        ("二00", "200"),
        ("１２", "12"),
        ("0", "0"),
        ("零", "0"),
    ],
)
def test_numbers(text: str, digits: str) -> None:
    assert digits_of(text) == digits


@pytest.mark.parametrize("text", ["", "百", "一百二", "十十", "1.2", "1,000", "第一", "半", "-1"])
def test_no_numbers(text: str) -> None:
    assert digits_of(text) is None
