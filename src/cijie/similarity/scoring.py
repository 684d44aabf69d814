"""The P2 score: a weighted sum of context, glyph, sound and position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import inf

import numpy as np

from cijie.similarity.features import Candidates, Feature, Floats
from cijie.similarity.weights import Weights

_DECIMALS = 9
_ROUNDED = 10.0**-_DECIMALS  # by no more is a score changed
_BY_COST = ("pos", "glyph", "pinyin", "emb")


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores candidates by a weighted sum of features.

    A feature with weight 0 is not computed. One that is not available (no entry in `features`) is
    left out and its weight is *not* given to the others: scores then are lower, as they would be
    were the feature 0 everywhere.

    Args:
        weights: the weight of each feature.
        features: the features by their weight's name: `emb`, `glyph`, `pinyin`, `pos`.
    """

    weights: Weights
    features: Mapping[str, Feature]

    def __call__(self, candidates: Candidates, threshold: float = -inf) -> Floats:
        """The score of each candidate, rounded to 9 decimals.

        Rounding makes "greater than the threshold" mean the same on every processor. The slowest
        feature comes last, and each one sees only the candidates that can still exceed
        `threshold`. The score of any other candidate may be too low.
        """
        size = len(candidates)
        values: dict[str, Floats] = {}
        sums, asked, rows = np.zeros(size), candidates, np.arange(size)
        weights = asdict(self.weights)
        waiting = {n: weights[n] for n in _BY_COST if weights[n] and n in self.features}
        while waiting and len(rows):
            name = next(iter(waiting))
            found = self.features[name](asked)
            sums += waiting.pop(name) * found
            if len(rows) == size:
                values[name] = found
            else:
                values[name] = np.zeros(size)
                values[name][rows] = found
            still = sums + sum(waiting.values()) > threshold - _ROUNDED
            if waiting and not still.all():
                rows, sums = rows[still], sums[still]
                asked = candidates.take(rows)
        return weighted_sum(self.weights, values, size)

    @property
    def signature(self) -> str:
        """Weights and what the features are, as `emb=0.1:absent,glyph=0.6:identity,…`."""
        names = {name: feature.name for name, feature in self.features.items()}
        return ",".join(
            f"{name}={weight:g}" + (f":{names.get(name, 'absent')}" if weight else "")
            for name, weight in asdict(self.weights).items()
        )


def weighted_sum(weights: Weights, values: Mapping[str, Floats], size: int) -> Floats:
    """Σ λ_f · f over the features in `values`, in the order of `Weights`."""
    total = np.zeros(size)
    for name, weight in asdict(weights).items():
        if weight and name in values:
            total += weight * values[name]
    return np.round(total, _DECIMALS)
