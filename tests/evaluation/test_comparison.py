from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie import Recoverer, compare, evaluate
from cijie.errors import CijieError, SegmentationError
from cijie.evaluation.counts import Counts, ErrorCounts
from cijie.evaluation.sentences import Sentences
from cijie.text.segmentation import Segmentation

from strategies import alike, words


def test_one_system() -> None:
    result = evaluate(["我 参加 了 旅行团", "好"], ["我 参加 了 旅行 团", "好"])
    assert result.tokens == Counts(5, 6, 4)
    assert (result.precision, result.recall, result.f1) == (4 / 6, 4 / 5, 8 / 11)
    assert result.errors == ErrorCounts(over=1)
    assert str(result) == (
        "F1 0.7273 (precision 0.6667, recall 0.8000; macro F1 0.8333; boundary F1 0.8571), "
        "1 of 2 sentences exact; errors: 1 over, 0 under, 0 drift"
    )
    assert result.signature.endswith("|score:token-f1|average:micro|sentences:2")


def test_sentences_come_in_many_forms() -> None:
    recovery = Recoverer(list, "direct").recover("好 的", "好的")
    forms: list[Sentences] = [
        ["好 的"],
        [["好", "的"]],
        [recovery],
        [Segmentation("好 的", (1, 3))],
        {"1": "好 的"},
        (form for form in ["好 的"]),
    ]
    for gold in forms[:-1]:
        for system in forms[:-1]:
            assert evaluate(gold, system).f1 == 1
    assert evaluate(*(iter(["好 的"]) for _ in range(2))).f1 == 1


def test_words_are_found_in_the_text_that_the_other_side_brings() -> None:
    text = Segmentation("手机 15元", (2, 5, 6))
    assert evaluate(["手机 15 元"], [text]).f1 == evaluate([text], ["手机 15 元"]).f1 == 1
    with pytest.raises(SegmentationError, match="^id 1: system: at offset 2: .* in token '手机15'"):
        evaluate([text], ["手机15 元"])


@given(st.lists(alike(2), max_size=4))
def test_a_system_that_is_gold_is_perfect(corpus: list[tuple[Segmentation, ...]]) -> None:
    gold = [sides[0] for sides in corpus]
    result = compare(gold, {"a": gold, "b": gold}, trials=9)
    assert result.systems["a"].f1 == (1 if any(map(len, gold)) else 0)
    assert result.tests["b", "a"].p_randomisation == 1
    assert result.contested_patterns.total() == result.systems["b"].errors.total == 0


def test_several_systems() -> None:
    systems = {"D": ["我参 加 旅行 团"], "P1": ["我参 加 旅行团"], "P2": ["我 参加 旅行团"]}
    result = compare(["我 参加 旅行团"], systems, trials=19, seed=2)
    assert list(result.systems) == ["D", "P1", "P2"]
    assert list(result.tests) == [("P1", "D"), ("P2", "D"), ("P2", "P1")]
    assert result.tests["P2", "P1"].difference == pytest.approx(2 / 3)
    assert result.token_patterns == {"bbg": 2, "bgg": 1}
    assert result.contested_patterns == {"bbg": 1, "bgg": 1}
    assert result.sentence_patterns == {"bbg": 1}
    assert result.contested_right == {"D": 0, "P1": 1, "P2": 2}
    assert result.signature.endswith("|sentences:1|trials:19|seed:2")


def test_texts_that_differ() -> None:
    gold, system = {"7": words("我 喜欢 妳")}, {"7": words("我 喜欢 你")}
    message = "id 7: the texts differ at offset 3: gold has '妳' (U+59B3), P1 has '你' (U+4F60)"
    with pytest.raises(SegmentationError) as error:
        compare(gold, {"P1": system})
    assert str(error.value) == message
    with pytest.raises(
        SegmentationError, match="at offset 2: gold has '妳' .* the end of the text"
    ):
        evaluate([words("喜欢 妳")], [words("喜欢")])


def test_more_and_fewer_sentences_than_gold() -> None:
    gold, more, fewer = {"1": "甲", "2": "乙"}, {"3": "丙", "2": "乙", "1": "甲"}, {"2": "乙"}
    assert compare(gold, {"more": more}).systems["more"].left_out == 1
    with pytest.raises(CijieError, match="^id 1: gold has this sentence, but fewer does not;"):
        compare(gold, {"more": more, "fewer": fewer})
    result = compare(gold, {"more": more, "fewer": fewer}, intersection=True)
    assert result.sentences == 1
    assert [each.left_out for each in result.systems.values()] == [2, 0]
    assert result.gold_left_out == 1
    with pytest.raises(CijieError, match="^id 2: system has this sentence, but gold does not$"):
        evaluate(["甲"], ["甲", "乙"])


def test_gold_can_be_a_system_and_keep_its_name() -> None:
    result = compare(["旅行团"], {"gold": ["旅行团"], "D": ["旅行 团"]}, trials=9)
    assert [evaluation.f1 for evaluation in result.systems.values()] == [1, 0]


def test_what_is_no_corpus() -> None:
    with pytest.raises(TypeError, match="expected a list of sentences, got a string"):
        evaluate("我 参加", "我 参加")
    with pytest.raises(TypeError, match="sentences by id, got None"):
        evaluate(["我 参加"], None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="system: sentence 2: expected words, .*, got None"):
        evaluate(["我", "你"], ["我", None])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="no system"):
        compare(["甲"], {})


def test_nothing() -> None:
    result = compare([], {"a": [], "b": []})
    assert (result.systems["a"].f1, result.tests["b", "a"].p_bootstrap) == (0, 1)
    assert evaluate([""], [""]).sentence_accuracy == 1
