import pickle
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cijie
from cijie import Recoverer, Recovery, SegmentationError, Segmenter, Sentence
from cijie.alignment import Alignment, AnchorRun, Link
from cijie.errors import AlignmentError, CijieError, FormatError, SegmenterError
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
    assert [replace(each, id="") for each in recovered] == [single.recover(*x) for x in pairs]
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
    assert recovery.words == ["我", "参加", "了", "旅行困"]
    assert recovery.spans == [(0, 1), (1, 3), (3, 4), (4, 7)]
    [change] = recovery.changes
    assert (change.at, change.kind, change.by, change.word) == (6, "remove", (4, 7), "旅行团")
    [link] = recovery.alignment.residuals
    assert (link.source, link.target, link.score) == (6, 6, 1.0)


@pytest.mark.parametrize(
    "pair",
    [
        Sentence("7", "甲乙", "丙"),
        {"id": "7", "source": "甲乙", "target": "丙"},
        {"id": 7, "source": "甲乙", "target": "丙", "source_tokens": ["甲", "乙"]},
    ],
)
def test_pairs_in_any_shape(pair: object) -> None:
    [recovery] = Recoverer(list, "p1").recover_all([pair])  # type: ignore[list-item]
    assert recovery.id == "7"
    assert recovery.words == ["甲", "乙"]


def test_errors_name_the_pair() -> None:
    pairs: list[dict[str, object]] = [
        {"id": "a", "source": "甲", "target": "乙"},
        {"id": "b", "source": "丙", "target": "丁"},
    ]
    broken = Recoverer(lambda text: list(text.replace("丁", "戊")), "p1")
    with pytest.raises(SegmentationError, match="^id b: function:.*expected '丁'"):
        list(broken.recover_all(pairs))
    pairs[1]["target_tokens"] = ["丁", "丁"]
    with pytest.raises(SegmentationError, match="^id b: target_tokens: at offset 1: expected the"):
        list(Recoverer(list, "p1").recover_all(pairs))
    del pairs[1]["target"]
    with pytest.raises(CijieError, match="^id b: 'target' is missing"):
        list(Recoverer(list, "p1").recover_all(pairs))


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (
            "我们",
            r"^id 1: expected \(source, target\), or 'source' and 'target' by name, got ",
        ),
        (("甲", "乙", "丙"), r"^id 1: expected .*, got \('甲', '乙', '丙'\)"),
        (None, "^id 1: expected .*, got None"),
    ],
)
def test_what_is_no_pair(pair: object, message: str) -> None:
    recoverer = Recoverer(list, "p1")
    with pytest.raises(FormatError, match=message):
        list(recoverer.recover_all([pair]))  # type: ignore[list-item]
    error, last = recoverer.recover_all([pair, ("你", "你")], on_error="keep")  # type: ignore[list-item]
    assert re.search(message, str(error))
    assert str(last) == "你"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"source": b"abc"}, TypeError, "^source must be a string, not bytes: b'abc'$"),
        ({"target": None}, TypeError, "^target must be a string, not NoneType: None$"),
        (
            {"target_tokens": "我 们"},
            SegmentationError,
            "^target_tokens: words must be strings or spans, not '我 们'$",
        ),
        (
            {"source_tokens": ["我"]},
            SegmentationError,
            "^source_tokens: at offset 1: '们' .* is in no token",
        ),
        ({"source_tokens": 5}, SegmentationError, "^source_tokens: words must be .*, not 5"),
        (
            {"source_tokens": {"tok/fine": ["我们"]}},
            SegmentationError,
            "^source_tokens: words must be strings or spans, not {'tok/fine': ",
        ),
    ],
)
def test_errors_about_one_pair_name_the_argument(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    given = {"source": "我们", "target": "我们", **arguments}
    with pytest.raises(error, match=message):
        Recoverer(list, "p1").recover(**given)
    with pytest.raises(error, match=message):
        cijie.recover(segmenter=list, method="p1", **given)


def test_unknown_options_have_a_near_one() -> None:
    with pytest.raises(TypeError, match="unknown option 'treshold': did you mean 'threshold'"):
        Recoverer(list, "p2", treshold=0.5)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="unknown on_error 'kepp': did you mean 'keep'"):
        Recoverer(list, "p1").recover_all([], on_error="kepp")  # type: ignore[call-overload]


