"""The evidence that P3 weighs for each suggestion, and the model that weighs it.

The evidence has frequencies of strings as words, and a segmenter's habits of segmenting them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, astuple, dataclass, field
from functools import cache
from hashlib import sha256
from importlib import resources
from math import exp, log
from operator import methodcaller
from typing import Any
from zlib import crc32

import numpy as np

from cijie.projection.suggestions import Suggestion

DECIMALS = 4
"""Decimals of probabilities, rounded so that they are identical on every processor."""

LIKE = 0.5
"""The minimum likeness at which an unknown target word licenses a join."""

PARTICLES = "的地得了着过"
"""Particles: separate words after almost any word."""

_WORDS = "words-1"
_DATA = resources.files(__package__) / "data"

Weights = Mapping[str, float]
"""The weight of each feature in the log-odds of a change, by name."""

Evidence = tuple[tuple[str, float, float], ...]
"""The evidence: the situation first, with value 1, then the features; see `Doubt`."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """log10(1 + frequency) of words in a large body of text, by the CRC-32 of the word.

    No words are stored. About 1 in 40,000 unknown strings is mistaken for a known word.

    >>> lexicon = Lexicon.builtin()
    >>> lexicon["不要"] > lexicon["旅团"] == 0
    True
    """

    name: str
    levels: Mapping[int, float] = field(repr=False, compare=False)

    @classmethod
    def builtin(cls) -> Lexicon:
        """Return the word list shipped with cijie; see `scripts/build_lexicon.py`."""
        data = (_DATA / f"{_WORDS}.npz").read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            keys = archive["keys"].tolist()
            levels = (archive["levels"] / archive["steps"][0]).tolist()
        name = f"{_WORDS}/{sha256(data).hexdigest()[:8]}"
        return cls(name, dict(zip(keys, levels, strict=True)))

    # By name: cloudpickle would send the code of the method `builtin` along.
    def __reduce__(self) -> tuple[Callable[..., Lexicon], tuple[Any, ...]]:
        if self.name.startswith(_WORDS):
            return methodcaller("builtin"), (Lexicon,)
        return Lexicon, (self.name, self.levels)

    def __getitem__(self, word: str) -> float:
        """Return the level of a word; 0 if it is unknown."""
        return self.levels.get(crc32(word.encode("utf-8", "surrogatepass")), 0.0)


@dataclass(frozen=True, slots=True)
class Habits:
    """Counts of how a segmenter segmented strings of Han characters in a body of text.

    Counts are stored by the CRC-32 of the string; the strings are not. For a string of two to
    four characters, they are its occurrences as one word and as several whole words in a row. For
    a single character, they are its occurrences as a word and as part of a longer one.

    Args:
        segmenter: the name of the segmenter.
        counts: both counts, by checksum.

    >>> habits = Habits.builtin()
    >>> habits["我们"] > habits["团"], habits["ab"]
    (True, (0, 0))
    """

    segmenter: str
    counts: Mapping[int, tuple[int, int]] = field(repr=False)

    @classmethod
    @cache  # so that it is known of habits whether they are these
    def builtin(cls) -> Habits:
        """Return the habits of wapic shipped with cijie; see `scripts/build_habits.py`."""
        data = (_DATA / "habits-1.npz").read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            keys, one, several = (archive[x].tolist() for x in ("keys", "one", "several"))
            segmenter = json.loads(archive["about"].tobytes())["segmenter"]
        return cls(segmenter, dict(zip(keys, zip(one, several, strict=True), strict=True)))

    def __reduce__(self) -> tuple[Callable[..., Habits], tuple[Any, ...]]:
        if self is Habits.builtin():
            return methodcaller("builtin"), (Habits,)
        return Habits, (self.segmenter, self.counts)

    @property
    def name(self) -> str:
        """The segmenter and a digest of the counts, as part of signatures."""
        digest = sha256(repr(sorted(self.counts.items())).encode()).hexdigest()
        return f"{self.segmenter}/{digest[:8]}"

    def __getitem__(self, string: str) -> tuple[int, int]:
        """Return the number of times that the string was one word, and that it was not."""
        return self.counts.get(crc32(string.encode("utf-8", "surrogatepass")), (0, 0))

    def habit(self, string: str) -> float:
        """Return the log ratio of one-word to multi-word occurrences of a string; 0 if unseen."""
        one, several = self[string]
        return log((one + 1) / (several + 1))

    def freedom(self, char: str) -> float:
        """Return the log ratio of occurrences as a word to those inside one; 0 if unseen."""
        word, part = self[char]
        return log((word + 0.5) / (part + 0.5))


def situation(suggestion: Suggestion) -> str:
    """Return one of four situations: cut or join, of a string that the target has, too, or not."""
    kind = "cut" if suggestion.kind == "insert" else "join"
    return f"{'same' if suggestion.identical else 'other'} string, {kind}"


NUMBERS: Mapping[str, Callable[[Suggestion, Lexicon, Habits | None], float]] = {
    "likeness": lambda one, _, __: one.likeness,
    "nearer": lambda one, _, __: one.nearer,
    "nearness": lambda one, _, __: one.nearness,
    "whole": lambda one, lexicon, _: lexicon[one.whole],
    "unknown": lambda one, lexicon, _: float(lexicon[one.whole] == 0),
    "commonest": lambda one, lexicon, _: max([lexicon[piece] for piece in one.pieces]),
    "reduplicated": lambda one, _, __: float(1 < len(one.whole) >= 2 * len(set(one.whole))),
    "particle": lambda one, _, __: float(one.whole[-1] in PARTICLES),
    "habit": lambda one, _, habits: habits.habit(one.whole) if habits else 0.0,
    "freedom": lambda one, _, habits: min(
        [habits.freedom(piece) if habits else 0.0 for piece in one.pieces if len(piece) == 1],
        default=1.0 if habits else 0.0,
    ),
}
"""The features of a suggestion, by name: functions of suggestion, lexicon and habits.

