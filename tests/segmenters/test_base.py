from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import MissingExtraError, SegmentationError
from cijie.segmenters import Segmenter, adapters, load_segmenter
from cijie.segmenters.base import installed_version

from strategies import texts


class _Given(Segmenter):
    """Gives the words it was made with."""

    name = "given"

    def __init__(self, words: Sequence[Sequence[str]]) -> None:
        self._words = words

    def cut(self, texts: Sequence[str]) -> Iterable[Sequence[str]]:
        return self._words


@given(st.lists(texts))
def test_white_space_separates_words_even_inside_of_a_token(given_texts: list[str]) -> None:
    segmenter = _Given([[text] for text in given_texts])
    for text, words in zip(given_texts, segmenter.segment(given_texts), strict=True):
        assert words.text == text
        assert not any(part.isspace() for token in words.tokens for part in token)


def test_what_comes_before_the_fault_is_given() -> None:
    segmenter = _Given([["我"], ["他"], ["你"]])
    results = segmenter.segment(["我", "她", "你"])
    assert next(results).tokens == ["我"]
    with pytest.raises(SegmentationError, match=r"offset 0: expected '她' \(U\+5979\)"):
        next(results)


def test_a_segmenter_must_answer_for_every_text() -> None:
    with pytest.raises(ValueError, match="shorter"):
        list(_Given([["我"]]).segment(["我", "你"]))


def test_functions_and_names() -> None:
    assert load_segmenter(list).name == "function:list"
    by_name = load_segmenter("textwrap:wrap")
    assert [str(words) for words in by_name.segment(["ab cd"])] == ["ab cd"]
    assert load_segmenter(by_name) is by_name
    with pytest.raises(ValueError, match="unknown segmenter 'jiba': one of wapic"):
        load_segmenter("jiba")
    with pytest.raises(ValueError, match="segmenter jieba has no option 'hm'"):
        load_segmenter("jieba", {"hm": True})


def test_a_missing_library_names_the_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install 'cijie\[rjieba\]' and choose"):
        installed_version("no-such-library", extra="rjieba", hint=" and choose it")


@pytest.mark.parametrize("name", ["jieba", "rjieba"])
def test_options_are_in_the_name(name: str) -> None:
    assert load_segmenter(name).name == f"{name}-{adapters()[name].installed}"
    assert load_segmenter(name, {"hmm": False}).name.endswith(":hmm=off")
