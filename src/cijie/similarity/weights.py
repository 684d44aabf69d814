"""Weights of the similarity features."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from math import isfinite
from numbers import Real
from typing import Any

from cijie.errors import UsageError, unknown


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each feature; the defaults are the paper's.

    Raises:
        UsageError: a weight is negative or not finite.
    """

    emb: float = 0.1
    glyph: float = 0.6
    pinyin: float = 0.0
    pos: float = 0.3

    def __post_init__(self) -> None:
        for name, weight in asdict(self).items():
            if not (isinstance(weight, Real) and isfinite(weight) and float(weight) >= 0):
                raise UsageError(f"weight {name} must be a number >= 0, not {weight!r}")

    @classmethod
    def of(cls, weights: Weights | Mapping[str, Any] | str) -> Weights:
        """Convert weights from a mapping or a string such as `emb=.1,glyph=.6`.

        In a string, weights that are not named are 0. `Weights` are returned unchanged.

        Raises:
            UsageError: a weight is unknown, invalid or named twice.
            TypeError: `weights` has another type.

        >>> Weights.of("glyph=.7,pos=.3")
        Weights(emb=0.0, glyph=0.7, pinyin=0.0, pos=0.3)
        """
        if isinstance(weights, cls):
            return weights
        names = [each.name for each in fields(cls)]
        if isinstance(weights, str):
            weights = dict.fromkeys(names, 0.0) | _parsed(weights)
        if not isinstance(weights, Mapping):
            raise TypeError(f"weights must be a mapping or 'glyph=.7,pos=.3', not {weights!r}")
        for name in weights:
            if name not in names:
                raise UsageError(unknown("weight", name, names))
        return cls(**weights)

    def __str__(self) -> str:
        """Return the weights in the form that `of` reads.

        >>> print(Weights())
        emb=0.1,glyph=0.6,pinyin=0,pos=0.3
        """
        return ",".join(f"{name}={weight:g}" for name, weight in asdict(self).items())


def _parsed(text: str) -> dict[str, Any]:
    """Parse `emb=.1,glyph=.6,…`; values are left for `Weights` to check."""
    weights: dict[str, Any] = {}
    for item in text.split(","):
        name, _, value = (part.strip() for part in item.partition("="))
        if name in weights:
            raise UsageError(f"duplicate weight {name}: {text!r}")
        weights[name] = value
        with suppress(ValueError):
            weights[name] = float(value)
    return weights
