from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.alignment.links import Alignment, Link, anchors
from cijie.choices import JoinRule
from cijie.errors import AlignmentError
from cijie.projection.boundaries import Projection, project
from cijie.text.segmentation import Segmentation

import references
from strategies import aligned, segmentations

rules = st.sampled_from(get_args(JoinRule))


@given(aligned(), rules)
def test_projection_is_its_definition(
    case: tuple[Segmentation, Segmentation, Alignment], rule: JoinRule
) -> None:
    initial, target, alignment = case
    links = [(link.source, link.target) for link in alignment.links]
    expected = references.project(initial, target, links, rule)
    assert project(initial, target, alignment, join_rule=rule).segmentation == expected


@given(aligned(), rules)
def test_every_change_is_licensed(
    case: tuple[Segmentation, Segmentation, Alignment], rule: JoinRule
) -> None:
    initial, target, alignment = case
    result = project(initial, target, alignment, join_rule=rule)
    changed = set(initial.boundaries) ^ set(result.segmentation.boundaries)
    assert [change.at for change in result.changes] == sorted(changed)
    image = {link.target: link.source for link in alignment.links}
    for change in result.changes:
        start, end = change.by
        assert change.word == target.text[start:end]
        assert change.by in target.spans
        if change.kind == "insert":
            assert change.at in result.segmentation.boundaries
            assert end in target.boundaries
        else:
            assert change.at in initial.boundaries
            linked = [image[j] for j in range(start, end) if j in image]
            assert min(linked) < change.at <= max(linked)


@given(aligned(), rules)
def test_projecting_again_changes_nothing(
    case: tuple[Segmentation, Segmentation, Alignment], rule: JoinRule
) -> None:
    initial, target, alignment = case
    once = project(initial, target, alignment, join_rule=rule)
    assert project(once.segmentation, target, alignment, join_rule=rule) == Projection(
        once.segmentation, ()
    )
    assert project(initial, target, alignment, join_rule=rule) == once


@given(segmentations())
def test_a_text_projected_onto_itself_takes_the_targets_words(target: Segmentation) -> None:
    text = target.text
    initial = Segmentation.from_tokens(text, text.split())
    assert project(initial, target, anchors(text, text)).segmentation == target


@given(segmentations(), segmentations())
def test_without_links_nothing_changes(initial: Segmentation, target: Segmentation) -> None:
    none = Alignment(len(initial.text), len(target.text))
    assert project(initial, target, none) == Projection(initial, ())


def _project(source: str, target: str, links: Alignment, rule: JoinRule) -> str:
    initial = Segmentation.from_tokens(source.replace(" ", ""), source.split())
    return str(
        project(
            initial,
            Segmentation.from_tokens(target.replace(" ", ""), target.split()),
            links,
            join_rule=rule,
        ).segmentation
    )


@pytest.mark.parametrize(
    ("source", "target", "links", "equal_length", "contiguous", "endpoints"),
    [
        # a character of the word is missing in the source
        ("旅 团", "旅行团", Alignment(2, 3, ((0, 0, 1), (1, 2, 1))), "旅 团", "旅团", "旅团"),
        # characters of one word in another order
        (
            "么 什",
            "什么",
            Alignment(2, 2, ((1, 0, 1),), (Link(0, 1, "residual", 0.9),)),
            *["么什"] * 3,
        ),
        # the word's characters are not together
        (
            "现 在 代 化",
            "现代化",
            Alignment(4, 3, ((0, 0, 1), (2, 1, 2))),
            *["现 在 代 化"] * 2,
            "现在代化",
        ),
        # nor the words of which one is inside another, which was cut out before
        (
            "现 在代 化",
            "现代化 在",
            Alignment(4, 4, ((0, 0, 1), (2, 1, 2)), (Link(1, 3, "residual", 0.9),)),
            *["现 在代 化"] * 2,
            "现在代化",
        ),
        # the word is linked in part only
        ("旅 行 困", "旅行团", Alignment(3, 3, ((0, 0, 2),)), "旅 行 困", *["旅行 困"] * 2),
        # a single character of it is linked
        ("困 难", "困住", Alignment(2, 2, ((0, 0, 1),)), *["困 难"] * 3),
        # a boundary between neighbours that are not linked to neighbours
        ("写字", "写 的 字", Alignment(2, 3, ((0, 0, 1), (1, 2, 1))), *["写字"] * 3),
        ("学生活", "学 生活", Alignment(3, 3, ((0, 0, 3),)), *["学 生活"] * 3),
    ],
)
def test_the_readings_of_the_join_rule(
    source: str, target: str, links: Alignment, equal_length: str, contiguous: str, endpoints: str
) -> None:
    assert _project(source, target, links, "equal-length") == equal_length
    assert _project(source, target, links, "contiguous") == contiguous
    assert _project(source, target, links, "endpoints") == endpoints


def test_white_space_between_the_endpoints_of_a_word_stays() -> None:
    initial = Segmentation.from_tokens("现 代化", ["现", "代", "化"])
    target = Segmentation.from_tokens("现代化", ["现代化"])
    links = Alignment(4, 3, ((0, 0, 1), (2, 1, 2)))
    assert project(initial, target, links, join_rule="endpoints").segmentation == initial


def test_an_alignment_of_other_texts_is_refused() -> None:
    words = Segmentation("我", (1,))
    with pytest.raises(AlignmentError, match="does not fit"):
        project(words, words, Alignment(1, 2))
