from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given

from cijie.evaluation.counts import (
    ErrorCounts,
    contested_regions,
    differing_regions,
    error_regions,
    token_counts,
    token_patterns,
)
from cijie.text.segmentation import Segmentation

from strategies import alike, words


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("旅行团", "旅行 团", "over"),
        ("旅行团", "旅 行 团", "over"),
        ("旅行 团", "旅行团", "under"),
        ("旅行 团", "旅 行团", "drift"),
        ("我 参加 了", "我参 加了", "under"),
        ("我参 加了", "我 参加 了", "over"),
    ],
)
def test_kinds_of_error(gold: str, system: str, expected: str) -> None:
    assert error_regions(words(gold), words(system)) == [((0, len(words(gold).text)), expected)]


def test_regions_are_as_small_as_they_can_be() -> None:
    gold, system = words("我 参加 了 旅行团 。"), words("我参 加 了 旅行 团 。")
    assert error_regions(gold, system) == [
        ((0, 3), "drift"),
        ((4, 7), "over"),
    ]
    assert ErrorCounts.of(error_regions(gold, system)) == ErrorCounts(over=1, drift=1)


def test_a_region_does_not_begin_with_white_space() -> None:
    gold, system = Segmentation("我 旅行", (1, 4)), Segmentation("我 旅行", (1, 3, 4))
    assert error_regions(gold, system) == [((2, 4), "over")]


@given(alike(3))
def test_regions_are_just_what_differs(sides: tuple[Segmentation, ...]) -> None:
    regions = list(differing_regions(*sides))
    spans = [span for span, _ in regions]
    assert spans == sorted(spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    inside = [
        [[word for word in side.spans if start <= word[0] < end] for side in sides]
        for start, end in spans
    ]
    for (span, counts), having in zip(regions, inside, strict=True):
        assert tuple(map(len, having)) == counts
        assert all((found[0][0], found[-1][1]) == span for found in having)
        assert any(found != having[0] for found in having)
        ends = [{end for _, end in found} for found in having]
        assert set.intersection(*ends) == {span[1]}, "the region could be smaller"
    outside = [
        [word for word in side.spans if not any(a <= word[0] < b for a, b in spans)]
        for side in sides
    ]
    assert outside[0] == outside[1] == outside[2]


@given(alike(2))
def test_error_regions_hold_just_the_wrong_words(
    sides: tuple[Segmentation, Segmentation],
) -> None:
    gold, system = sides
    counts, regions = token_counts(gold, system), error_regions(gold, system)
    for side, wrong in ((gold, counts.gold), (system, counts.system)):
        inside = [word for word in side.spans for (a, b), _ in regions if a <= word[0] < b]
        assert len(inside) == wrong - counts.correct
    assert ErrorCounts.of(regions).total == len(regions)


@given(alike(2))
def test_exchanging_the_sides_exchanges_over_and_under(
    sides: tuple[Segmentation, Segmentation],
) -> None:
    there, back = (ErrorCounts.of(error_regions(*x)) for x in (sides, sides[::-1]))
    assert (there.over, there.under, there.drift) == (back.under, back.over, back.drift)


def test_contested_regions() -> None:
    gold = words("我 参加 了 旅行团 。")
    direct = words("我 参加 了 旅行 团 。")
    p1 = words("我参 加 了 旅行团 。")
    p2 = words("我参 加 了 旅行团 。")
    assert contested_regions(gold, [direct, p1, p2]) == [
        ((0, 3), "gbb"),
        ((4, 7), "bgg"),
    ]
    # What all do alike is not contested, wrong though it is.
    assert contested_regions(gold, [p1, p2]) == contested_regions(gold, [direct]) == []


def test_being_right_takes_the_edges_too() -> None:
    # Both cut after 我, where gold has no boundary.
    regions = contested_regions(words("我旅 行团"), [words("我 旅 行团"), words("我 旅行 团")])
    assert [pattern for _, pattern in regions] == ["bb"]


@given(alike(4))
def test_patterns_add_up(sides: tuple[Segmentation, ...]) -> None:
    gold, *systems = sides
    patterns = Counter(token_patterns(gold, systems))
    assert patterns.total() == len(gold)
    for k, system in enumerate(systems):
        right = sum(count for pattern, count in patterns.items() if pattern[k] == "g")
        assert right == token_counts(gold, system).correct
    contested = Counter(pattern for _, pattern in contested_regions(gold, systems))
    assert "ggg" not in contested, "who differ cannot all be right"
