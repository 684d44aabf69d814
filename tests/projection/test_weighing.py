from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cijie import Pair, Recoverer, Segmentation
from cijie.alignment.links import Alignment
from cijie.errors import AlignmentError
from cijie.projection import weighing
from cijie.recovery.methods import RecoveryMethod, make_method

from strategies import segmentations


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
    [recovery] = recoverer.recover_all([Pair("1", initial.text, words.text, initial, words)])
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


@given(initial=segmentations(), target=segmentations())
@example(Segmentation("我我\u3000  我", (6,)), Segmentation("\u3000 我 ", (3,)))
def test_every_change_is_licensed_and_every_boundary_has_its_confidence(
    recoverer: Recoverer, initial: Segmentation, target: Segmentation
) -> None:
    [recovery] = recoverer.recover_all([Pair("1", initial.text, target.text, initial, target)])
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
        assert names[-1] == "intercept"
        odds = 1 / (1 + exp(-sum(parts)))
        unfit = weighing.Model.builtin().unfit
        assert min(abs(doubt.confidence - x) for x in (odds, 1 - odds, unfit)) < 0.001
    assert len(recovery.confidences) == len(recovered)
    assert all(0 < confidence <= 1 for confidence in recovery.confidences)
    assert recovery.confidence == min(
        (*recovery.confidences, *(doubt.confidence for doubt in recovery.doubts)), default=1
    )


@given(words=segmentations())
def test_a_text_projected_onto_itself_takes_the_targets_words(
    recoverer: Recoverer, words: Segmentation
) -> None:
    pair = Pair(
        "1", words.text, words.text, Segmentation.from_tokens(words.text, words.text.split()), words
    )
    [recovery] = recoverer.recover_all([pair])
    assert recovery.segmentation == words


@given(st.floats(0, 1), st.floats(0, 6))
def test_more_similar_is_likelier_more_frequent_is_not(similarity: float, frequency: float) -> None:
    from cijie.projection.suggestions import Suggestion

    model = weighing.Model.builtin()
    for kind in ("insert", "remove"):

        def probability(similarity: float, frequency: float, kind: str = kind) -> float:
            return model.probability(Suggestion(kind, 1, 2, (0, 1), similarity, frequency))  # type: ignore[arg-type]

        assert probability(similarity, frequency) <= probability(1, frequency)
        assert probability(similarity, frequency) <= probability(similarity, 0)


def test_the_signature_names_what_it_depends_on(recoverer: Recoverer) -> None:
    assert "|method:p3|" in recoverer.signature
    assert "|evidence:model-1/" in recoverer.signature
    options = [{}, {"glyph_table": "identity"}, {"phonology": "pinyin-marks"}]
    weights = {"emb": 0, "glyph": 0, "pinyin": 0, "pos": 1}
    signatures = {make_method("p3", weights=weights, **each).signature for each in options}  # type: ignore[arg-type]
    assert len(signatures) == 3


def test_a_refitted_model_has_another_name() -> None:
    model = weighing.Model.builtin()
    refitted = replace(model, insert=replace(model.insert, intercept=0.0))
    assert model.name != refitted.name
    assert model.name == weighing.Model.builtin().name


def test_an_alignment_of_other_texts_is_refused(p3: RecoveryMethod) -> None:
    words = Segmentation("我", (1,))
    with pytest.raises(AlignmentError, match="does not fit"):
        p3.projector(words, words, Alignment(1, 2))