def raising(text: str) -> list[str]:
    """Cuts into characters; texts with 丁 fail, those with 戊 get other words."""
    if "丁" in text:
        raise KeyError(text)
    return list(text.replace("戊", "己"))


KEPT: list[Any] = [
    ("甲", "乙"),
    {"id": "x", "source": "丁", "target": "乙"},
    {"source": None, "target": "乙"},
    ("甲", "戊"),
    ("丙", float("nan")),
    {"source": "甲", "target": "乙", "target_tokens": ["丙"]},
    {"id": [], "source": "甲", "target": "乙"},
    ("丁", "丁"),
    ("甲", "丙"),
]
ERRORS = {
    1: "id x: function:raising failed: KeyError: '丁'",
    2: "id 3: 'source' is missing",
    3: "id 4: function:raising: at offset 0",
    4: "id 5: 'target' is missing",
    5: "id 6: target_tokens: at offset 0",
    6: "id 7: 'id' is neither",
    7: "id 8: function:raising failed: KeyError: '丁'",
}


@pytest.mark.parametrize("batch_size", [1, 2, 9])
def test_errors_are_kept_in_the_place_of_recoveries(batch_size: int) -> None:
    recoverer = Recoverer(raising, "p1", batch_size=batch_size)
    outcomes = list(recoverer.recover_all(KEPT, on_error="keep"))
    assert len(outcomes) == len(KEPT)
    for k, outcome in enumerate(outcomes):
        if k in ERRORS:
            assert isinstance(outcome, Exception)
            assert str(outcome).startswith(ERRORS[k])
        else:
            assert isinstance(outcome, Recovery)
            assert replace(outcome, id="") == recoverer.recover(*KEPT[k])


@pytest.mark.parametrize("batch_size", [1, 2, 9])
@pytest.mark.parametrize("at", ERRORS)
def test_an_error_is_raised_after_the_recoveries_before_it(at: int, batch_size: int) -> None:
    pairs = [pair for k, pair in enumerate(KEPT) if k not in ERRORS or k >= at]
    recovered = []
    with pytest.raises((CijieError, SegmenterError)):
        recovered.extend(Recoverer(raising, "p1", batch_size=batch_size).recover_all(pairs))
    assert len(recovered) == sum(k not in ERRORS for k in range(at))


def test_one_bad_pair_does_not_run_its_batch_twice() -> None:
    asked: list[str] = []

    def cut(text: str) -> list[str]:
        asked.append(text)
        return raising(text)

    pairs = [Sentence(str(k), f"第{k}", f"第{k}个" if k != 50 else "丁") for k in range(100)]
    outcomes = list(Recoverer(cut, "p1").recover_all(pairs, on_error="keep"))
    assert [k for k, outcome in enumerate(outcomes) if isinstance(outcome, Exception)] == [50]
    assert len(asked) == 201
    assert set(asked) == {text for pair in pairs for text in (pair.source, pair.target)}


def test_too_many_words_of_a_segmenter_are_an_error() -> None:
    class More(Segmenter):
        name = "more"

        def cut(self, texts: Sequence[str]) -> Iterator[list[str]]:
            yield from [[text] for text in (*texts, "甲")]

    with pytest.raises(SegmenterError, match=r"^id 2: more failed: ValueError: zip\(\)"):
        list(Recoverer(More(), "p1").recover_all([("甲", "乙"), ("丙", "丁")]))


