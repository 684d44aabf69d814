import random
from itertools import pairwise

import pytest
from hypothesis import given

from cijie.alignment.links import anchors
from cijie.text.characters import characters

from references import lcs_links, lcs_table
from strategies import plain_texts, texts


def _pairs(source: str, target: str) -> list[tuple[int, int]]:
    return [(link.source, link.target) for link in anchors(source, target).links]


@given(plain_texts, plain_texts)
def test_links_are_those_of_the_documented_rule(source: str, target: str) -> None:
    links = _pairs(source, target)
    assert len(links) == lcs_table(source, target)[-1][-1]
    assert links == lcs_links(source, target)


@given(texts, texts)
def test_links_join_equal_code_points_of_whole_clusters_in_order(source: str, target: str) -> None:
    links = _pairs(source, target)
    assert all(source[i] == target[j] for i, j in links)
    assert all(a < b and c < d for (a, c), (b, d) in pairwise(links))
    for text, side in ((source, 0), (target, 1)):
        linked = {link[side] for link in links}
        split = characters(text)
        for key, core in zip(split.keys, split.cores, strict=True):
            assert len(linked & set(range(core, core + len(key)))) in (0, len(key))
    left, right = characters(source), characters(target)
    assert (
        sum(j in set(right.cores) for _, j in links)
        == (lcs_table(list(left.keys), list(right.keys))[-1][-1])
    )


@given(texts)
def test_a_text_is_linked_with_itself(text: str) -> None:
    assert all(i == j for i, j in _pairs(text, text))


# The choice among equally long common subsequences: pinned, so that a new version of a library
# cannot change results unnoticed.
@pytest.mark.parametrize(
    ("source", "target", "blocks"),
    [
        ("天天天见", "天天见", ((0, 0, 2), (3, 2, 1))),
        ("他很很很好", "他很好", ((0, 0, 2), (4, 2, 1))),
        ("他高兴地地跑", "他高兴地跑", ((0, 0, 4), (5, 4, 1))),
        ("的我的", "我的我", ((0, 1, 2),)),
        ("甲乙丙丁", "丁丙乙甲", ((0, 3, 1),)),
        ("甲乙甲乙", "乙甲乙甲", ((0, 1, 3),)),
        ("甲乙丙乙丁", "甲丙乙丙丁", ((0, 0, 1), (1, 2, 2), (4, 4, 1))),
        ("因为下雨我没去", "我因为下雨没去", ((0, 1, 4), (5, 5, 2))),
        ("", "我", ()),
        ("ABC", "你好", ()),
    ],
)
def test_ties(source: str, target: str, blocks: tuple[tuple[int, int, int], ...]) -> None:
    assert anchors(source, target).anchors == blocks


@pytest.mark.parametrize("size", [1100, 5000])
def test_long_texts(size: int) -> None:
    rng = random.Random(size)
    alphabet = [chr(0x4E00 + k) for k in range(800)]
    source = rng.choices(alphabet, k=size)
    target = [rng.choice(alphabet) if rng.random() < 0.05 else char for char in source]
    links = _pairs("".join(source), "".join(target))
    # The oracle is quadratic and in Python: for the longer text its bounds must do.
    if size < 2000:
        assert links == lcs_links(source, target)
    assert len(links) >= sum(a == b for a, b in zip(source, target, strict=True))
    assert all(source[i] == target[j] for i, j in links)
