import numpy as np
import pytest

from cijie.similarity.features import Candidates, Feature, Floats, GlobalPosition, LocalPosition

from strategies import link_by


def values(feature: Feature, source: str, target: str) -> dict[str, float]:
    """The feature of every candidate of a pair, by the two characters."""
    found: dict[str, float] = {}

    def score(candidates: Candidates) -> Floats:
        for a, b, value in zip(*candidates.chars, feature(candidates), strict=True):
            found[chr(a) + chr(b)] = float(value)
        return np.zeros(len(candidates))

    pairs = [("我", "你"), (source, target)]  # a pair before it must not matter
    link_by(pairs, score, 1)
    del found["我你"]
    return found


def test_global_is_the_papers() -> None:
    assert values(GlobalPosition(), "天甲地", "天乙丙丁地") == pytest.approx(
        {"甲乙": 1, "甲丙": 1 - 1 / 5, "甲丁": 1 - 2 / 5}
    )


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        # one gap of equal length: characters in the same place correspond
        ("天甲乙地", "天丙丁地", {"甲丙": 1, "乙丁": 1, "甲丁": 1 / 2, "乙丙": 1 / 2}),
        # one target character more: either end may be the common one
        ("天甲地", "天丙丁地", {"甲丙": 1 / 2, "甲丁": 1 / 2}),
        ("天甲地", "天丙丁戊地", {"甲丙": 1 / 3, "甲丁": 1 / 3 * 2 / 3, "甲戊": 1 / 3}),
        # different gaps: half of the global value
        ("甲天地", "天地丙", {"甲丙": (1 - 2 / 3) / 2}),
        # what stands before the gap does not matter
        ("天地人甲", "地人丙", {"天丙": (1 - 2 / 4) / 2, "甲丙": 1}),
    ],
)
def test_local_is_the_place_in_the_gap(
    source: str, target: str, expected: dict[str, float]
) -> None:
    assert values(LocalPosition(), source, target) == pytest.approx(expected)