def test_texts_that_cannot_be_aligned_are_errors_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["cijie.alignment.links"], "MOST_CELLS", 4)
    pairs = [("甲", "乙"), ("甲丙乙", "丙甲丁"), ("甲", "丙")]
    outcomes = list(Recoverer(list, "p1").recover_all(pairs, on_error="keep"))
    assert [str(outcome)[:24] for outcome in outcomes] == ["甲", "id 2: texts that differ ", "甲"]
    assert isinstance(outcomes[1], AlignmentError)
    assert outcomes[1].id == "2"


def test_texts_are_segmented_without_recovery() -> None:
    recoverer = Recoverer(raising, "p1", batch_size=2)
    good: list[Any] = ["甲乙", "", "甲乙"]
    segmented = []
    for bad, error, message in (
        ("丁", SegmenterError, "^id 4: function:raising failed"),
        (None, FormatError, "^id 4: not a string: None"),
        ([], FormatError, r"^id 4: not a string: \[\]"),
    ):
        segmented.clear()
        with pytest.raises(error, match=message):
            segmented.extend(recoverer.segment_all([*good, bad]))
        assert [words.tokens for words in segmented] == [["甲", "乙"], [], ["甲", "乙"]]


@pytest.mark.parametrize("words", [["旅行", "团"], [(0, 2), (2, 3)]])
def test_words_are_strings_or_spans(words: Any) -> None:
    recovery = cijie.recover("旅行困", "旅行团", segmenter=list, target_tokens=words)
    assert recovery.target_segmentation.tokens == ["旅行", "团"]


def test_ids_that_are_none_are_missing() -> None:
    pairs = [{"id": None, "source": "甲", "target": "乙"}] * 2
    assert [each.id for each in Recoverer(list, "p1").recover_all(pairs)] == ["1", "2"]


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
    pair = Sentence("1", " ", "我", initial=Segmentation(" ", ()))
    [recovery] = Recoverer(list, "p1").recover_all([pair])
    assert recovery.words == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Recoverer(methd="p1"), "unknown option 'methd': did you mean 'method'"),
        (lambda: cijie.recover("我", "我", target_token=[]), "did you mean 'target_tokens'"),
        (lambda: cijie.recover("我", "我", segmentr=list), "did you mean 'segmenter'"),
        (lambda: Recoverer(method=3), "method must be a name, a method or an aligner, not 3"),
        (lambda: Recoverer(threshold=True), "threshold must be a number, not True"),
        (lambda: Recoverer(user_words=[1]), "words must be strings, not 1"),
        (lambda: list(Recoverer(list).segment_all("我们")), "expected texts"),
        (lambda: Recoverer(list).recover_batch({"source": "我", "target": "我"}), "a column"),
    ],
)
def test_arguments_of_the_wrong_kind_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_a_lone_surrogate_is_the_fault_of_its_text() -> None:
    def segment(text: str) -> list[str]:
        return [text.encode().decode()]

    with pytest.raises(SegmentationError, match=r"a lone surrogate \(U\+D800\) at offset 1"):
        Recoverer(segment).recover("我\ud800", "我")


@pytest.mark.parametrize(
    ("anchors", "residuals", "message"),
    [
        (((0, 0, 5),), (), "out of range"),
        (((0, 0, 1), (0, 1, 1)), (), "already linked"),
        ((), (Link(7, 0, "residual", 0.9),), "out of range"),
    ],
)
def test_the_links_of_an_aligner_of_ones_own_are_checked(
    anchors: tuple[AnchorRun, ...], residuals: tuple[Link, ...], message: str
) -> None:
    class Mine:
        signature = "mine"

        def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
            return [Alignment(len(a), len(b), anchors, residuals) for a, b in texts]

    with pytest.raises(AlignmentError, match=message):
        Recoverer(list, Mine()).recover("我们去", "我们走")


def test_an_aligner_without_a_signature_is_refused_before_the_work() -> None:
    class Mine:
        def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
            return [Alignment(len(a), len(b)) for a, b in texts]

    with pytest.raises(TypeError, match="an aligner must have a signature"):
        Recoverer(list, Mine())  # type: ignore[arg-type]
