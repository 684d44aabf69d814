"""The dictionary baseline."""

from __future__ import annotations

from hypothesis import given

from cijie import Recoverer, Segmentation
from cijie.projection.boundaries import look_up

from strategies import plain_texts, segmentations


@given(segmentations(plain_texts), segmentations(plain_texts))
def test_look_up_changes_the_source_as_its_changes_say(
    source: Segmentation, target: Segmentation
) -> None:
    result = look_up(source, target)
    boundaries = set(source.boundaries)
    for change in result.changes:
        assert (change.at in boundaries) == (change.kind == "remove")
        boundaries ^= {change.at}
        start, end = change.by
        assert target.text[start:end] == change.word
        assert change.by in target.spans
    assert boundaries == set(result.segmentation.boundaries)


def test_changes_name_the_word_that_the_boundary_is_in_or_at() -> None:
    source = Segmentation.from_tokens("甲旅行团长乙", ["甲旅", "行", "团长乙"])
    target = Segmentation.from_tokens("旅行见团长", ["旅行", "见", "团长"])
    result = look_up(source, target)
    assert result.segmentation.tokens == ["甲", "旅行", "团长", "乙"]
    assert [(c.at, c.kind, c.word, c.by) for c in result.changes] == [
        (1, "insert", "旅行", (0, 2)),
        (2, "remove", "旅行", (0, 2)),
        (5, "insert", "团长", (3, 5)),
    ]


def test_the_dictionary_method() -> None:
    recoverer = Recoverer(list, "dictionary")
    recovery = recoverer.recover(
        "我参加旅行困", "我参加旅行团", target_tokens=["我", "参加", "旅行团"]
    )
    assert recovery.words == ["我", "参加", "旅", "行", "困"]
    assert not recovery.alignment.links
    assert recoverer.signature.endswith("|segmenter:function:list|method:dictionary")
