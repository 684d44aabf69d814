"""The weights of the features in a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import isfinite
from numbers import Real

from cijie.choices import unknown
from cijie.errors import UsageError


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each feature; the defaults are the paper's.

    Raises:
        UsageError: a weight that is negative or not finite.
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
    def of(cls, weights: Weights | Mapping[str, float] | str) -> Weights:
        """Weights as users give them: as they are, as a mapping, or as `parse` reads them.

        Raises:
            UsageError: an unknown or bad weight.
            TypeError: something else.
        """
        if isinstance(weights, cls):
            return weights
        if isinstance(weights, str):
            return cls.parse(weights)
        if not isinstance(weights, Mapping):
            raise TypeError(f"weights must be a mapping or 'glyph=.7,pos=.3', not {weights!r}")
        known = [field.name for field in fields(cls)]
        for name in weights:
            if name not in known:
                raise UsageError(unknown("weight", name, known))
        return cls(**weights)

    @classmethod
    def parse(cls, text: str) -> Weights:
        """Read `emb=.1,glyph=.6,…`; weights that are not named are 0.

        >>> Weights.parse("glyph=.7,pos=.3")
        Weights(emb=0.0, glyph=0.7, pinyin=0.0, pos=0.3)
        """
        weights = dict.fromkeys((field.name for field in fields(cls)), 0.0)
        seen = set()
        for item in text.split(","):
            name, _, value = (part.strip() for part in item.partition("="))
            if name not in weights:
                raise UsageError(unknown("weight", name, weights))
            if name in seen:
                raise UsageError(f"weight {name} twice: {text!r}")
            seen.add(name)
            try:
                weights[name] = float(value)
            except ValueError:
                raise UsageError(f"weight {name} must be a number >= 0, not {value!r}") from None
        return cls(**weights)

    def __str__(self) -> str:
        """As `parse` reads them.

        >>> print(Weights())
        emb=0.1,glyph=0.6,pinyin=0,pos=0.3
        """
        return ",".join(f"{name}={weight:g}" for name, weight in asdict(self).items())
