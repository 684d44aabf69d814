from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest
from hypothesis import example, given

from cijie import Recoverer, Segmentation, Sentence
from cijie.alignment.links import Alignment
from cijie.errors import AlignmentError
from cijie.projection import evidence
from cijie.projection.suggestions import Suggester, Suggestion
from cijie.projection.weighing import Weigher
from cijie.recovery.methods import RecoveryMethod, make_method

import references
from strategies import aligned, segmentations


@pytest.fixture(scope="module")
def p3() -> RecoveryMethod:
    return make_method("p3")


@pytest.fixture(scope="module")
def recoverer(p3: RecoveryMethod) -> Recoverer:
    return Recoverer(list, p3)


def _recover(recoverer: Recoverer, source: str, target: str) -> str:
    """Recover from words that are written with blanks between them."""
    initial, words = (
        Segmentation.from_tokens(text.replace(" ", ""), text.split()) for text in (source, target)
    )
    [recovery] = recoverer.recover_all(
        [Sentence("1", initial.text, words.text, initial=initial, target_segmentations=(words,))]
    )
    return str(recovery)


@pytest.mark.parametrize(
    ("source", "target", "recovered"),
    [
        # look-alikes and sound-alikes are joined as the target's word is
        ("跟 旅行 困 走", "跟 旅行团 走", "跟 旅行困 走"),
        ("他 已 前 来 过", "他 以前 来 过", "他 已前 来 过"),
        # other words of the same length are not, if they are frequent words
        ("我 不 会 去", "我 不要 去", "我 不 会 去"),
        # but rare ones are: they hardly stand there as words of their own
        ("他 很 谚 话", "他 很 谚语", "他 很 谚话"),
        # a character of the target's word is missing, or the order is another
        ("去 旅 团 了", "去 旅行团 了", "去 旅团 了"),
        ("要 什 为 么", "要 为什么", "要 什为么"),
        # the same words cut in two ways: the target's way
        ("变得 很快", "变得 很 快", "变得 很 快"),
        ("变得 很 快", "变得 很快", "变得 很快"),
        # a known word is not cut because its characters are in two words of the target
        ("变成 好人", "变 得 好人", "变成 好人"),
        # what is no word is
        ("她久年 来", "她 九 年 来", "她 久 年 来"),
        # a join must be as long as the target's word
        ("都 有 利益 的", "都 有利 的", "都 有 利益 的"),
    ],
)
def test_decisions(recoverer: Recoverer, source: str, target: str, recovered: str) -> None:
    assert _recover(recoverer, source, target) == recovered


@pytest.mark.parametrize(
    ("source", "target"),
    [
        # never across a punctuation mark
        ("上 ， 走", "以及 走"),
        ("他 说 “ 好", "他 说 “好"),
        # never inside a run of letters and digits, or between a number and its unit
        ("在 2012年", "在 2012 年"),
        ("有 3.8 万", "有 3.8万"),
        ("deep", "de ep"),
        ("de ep", "deep"),
        # a target word that nobody knows is no licence
        ("增加 两 倍", "增加 两一"),
    ],
)
def test_what_is_never_changed(recoverer: Recoverer, source: str, target: str) -> None:
    assert _recover(recoverer, source, target) == source


@pytest.mark.parametrize(
    ("source", "target", "recovered"),
    [
        # reduplication is one word
        ("看 各各 地方", "看 各 各个 地方", "看 各各 地方"),
        # the same string cut in two ways: by what the segmenter does elsewhere
        ("他 就 是 老师", "他 就是 老师", "他 就 是 老师"),
        ("学会 做 点心 了", "学会 做 点 心 了", "学会 做 点心 了"),
    ],
)
def test_decisions_by_habit(recoverer: Recoverer, source: str, target: str, recovered: str) -> None:
    assert _recover(recoverer, source, target) == recovered


@pytest.mark.parametrize(
    ("source", "target", "recovered"),
    [
        # what is between two words of the target is a word, what is inside one is part of it
        ("我们很参加", "我们 参加", "我们 很 参加"),
        ("很参加旅了行团吧", "参加 旅行团", "很 参加 旅了行团 吧"),
        # a blank is part of none
        ("参加旅 行团", "参加 旅行团", "参加 旅 行团"),
        # and nothing is forbidden
        ("在2012年", "在 2012 年", "在 2012 年"),
    ],
)
def test_words_of_another_origin_rule(
    p3: RecoveryMethod, source: str, target: str, recovered: str
) -> None:
    words = Segmentation.from_tokens(target.replace(" ", ""), target.split())
    pair = Sentence("1", source, words.text, target_segmentations=(words,))
    [recovery] = Recoverer(str.split, p3).recover_all([pair])
    assert str(recovery) == recovered


