from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.packing import pack_characters, pack_spans

from strategies import segmentations, texts


def unpacked(packed: str) -> list[Span]:
    """What the page does, from the description of the form."""
    spans, at, more = [], 0, 0
    for letter in packed:
        if letter == "+":
            more += 26
        elif letter.isupper():
            at += ord(letter) - ord("A") + 1
        else:
            spans.append((at, at := at + more + ord(letter) - ord("a") + 1))
            more = 0
    return spans


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(1, 90))))
def test_spans(gaps_and_lengths: list[tuple[int, int]]) -> None:
    spans, at = [], 0
    for gap, length in gaps_and_lengths:
        spans.append((at + gap, at + gap + length))
        at += gap + length
    assert unpacked(pack_spans(spans)) == spans


@given(segmentations())
def test_words(segmentation: Segmentation) -> None:
    assert unpacked(pack_spans(segmentation.spans)) == segmentation.spans


@given(texts)
def test_characters(text: str) -> None:
    packed = pack_characters(text)
    split = characters(text)
    visible = [
        (start, end)
        for start, end, blank in zip(split.starts, split.ends, split.blank, strict=True)
        if not blank
    ]
    assert unpacked(packed) == ([] if split.is_plain else visible)
