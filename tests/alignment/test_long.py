import random
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment.anchors import anchors
from cijie.alignment.long import MOST_CELLS, long_blocks
from cijie.errors import AlignmentError

from references import lcs_links
from strategies import plain_texts, texts

few_letters = st.text("甲乙丙", max_size=40)


@given(st.one_of(plain_texts, few_letters), st.one_of(plain_texts, few_letters))
def test_links_are_those_of_the_documented_rule(source: str, target: str) -> None:
    for at_once in (0, 100):
        blocks = long_blocks(source, target, at_once)
        links = [(i + k, j + k) for i, j, size in blocks for k in range(size)]
        assert links == lcs_links(source, target)


@given(texts, texts)
def test_links_are_those_of_short_texts(source: str, target: str) -> None:
    expected = anchors(source, target)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("cijie.alignment.anchors"), "MOST_CELLS_AT_ONCE", 0)
        assert anchors(source, target) == expected


def noisy(size: int) -> tuple[str, str]:
    rng = random.Random(size)
    source = rng.choices([chr(0x4E00 + k) for k in range(800)], k=size)
    target = [rng.choice(source) if rng.random() < 0.05 else char for char in source]
    return "".join(source), "".join(target)


def test_long_texts() -> None:
    source, target = noisy(3000)
    assert long_blocks(source, target, 0) == anchors(source, target).anchors


def test_texts_that_differ_in_one_place_may_have_any_length() -> None:
    text = "旅行" * 1_000_000
    assert anchors(f"{text}困{text}", f"{text}团{text}").anchors == (
        (0, 0, 2_000_000),
        (2_000_001, 2_000_001, 2_000_000),
    )


def test_longer_texts_are_an_error() -> None:
    size = int(MOST_CELLS**0.5) + 1
    with pytest.raises(AlignmentError, match="too long to be aligned: 1,099,51"):
        anchors("甲" * size + "乙", "丙" * size + "丁")