@given(initial=segmentations(), target=segmentations())
@example(Segmentation("我我\u3000  我", (6,)), Segmentation("\u3000 我 ", (3,)))
def test_every_change_is_licensed_and_every_boundary_has_its_confidence(
    recoverer: Recoverer, initial: Segmentation, target: Segmentation
) -> None:
    [recovery] = recoverer.recover_all(
        [Sentence("1", initial.text, target.text, initial=initial, target_segmentations=(target,))]
    )
    recovered = recovery.segmentation
    assert recovered.text == initial.text
    changed = set(initial.boundaries) ^ set(recovered.boundaries)
    assert [change.at for change in recovery.changes] == sorted(changed)
    for one in (*recovery.changes, *recovery.doubts):
        assert one.word == target.text[slice(*one.by)]
        assert one.by in target.spans
    for doubt in recovery.doubts:
        assert doubt.boundary == (doubt.at in recovered.boundaries)
        assert 0 <= doubt.confidence <= 1
        names, _, parts = zip(*doubt.evidence, strict=True)
        assert names[0].startswith(("same string, ", "other string, "))
        odds = 1 / (1 + exp(-sum(parts)))
        unfit = evidence.Model.builtin().unfit
        told = odds, 1 - odds, 1 - odds * unfit
        assert min(abs(doubt.confidence - each) for each in told) < 0.001
    assert len(recovery.confidences) == len(recovered)
    assert all(0 < confidence <= 1 for confidence in recovery.confidences)
    assert recovery.confidence == min(recovery.confidences, default=1)
    for (start, end), sure in zip(recovered.spans, recovery.confidences, strict=True):
        within = [x.confidence for x in recovery.doubts if start <= x.at <= end]
        assert sure <= min(within, default=1)


def test_a_word_is_as_sure_as_the_least_sure_join_inside_it(recoverer: Recoverer) -> None:
    recovery = recoverer.recover(
        "我参加旅行困",
        "我参加旅行团",
        source_tokens=["我", "参加", "旅行", "困"],
        target_tokens=["我", "参加", "旅行团"],
    )
    [join] = recovery.doubts
    assert recovery.words[-1] == "旅行困"
    assert recovery.confidences[-1] == recovery.confidence == join.confidence < 1


@given(aligned())
def test_suggestions_are_those_of_the_definition(
    p3: RecoveryMethod, case: tuple[Segmentation, Segmentation, Alignment]
) -> None:
    initial, target, alignment = case
    weigher = p3.projector
    assert isinstance(weigher, Weigher)
    links = [(link.source, link.target) for link in alignment.links]
    anchors = [(link.source, link.target) for link in alignment.links if link.kind == "anchor"]
    expected = references.suggestions(initial, target, links, weigher.alike, anchors)
    pair = initial, target, alignment, weigher.alike
    assert list(Suggester(*pair).suggestions()) == expected

    ruled = Suggester(*pair, target_rules=True)
    assert set(expected) <= set(ruled.suggestions())

    def follow(one: Suggestion) -> bool:
        if evidence.is_odd(one, weigher.lexicon, weigher.habits):
            return False
        likely, _ = weigher.model.weigh(one, weigher.lexicon, weigher.habits)
        return likely > 0.5

    projected = weigher(initial, target, alignment)
    assert projected.segmentation == references.weigh(initial, expected, follow)


def test_the_signature_names_what_it_depends_on(recoverer: Recoverer) -> None:
    assert "|method:p3|" in recoverer.signature
    assert "|evidence:model-2/" in recoverer.signature
    options = [{}, {"glyph_table": "identity"}, {"phonology": "pinyin-marks"}]
    weights = {"emb": 0, "glyph": 0, "pinyin": 0, "pos": 1}
    signatures = {make_method("p3", weights=weights, **each).signature for each in options}  # type: ignore[arg-type]
    assert len(signatures) == 3


def test_a_refitted_model_has_another_name() -> None:
    model = evidence.Model.builtin()
    refitted = replace(model, unfit=0.5)
    assert model.name != refitted.name
    assert model.name == evidence.Model.builtin().name


def test_an_alignment_of_other_texts_is_refused(p3: RecoveryMethod) -> None:
    words = Segmentation("我", (1,))
    with pytest.raises(AlignmentError, match="does not fit"):
        p3.projector(words, words, Alignment(1, 2))
