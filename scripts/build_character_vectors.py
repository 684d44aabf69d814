"""Build the character vectors of the embedded context feature.

    python scripts/build_character_vectors.py [--dictionary FILE] [--output FILE]

Requires the dependency group ``vectors``. A character is represented by its neighbours in the words
of jieba's dictionary (MIT licence), weighted by frequency: positive pointwise mutual information
with the neighbours, contexts smoothed by the power 0.75 (Levy, Goldberg and Dagan, TACL 2015),
reduced by a truncated singular value decomposition.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import jieba
import numpy as np
import scipy.sparse
from scipy.sparse.linalg import svds

from archives import npz

OUTPUT = Path(__file__).resolve().parent.parent / "src/cijie/similarity/data/vectors-1.npz"
DIMENSIONS = 48
FEWEST_WORDS = 5  # characters in fewer words have too little evidence
SMOOTHING = 0.75


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--dictionary", type=Path, default=Path(jieba.__file__).parent / "dict.txt")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    characters, matrix = association(dictionary(arguments.dictionary))
    left, singular, _ = svds(matrix, k=DIMENSIONS, v0=np.ones(min(matrix.shape)))
    order = np.argsort(-singular)
    vectors = left[:, order] * np.sqrt(singular[order])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # The sign of a singular vector is arbitrary; it would not change similarities, but the bytes.
    vectors *= np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(DIMENSIONS)])
    scaled = np.round(vectors / np.abs(vectors).max() * 127).astype(np.int8)
    codes = np.array([ord(char) for char in characters], dtype="<u4")
    arguments.output.write_bytes(npz(characters=codes, vectors=scaled))
    print(f"{len(characters)} characters, {arguments.output.stat().st_size} bytes")


def dictionary(path: Path) -> dict[str, int]:
    """Read the words of two or more Han characters, with their frequencies."""
    lines = path.read_text(encoding="utf-8").splitlines()
    entries = (line.split(" ") for line in lines)
    return {
        word: int(frequency)
        for word, frequency, *_ in entries
        if len(word) > 1 and all("\u4e00" <= char <= "\u9fff" for char in word)
    }


def association(words: dict[str, int]) -> tuple[list[str], scipy.sparse.csr_matrix]:
    """Return characters and their positive pointwise mutual information with neighbours."""
    occurrences: Counter[str] = Counter()
    together: defaultdict[tuple[str, str, str], float] = defaultdict(float)
    for word, frequency in words.items():
        occurrences.update(word)
        weight = math.log1p(frequency)
        for first, second in pairwise(word):
            together[first, "right", second] += weight
            together[second, "left", first] += weight
    characters = sorted(char for char, count in occurrences.items() if count >= FEWEST_WORDS)
    row_of = {char: row for row, char in enumerate(characters)}
    cells = sorted(
        (row_of[char], context, weight)
        for (char, *context), weight in together.items()
        if char in row_of
    )
    contexts = {
        tuple(context): column
        for column, context in enumerate(sorted({tuple(context) for _, context, _ in cells}))
    }
    rows = np.array([row for row, _, _ in cells])
    columns = np.array([contexts[tuple(context)] for _, context, _ in cells])
    counts = np.array([weight for _, _, weight in cells])
    row_sums = np.bincount(rows, counts)
    column_sums = np.bincount(columns, counts) ** SMOOTHING
    information = np.log(counts * column_sums.sum() / (row_sums[rows] * column_sums[columns]))
    kept = information > 0
    shape = len(characters), len(contexts)
    return characters, scipy.sparse.csr_matrix(
        (information[kept], (rows[kept], columns[kept])), shape=shape
    )


if __name__ == "__main__":
    main()