- `likeness`, `nearer`, `nearness`: see `Suggestion`;
- `whole`: the level (log10 of the frequency) of the string in question as a word; `unknown`: 1 if
  it is not in the lexicon; `commonest`: the highest level of its pieces;
- `reduplicated`: 1 if the string consists of characters that occur twice (慢慢, 高高兴兴);
- `particle`: 1 if it ends with a structural or aspectual particle (的, 地, 得, 了, 着, 过);
- `habit`: the log ratio of the segmenter's one-word and multi-word occurrences of the string;
  `freedom`: the lowest `Habits.freedom` of its one-character pieces. Both are 0 without habits.
"""


def is_odd(suggestion: Suggestion, lexicon: Lexicon, habits: Habits | None) -> bool:
    """Return whether an unknown target word would join characters that are not similar to its own.

    Args:
        suggestion: a cut or a join.
        lexicon: frequencies of words.
        habits: the segmenter's habits; None if they are unknown.
    """
    word = suggestion.word
    return (
        suggestion.kind == "remove"
        and not suggestion.identical
        and suggestion.likeness < LIKE
        and not lexicon[word]
        and (habits is None or not habits[word][0])
    )


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic, additive model, fitted by `scripts/fit_evidence.py`.

    Args:
        weights: the weights for each situation; a missing feature has weight 0.
        without_habits: the weights for segmenters with unknown habits.
        target_rules: the weights for target words of another origin than the source's.
        unfit: the factor on a join's probability if a source word extends beyond it, so that it
            is not applied.
        agreed: the accuracy of boundaries shared by source and target, between characters that
            are linked to identical ones.
        near: the accuracy of any other undisputed boundary.
    """

    weights: Mapping[str, Weights]
    without_habits: Mapping[str, Weights]
    target_rules: Mapping[str, Weights]
    unfit: float
    agreed: float
    near: float

    @classmethod
    def builtin(cls) -> Model:
        """Return the model shipped with cijie."""
        return cls(**json.loads((_DATA / "model-2.json").read_bytes()))

    def __reduce__(self) -> tuple[Callable[..., Model], tuple[Any, ...]]:
        if self == Model.builtin():
            return methodcaller("builtin"), (Model,)
        return Model, astuple(self)

    @property
    def name(self) -> str:
        """A name derived from the content, for signatures: another fit has another name."""
        values = json.dumps(asdict(self), sort_keys=True).encode()
        return f"model-2/{sha256(values).hexdigest()[:8]}"

    def weigh(
        self,
        suggestion: Suggestion,
        lexicon: Lexicon,
        habits: Habits | None,
        *,
        target_rules: bool = False,
    ) -> tuple[float, Evidence]:
        """Return the probability that a suggestion is right, and the evidence for it.

        The weights depend on whether habits are known and on `target_rules`.

        Args:
            suggestion: a cut or a join.
            lexicon: frequencies of words.
            habits: the segmenter's habits; None if they are unknown.
            target_rules: whether the target's words are authoritative, as in a treebank.
        """
        weights = self.without_habits if habits is None else self.weights
        kind = situation(suggestion)
        here = (self.target_rules if target_rules else weights)[kind]
        evidence = [(kind, 1.0, here["intercept"])]
        for name, weight in here.items():
            if name != "intercept":
                value = NUMBERS[name](suggestion, lexicon, habits)
                part = round(weight * value, DECIMALS) if value else 0.0
                evidence.append((name, round(value, DECIMALS), part))
        likely = 1 / (1 + exp(-sum([part for _, _, part in evidence])))
        return round(likely, DECIMALS), tuple(evidence)
