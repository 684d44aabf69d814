"""How frequent a string is as a word."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

import numpy as np


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words with log10(1 + frequency) in some large body of text.

    >>> lexicon = Lexicon.builtin()
    >>> lexicon["不要"] > lexicon["旅团"] == 0
    True
    """

    name: str
    levels: Mapping[str, float] = field(repr=False, compare=False)

    @classmethod
    def builtin(cls) -> Lexicon:
        """The word list that cijie ships; `scripts/build_lexicon.py` says what it is."""
        data = (resources.files(__package__) / "data" / "words-1.npz").read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            words = archive["words"].tobytes().decode().split("\n")
            levels = (archive["levels"] / archive["steps"][0]).tolist()
        name = f"words-1/{hashlib.sha256(data).hexdigest()[:8]}"
        return cls(name, dict(zip(words, levels, strict=True)))

    def __getitem__(self, word: str) -> float:
        """The level of a word; 0 if it is unknown."""
        return self.levels.get(word, 0.0)
