"""Noise: its amount, its places, and the gold segmentation of what comes out."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st
from strategies import segmentations, words

from cijie.benchmarks.distribution import EditDistribution
from cijie.benchmarks.noise import Pool, UniformNoise
from cijie.benchmarks.synthetic import make_condition
from cijie.characters import characters

corpora = st.lists(segmentations(), max_size=6).map(
    lambda targets: [(str(n), target) for n, target in enumerate(targets)]
)
noise = UniformNoise(Pool.of(["我们去旅行团👩‍🏫🇨"], "test"))


@given(corpora, st.fractions(0, 1), st.integers(0))
def test_any(corpus, ratio, seed):
    c = make_condition(corpus, ratio, noise=noise, seed=seed)
    assert sum(c.edits.values()) == round(ratio * c.characters)
