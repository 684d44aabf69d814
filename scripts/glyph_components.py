"""Compare characters by their components.

Reads the file of the cjk-decomp project, with lines such as ``休:a(亻,木)``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.sparse import csr_matrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

LINE = re.compile(r"(?P<whole>[^:]+):(?P<how>[^(]*)\((?P<parts>[^)]*)\)")
DEPTH_WEIGHT = 0.8
"""The factor by which the weight of a component falls with every level."""
LENGTH = 1 << 20
"""The Euclidean length to which vectors are scaled before rounding, to make float64 sums exact."""
DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The parts of every character or unnamed component (named by its number in the file)."""

    parts: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, path: Path) -> Decomposition:
        """Parse the file of cjk-decomp; a malformed line is an error."""
        parts = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = LINE.fullmatch(line.strip())
            if match is None:
                message = f"{path}:{number}: not a decomposition: {line!r}"
                raise ValueError(message)
            parts[match["whole"]] = tuple(part for part in match["parts"].split(",") if part)
        return cls(parts)

    def walk(self, name: str, depth: int = 0) -> Iterator[tuple[str, int]]:
        """Yield a component and everything it is built from, in order, with depths."""
        yield name, depth
        if depth < DEEPEST:
            for part in self.parts.get(name, ()):
                yield from self.walk(part, depth + 1)

    def leaves(self, name: str, depth: int = 0) -> Iterator[str]:
        """Yield the smallest components, in writing order."""
        inner = self.parts.get(name, ())
        if not inner or depth == DEEPEST:
            yield name
        for part in inner if depth < DEEPEST else ():
            yield from self.leaves(part, depth + 1)


def leaf_similarity(characters: Sequence[str], decomposition: Decomposition) -> NDArray[np.float32]:
    """Compute 1 - Levenshtein / longer length, over the characters' smallest components."""
    numbers: dict[str, int] = {}
    spelt = [
        "".join(
            chr(0xF0000 + numbers.setdefault(leaf, len(numbers)))
            for leaf in decomposition.leaves(character)
        )
        for character in characters
    ]
    return cdist(
        spelt, spelt, scorer=Levenshtein.normalized_similarity, workers=-1, dtype=np.float32
    )


def component_cosine(
    characters: Sequence[str], decomposition: Decomposition
) -> NDArray[np.float32]:
    """Compute the cosine of bags of components; rare and high-level ones weigh more."""
    bags: list[dict[str, float]] = []
    for character in characters:
        bag: dict[str, float] = {}
        for name, depth in decomposition.walk(character):
            bag[name] = bag.get(name, 0.0) + DEPTH_WEIGHT**depth
        bags.append(bag)
    users = Counter(name for bag in bags for name in bag)
    column = {name: number for number, name in enumerate(sorted(users))}
    data, columns, starts = [], [], [0]
    for bag in bags:
        weights = {name: w * log(len(bags) / users[name]) for name, w in bag.items()}
        norm = sum(w * w for w in weights.values()) ** 0.5 or 1.0
        data += [float(round(w / norm * LENGTH)) for w in weights.values()]
        columns += [column[name] for name in weights]
        starts.append(len(data))
    matrix = csr_matrix((data, columns, starts), shape=(len(bags), len(column)))
    return np.asarray((matrix @ matrix.T).toarray() / float(LENGTH) ** 2, dtype=np.float32)
