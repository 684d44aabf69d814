"""Compare characters by images of their printed shapes.

Every feature vector is rounded to integers before it is compared, so that the float32 products
below are exact in whatever order a BLAS adds them up: the bytes are the same on every processor.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image, ImageDraw, ImageFont, features
from scipy.ndimage import gaussian_filter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

SIDE = 64
"""The side of a rendered character, in pixels."""
EM = 56
"""The side of the em square, in pixels."""
LENGTH = 2048
"""The Euclidean length to which vectors are scaled before rounding: products stay below 2**24."""
ORIENTATIONS = 8
CELLS = 8
TTC_INDEX_SC = 2
"""The index of the Simplified Chinese face in the Noto CJK collections."""


def render(characters: Sequence[str], font: Path) -> NDArray[np.float32]:
    """Render grey images in [0, 1] of shape (characters, SIDE, SIDE), em square centred."""
    face = ImageFont.truetype(
        str(font), EM, index=TTC_INDEX_SC, layout_engine=ImageFont.Layout.BASIC
    )
    family = str(face.getname()[0])
    if not family.endswith("CJK SC"):
        message = f"{font}: face {TTC_INDEX_SC} is {family}, not Simplified Chinese"
        raise ValueError(message)
    ascent, _ = face.getmetrics()
    # The ink of an ideograph is in the em square, whose centre is .38 em above the baseline.
    top = round(SIDE / 2 - (ascent - 0.38 * EM))
    missing = bytes(face.getmask("\U0010fffd"))
    images = np.empty((len(characters), SIDE, SIDE), dtype=np.float32)
    for row, character in enumerate(characters):
        if bytes(face.getmask(character)) == missing:
            message = f"{font} has no glyph for {character} (U+{ord(character):04X})"
            raise ValueError(message)
        image = Image.new("L", (SIDE, SIDE))
        ImageDraw.Draw(image).text(((SIDE - EM) // 2, top), character, fill=255, font=face)
        images[row] = np.asarray(image, dtype=np.float32) / 255
    return images


def freetype_version() -> str:
    """Return the version of the rasteriser, on which the bytes of the images depend."""
    return str(features.version("freetype2"))


def correlation(images: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compute the normalised cross-correlation of all pairs, the best of nine small shifts."""
    smooth = gaussian_filter(images, sigma=(0, 1.5, 1.5))
    half = SIDE // 2
    small = smooth.reshape(-1, half, 2, half, 2).mean(axis=(2, 4))
    base = _whole(_unit((small - small.mean(axis=(1, 2), keepdims=True)).reshape(len(small), -1)))
    best = np.full((len(small), len(small)), -np.inf, dtype=np.float32)
    padded = np.pad(small, ((0, 0), (1, 1), (1, 1)))
    for down, right in product((-1, 0, 1), repeat=2):
        if (down, right) < (0, 0):
            continue  # the transposed product of the opposite shift
        moved = padded[:, 1 + down : 1 + down + half, 1 + right : 1 + right + half]
        moved = (moved - moved.mean(axis=(1, 2), keepdims=True)).reshape(len(small), -1)
        both = base @ _whole(_unit(moved)).T
        np.maximum(best, both, out=best)
        np.maximum(best, both.T, out=best)
    return best / np.float32(LENGTH**2)


def gradients(images: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compute the cosine of histograms of oriented gradients (8 orientations, 8 by 8 cells)."""
    smooth = gaussian_filter(images, sigma=(0, 1, 1))
    down, right = np.gradient(smooth, axis=(1, 2))
    strength = np.hypot(down, right)
    angle = np.mod(np.arctan2(down, right), np.pi) / np.pi * ORIENTATIONS
    low = np.floor(angle).astype(int)
    share = angle - low
    step = SIDE // CELLS
    histogram = np.zeros((len(images), CELLS, CELLS, ORIENTATIONS), dtype=np.float64)
    for orientation in range(ORIENTATIONS):
        weight = strength * (
            np.where(low % ORIENTATIONS == orientation, 1 - share, 0)
            + np.where((low + 1) % ORIENTATIONS == orientation, share, 0)
        )
        histogram[..., orientation] = weight.reshape(-1, CELLS, step, CELLS, step).sum(axis=(2, 4))
    vectors = _whole(_unit(np.sqrt(histogram).reshape(len(images), -1)))
    return (vectors @ vectors.T) / np.float32(LENGTH**2)


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    """Scale rows to length one."""
    rows = np.asarray(vectors, dtype=np.float64)
    norms = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    unit: NDArray[np.float64] = rows / np.maximum(norms, 1e-12)
    return unit


def _whole(vectors: NDArray[np.float64]) -> NDArray[np.float32]:
    """Round unit rows to whole numbers: sums of their products are exact in float32."""
    return np.rint(vectors * LENGTH).astype(np.float32)
