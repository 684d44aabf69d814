import pytest
from hypothesis import given

from cijie.errors import SegmentationError
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

from strategies import segmentations, texts


@given(segmentations())
def test_words_are_contiguous_and_cover_all_but_white_space(words: Segmentation) -> None:
    covered = [k for start, end in words.spans for k in range(start, end)]
    assert len(covered) == len(set(covered))
    split = characters(words.text)
    for start, end, blank in zip(split.starts, split.ends, split.blank, strict=True):
        inside = [k in set(covered) for k in range(start, end)]
        # White space is in no word, unless the word was given with it: then it is inside of one.
        assert all(inside) or (blank and not any(inside))
    assert "".join(words.tokens) == "".join(words.text[k] for k in sorted(covered))


@given(segmentations())
def test_tokens_and_spans_give_it_back(words: Segmentation) -> None:
    assert Segmentation.from_tokens(words.text, words.tokens) == words
    assert Segmentation.from_spans(words.text, words.spans) == words
    assert len(words) == len(words.tokens) == len(words.spans)


@given(texts)
def test_any_cut_of_the_text_is_taken_and_snapped_to_characters(text: str) -> None:
    words = Segmentation.from_tokens(text, list(text))
    split = characters(text)
    visible = [end for end, blank in zip(split.ends, split.blank, strict=True) if not blank]
    assert list(words.boundaries) == visible


@pytest.mark.parametrize(
    ("text", "boundaries"),
    [
        ("我们", (1,)),
        ("我们", (1, 3)),
        ("我们", (2, 1)),
        ("我们", (1, 1, 2)),
        ("我们", (0, 2)),
        ("我们", ()),
        ("", (0,)),
        ("我 们", (2, 3)),
        ("我 ", (2,)),
        ("👩‍🏫好", (1, 4)),
        ("没\u200b有", (1, 3)),
        ("我 们", (1,)),
        (" ", (1,)),
    ],
)
def test_impossible_boundaries_are_refused(text: str, boundaries: tuple[int, ...]) -> None:
    with pytest.raises(SegmentationError):
        Segmentation(text, boundaries)


@pytest.mark.parametrize("text", ["", " ", "\u3000\n", "\u200b", " \ufeff "])
def test_texts_without_words(text: str) -> None:
    for words in (
        Segmentation(text, ()),
        Segmentation.from_tokens(text, []),
        Segmentation.from_spans(text, []),
    ):
        assert words.tokens == words.spans == []
        assert str(words) == ""


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 2), (1, 3)], "out of range or order"),
        ([(0, 2)], "'走' .* in no token"),
        ([(1, 3)], "'我' .* in no token"),
        ([(0, 4)], "out of range"),
        ([(0, 0), (0, 3)], "out of range or order"),
    ],
)
def test_spans_that_do_not_fit(spans: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(SegmentationError, match=message):
        Segmentation.from_spans("我们走", spans)


def test_a_string_is_not_words() -> None:
    with pytest.raises(TypeError, match="expected a list of words"):
        Segmentation.from_tokens("我们走", "我们 走")


def test_equal_values_are_equal_and_nothing_can_be_changed() -> None:
    words = Segmentation("我们", (2,))
    assert words == Segmentation.from_tokens("我们", ["我们"])
    assert hash(words) == hash(Segmentation("我们", (2,)))
    with pytest.raises(AttributeError):
        words.text = "你们"  # type: ignore[misc]
