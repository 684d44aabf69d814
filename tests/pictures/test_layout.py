from __future__ import annotations

import pytest
from hypothesis import given

from cijie.alignment.links import Alignment
from cijie.pictures.layout import Layout, lay_out
from cijie.recovery.sentence import Recovery
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
    for side, text in (("source", recovery.source), ("target", recovery.target)):
        numbers = [number for c in layout.columns if (number := getattr(c, side)) is not None]
        assert numbers == list(range(len(getattr(layout, side))))
        cells = getattr(layout, side)
        assert "".join(text[cell.start : cell.end] for cell in cells) == text
    assert all(c.source is not None or c.target is not None for c in layout.columns)


@given(aligned())
def test_every_link_is_a_column_or_an_arc(pair: Aligned) -> None:
    recovery, layout = laid_out(pair)
    shown = {(c.source, c.target) for c in layout.columns if c.kind}
    shown |= {
        (layout.columns[a.source].source, layout.columns[a.target].target) for a in layout.arcs
    }

    def cell(side: str, offset: int) -> int:
        cells = getattr(layout, side)
        return next(k for k, each in enumerate(cells) if each.start <= offset < each.end)

    links = {
        (cell("source", link.source), cell("target", link.target))
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
    ends = [k for arc in layout.arcs for k in (arc.source, arc.target)]
    assert len(ends) == len(set(ends))
    for arc in layout.arcs:
        assert layout.columns[arc.source].target is None
        assert layout.columns[arc.target].source is None
        taken = set(range(min(arc.source, arc.target), max(arc.source, arc.target) + 1))
        for other in layout.arcs:
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
    assert [(c.source, c.target) for c in layout.columns] == [(k, k) for k in range(7)]
    assert layout.columns[-1].kind == "residual"
    [row] = layout.recovered
    assert [word.text for word in row.words if word.changed] == ["旅行困"]
    assert row.changes == {6: "remove"}


def test_a_block_that_has_moved_is_arcs() -> None:
    layout = lay_out({"p3": recovered(*MOVED)})
    assert [arc.crossing for arc in layout.arcs] == [True] * 3
    assert sorted(arc.lane for arc in layout.arcs) == [0, 1, 2]


def test_the_links_are_those_of_the_last_method_with_any() -> None:
    by_method = {name: recovered(*SUBSTITUTED, name) for name in ("p2", "p1", "direct")}
    assert lay_out(by_method).columns[-1].kind is None  # P1 does not link 困 to 团
    assert [row.name for row in lay_out(by_method).recovered] == ["p2", "p1", "direct"]


def test_recoveries_of_other_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="those of 2 pairs"):
        lay_out({"a": recovered(*SUBSTITUTED), "b": recovered(*MOVED)})
    with pytest.raises(ValueError, match="no recovery"):
        lay_out({})
