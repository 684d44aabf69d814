import pickle
import re
from collections.abc import Iterator
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cijie
from cijie import Pair, Recoverer, SegmentationError
from cijie.errors import CijieError
from cijie.recovery.methods import make_method
from cijie.text.segmentation import Segmentation

from strategies import texts


def pairwise_words(text: str) -> list[str]:
    """Cuts a text into words of two characters, whatever they are."""
    return re.findall("..?", text, re.DOTALL)


@given(st.lists(st.tuples(texts, texts), max_size=6), st.integers(1, 4))
def test_a_stream_gives_what_single_calls_give(
    pairs: list[tuple[str, str]], batch_size: int
) -> None:
    stream = Recoverer(pairwise_words, glyph_table="identity", batch_size=batch_size)
    single = Recoverer(pairwise_words, glyph_table="identity")
    recovered = list(stream.recover_all(pairs))
    assert recovered == [single.recover(*pair) for pair in pairs]
    for (source, target), recovery in zip(pairs, recovered, strict=True):
        assert (recovery.source, recovery.target) == (source, target)
        assert recovery.segmentation.text == source


@given(st.tuples(texts, texts))
def test_direct_segmentation_ignores_the_target(pair: tuple[str, str]) -> None:
    recovery = Recoverer(pairwise_words, "direct").recover(*pair)
    expected = Segmentation.from_tokens(
        pair[0], [part for word in pairwise_words(pair[0]) for part in word.split()]
    )
    assert recovery.segmentation == recovery.initial == expected
    assert len(recovery.alignment) == 0


@given(texts)
def test_a_text_recovered_from_itself_has_the_targets_words(text: str) -> None:
    words = pairwise_words(text)
    recovery = Recoverer(list, "p1").recover(text, text, target_tokens=words)
    assert recovery.segmentation == recovery.target_segmentation


def test_a_stream_is_lazy() -> None:
    asked = []

    def pairs() -> Iterator[tuple[str, str]]:
        for number in count():
            asked.append(number)
            yield f"第{number}", f"第{number}个"

    recovered = Recoverer(list, "p1", batch_size=4).recover_all(pairs())
    assert [str(recovery) for recovery in islice(recovered, 6)][-1] == "第 5"
    assert len(asked) == 8


def test_equal_texts_are_segmented_once() -> None:
    seen: list[str] = []

    def segmenter(text: str) -> list[str]:
        seen.append(text)
        return [text]

    list(Recoverer(segmenter, "p1").recover_all([("甲", "乙"), ("甲", "甲"), ("丙", "乙")]))
    assert seen == ["甲", "乙", "丙"]


def test_given_words_are_used_instead_of_the_segmenters() -> None:
    def never(text: str) -> list[str]:
        raise AssertionError(text)

    recovery = cijie.recover(
        "我参加了旅行困",
        "我参加了旅行团",
        segmenter=never,
        method="p2",
        glyph_table="identity",
        weights={"emb": 0, "glyph": 0, "pos": 1},
        source_tokens=["我", "参加", "了", "旅行", "困"],
        target_tokens=["我", "参加", "了", "旅行团"],
    )
    assert str(recovery) == "我 参加 了 旅行困"
    assert recovery.tokens == ["我", "参加", "了", "旅行困"]
    assert recovery.spans == [(0, 1), (1, 3), (3, 4), (4, 7)]
    [change] = recovery.changes
    assert (change.at, change.kind, change.by, change.word) == (6, "remove", (4, 7), "旅行团")
    [link] = recovery.alignment.residuals
    assert (link.source, link.target, link.score) == (6, 6, 1.0)


@pytest.mark.parametrize(
    "pair",
    [
        Pair("7", "甲乙", "丙"),
        {"id": "7", "source": "甲乙", "target": "丙"},
        {"id": 7, "source": "甲乙", "target": "丙", "source_tokens": ["甲", "乙"]},
    ],
)
def test_pairs_in_any_shape(pair: object) -> None:
    [(id, recovery)] = Recoverer(list, "p1").recover_with_ids([pair])  # type: ignore[list-item]
    assert id == "7"
    assert recovery.tokens == ["甲", "乙"]


def test_errors_name_the_pair() -> None:
    pairs: list[dict[str, object]] = [
        {"id": "a", "source": "甲", "target": "乙"},
        {"id": "b", "source": "丙", "target": "丁"},
    ]
    broken = Recoverer(lambda text: list(text.replace("丁", "戊")), "p1")
    with pytest.raises(SegmentationError, match="^id b: function:.*expected '丁'"):
        list(broken.recover_all(pairs))
    pairs[1]["target_tokens"] = ["丁", "丁"]
    with pytest.raises(SegmentationError, match="^id b: at offset 1: expected the end"):
        list(Recoverer(list, "p1").recover_all(pairs))
    del pairs[1]["target"]
    with pytest.raises(CijieError, match="^id b: no target in"):
        list(Recoverer(list, "p1").recover_all(pairs))


def test_a_string_is_no_pair_and_no_words() -> None:
    with pytest.raises(TypeError, match="a pair is wanted"):
        list(Recoverer(list, "p1").recover_all(["我们"]))  # type: ignore[list-item]
    with pytest.raises(TypeError, match="words are wanted"):
        Recoverer(list, "p1").recover("我们", "我们", target_tokens="我 们")


def test_ids_that_are_none_are_missing() -> None:
    pairs = [{"id": None, "source": "甲", "target": "乙"}] * 2
    assert [id for id, _ in Recoverer(list, "p1").recover_with_ids(pairs)] == ["1", "2"]


def test_the_signature_says_what_results_depend_on() -> None:
    recoverer = Recoverer(
        list, "p2", glyph_table="identity", context="none", threshold=0.8, weights={"glyph": 1.0}
    )
    assert recoverer.signature == (
        f"cijie:{cijie.__version__}|segmenter:function:list|method:p2|"
        "weights:emb=0.1:absent,glyph=1:identity,pinyin=0,pos=0.3:global|threshold:0.8|"
        "join:equal-length"
    )
    assert "|method:p1|" in Recoverer(list, "p1").signature


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "p9"}, "unknown method 'p9'"),
        ({"weights": {"glyph": -1}}, "weight glyph must be"),
        ({"threshold": float("nan")}, "threshold must be a finite number"),
        ({"batch_size": 0}, "batch size must be at least 1"),
        ({"method": "p1", "join_rule": "loose"}, "unknown join rule"),
        ({"segmenter": "jiba"}, "unknown segmenter"),
    ],
)
def test_bad_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Recoverer(**{"segmenter": list, **options})  # type: ignore[arg-type]


def test_values_can_be_pickled() -> None:
    recovery = Recoverer(list, make_method("p1")).recover("旅行困", "旅行团")
    assert pickle.loads(pickle.dumps(recovery)) == recovery
    error = CijieError("wrong", path="a.tsv", line=3, id="7")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_empty_segmentation_that_is_given_is_taken() -> None:
    pair = Pair("1", " ", "我", Segmentation(" ", ()))
    [recovery] = Recoverer(list, "p1").recover_all([pair])
    assert recovery.tokens == []
