from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.noise.injection import KINDS, EditDistribution


@st.composite
def distributions(draw: st.DrawFn) -> EditDistribution:
    weights = draw(st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any))
    return EditDistribution(*(Fraction(weight, sum(weights)) for weight in weights))


@given(distributions(), st.integers(0, 10_000))
def test_numbers_of_edits_add_up_and_are_next_to_the_shares(
    distribution: EditDistribution, edits: int
) -> None:
    counts = distribution.apportion(edits)
    assert tuple(counts) == KINDS
    assert sum(counts.values()) == edits
    for count, share in zip(counts.values(), distribution.shares, strict=True):
        assert abs(count - share * edits) < 1
        assert count == 0 or share > 0


def test_the_default_is_the_papers() -> None:
    assert EditDistribution.parse(".483,.318,.199") == EditDistribution()
    assert list(EditDistribution().apportion(1000).values()) == [483, 318, 199]


@pytest.mark.parametrize("text", ["", ".5,.5", ".5,.3,.1", "1,1,1", "a,b,c", "nan,0,1", "inf,0,0"])
def test_what_is_no_distribution(text: str) -> None:
    with pytest.raises(ValueError, match="expected three shares"):
        EditDistribution.parse(text)


@pytest.mark.parametrize("text", ["-.1,.6,.5", "1.5,-.5,0"])
def test_a_share_is_not_negative(text: str) -> None:
    with pytest.raises(ValueError, match=">= 0"):
        EditDistribution.parse(text)


def test_edits_are_counted_from_target_to_source_without_white_space() -> None:
    pairs = [
        ("我 参加了旅行困", "我参加了旅行团"),  # a substitution
        ("去北京", "要去北京"),  # a deletion
        ("他很很好\u3000", "他很好"),  # an insertion
        ("今天👩\u200d🏫来", "今天👩\u200d🔬来"),  # one substitution, however many code points
        ("一样", "一样"),
    ]
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert EditDistribution.estimate(pairs) == EditDistribution(half, quarter, quarter)


def test_there_is_nothing_to_estimate() -> None:
    with pytest.raises(ValueError, match="no edit"):
        EditDistribution.estimate([("好", "好")])
