"""How far apart two characters stand in their sentences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cijie.similarity.candidates import Candidates, Floats


@dataclass(frozen=True, slots=True)
class GlobalPosition:
    """The paper's position feature, 1 - |i - j| / max(m, n).

    `i` and `j` are code-point offsets, `m` and `n` the lengths of source and target.
    """

    name: str = "global"

    def __call__(self, candidates: Candidates) -> Floats:
        longer = np.array([max(map(len, pair)) for pair in candidates.texts], dtype=np.float64)
        i = candidates.source.position[candidates.source_rows]
        j = candidates.target.position[candidates.target_rows]
        scores: Floats = 1 - np.abs(i - j) / longer[candidates.source.pair[candidates.source_rows]]
        return scores
