from __future__ import annotations

from bisect import bisect

import pytest
from hypothesis import given

from cijie.alignment.links import Alignment
from cijie.pictures.layout import Layout, Row, lay_out
from cijie.pictures.wording import visible
from cijie.recovery.sentence import Recovery
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

from recovered import MOVED, SUBSTITUTED, projected, recovered
from strategies import aligned

Aligned = tuple[Segmentation, Segmentation, Alignment]


def laid_out(pair: Aligned) -> tuple[Recovery, Layout]:
    recovery = projected(*pair)
    return recovery, lay_out({"p": recovery})


@given(aligned())
def test_every_character_stands_in_one_column_in_order(pair: Aligned) -> None:
    recovery, layout = laid_out(pair)
    for row, text in ((layout.initial, recovery.source), (layout.words, recovery.target)):
        assert list(row.cells) == sorted(row.cells)
        split = characters(text)
        shown = [
            "␣" if blank else visible(text[start:end])
            for start, end, blank in zip(split.starts, split.ends, split.blank, strict=True)
        ]
        assert [cell.text for cell in row.cells.values()] == shown
    taken = {*layout.initial.cells, *layout.words.cells}
    assert taken == set(range(len(layout.columns)))


@given(aligned())
def test_every_link_is_drawn(pair: Aligned) -> None:
    recovery, layout = laid_out(pair)
    shown = {(stroke.source, stroke.target) for stroke in layout.strokes}

    def column(row: Row, text: str, offset: int) -> int:
        return list(row.cells)[bisect(characters(text).starts, offset) - 1]

    links = {
        (
            column(layout.initial, recovery.source, link.source),
            column(layout.words, recovery.target, link.target),
        )
        for link in recovery.alignment.links
    }
    # Of a cluster, only one code point's link can be shown.
    assert shown <= links
    assert {i for i, _ in links} == {i for i, _ in shown} or not recovery.initial.is_plain
    if recovery.initial.is_plain and recovery.target_segmentation.is_plain:
        assert shown == links


@given(aligned())
def test_arcs_do_not_touch_in_a_lane_nor_share_a_column(pair: Aligned) -> None:
    _, layout = laid_out(pair)
    arcs = [stroke for stroke in layout.strokes if stroke.sign == "moved"]
    ends = [k for arc in arcs for k in (arc.source, arc.target)]
    assert len(ends) == len(set(ends))
    for arc in arcs:
        assert arc.source not in layout.words.cells
        assert arc.target not in layout.initial.cells
        taken = set(range(min(arc.source, arc.target), max(arc.source, arc.target) + 1))
        for other in arcs:
            if other is not arc and other.lane == arc.lane:
                assert taken.isdisjoint((other.source, other.target))


def test_lines_are_not_broken_where_words_were_joined() -> None:
    layout = lay_out({"p3": recovered(*SUBSTITUTED)})  # 旅行困 is one word
    assert list(layout.lines([1] * 7, 6)) == [(0, 4), (4, 7)]


@given(aligned())
def test_lines_hold_all_columns(pair: Aligned) -> None:
    _, layout = laid_out(pair)
    widths = [1 + k % 3 for k in range(len(layout.columns))]
    lines = list(layout.lines(widths, 8))
    assert [k for first, end in lines for k in range(first, end)] == list(range(len(widths)))
    assert all(sum(widths[first:end]) <= 8 for first, end in lines)
    # Even where nothing fits, each line has something.
    assert all(first < end for first, end in layout.lines(widths, 0))


def test_what_corresponds_stands_together() -> None:
    layout = lay_out({"p3": recovered(*SUBSTITUTED)})
    assert [(stroke.source, stroke.target) for stroke in layout.strokes] == [
        (k, k) for k in range(7)
    ]
    assert [stroke.sign for stroke in layout.strokes] == ["same"] * 6 + ["similar"]
    [row] = layout.recovered
    assert [(word.first, word.last) for word in row.words if word.changed] == [(4, 6)]
    assert row.changes == {6: "remove"}


def test_a_block_that_has_moved_is_arcs() -> None:
    layout = lay_out({"p3": recovered(*MOVED)})
    arcs = [stroke for stroke in layout.strokes if stroke.sign == "moved"]
    assert [arc.crossing for arc in arcs] == [True] * 3
    assert [arc.lane for arc in arcs] == [0, 1, 2]


def test_the_links_are_those_of_the_last_method_with_any() -> None:
    by_method = {name: recovered(*SUBSTITUTED, name) for name in ("p2", "p1", "direct")}
    assert len(lay_out(by_method).strokes) == 6  # P1 does not link 困 to 团
    assert [row.name for row in lay_out(by_method).recovered] == ["p2", "p1", "direct"]


def test_recoveries_of_other_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="those of 2 pairs"):
        lay_out({"a": recovered(*SUBSTITUTED), "b": recovered(*MOVED)})
    with pytest.raises(ValueError, match="no recovery"):
        lay_out({})
