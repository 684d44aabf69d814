"""How frequent a string is as a word."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from zlib import crc32

import numpy as np

from cijie.shipped import Shipped


@dataclass(frozen=True, slots=True)
class Lexicon(Shipped):
    """log10(1 + frequency) of words in some large body of text, by the CRC-32 of the word.

    So no word is held, and one string in 40,000 that is none is taken for one.

    >>> lexicon = Lexicon.builtin()
    >>> lexicon["不要"] > lexicon["旅团"] == 0
    True
    """

    name: str
    levels: Mapping[int, float] = field(repr=False, compare=False)

    @classmethod
    def builtin(cls) -> Lexicon:
        """The word list that cijie ships; `scripts/build_lexicon.py` says what it is."""
        data = (resources.files(__package__) / "data" / "words-1.npz").read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            keys = archive["keys"].tolist()
            levels = (archive["levels"] / archive["steps"][0]).tolist()
        name = f"words-1/{hashlib.sha256(data).hexdigest()[:8]}"
        return cls(name, dict(zip(keys, levels, strict=True)))._as_builtin()

    def __getitem__(self, word: str) -> float:
        """The level of a word; 0 if it is unknown."""
        return self.levels.get(crc32(word.encode("utf-8", "surrogatepass")), 0.0)
