"""The numbers by which P3 weighs a suggestion, and the model that weighs them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib import resources
from math import exp

from cijie.projection.lexicon import Habits, Lexicon
from cijie.projection.suggestions import Suggestion
from cijie.shipped import Shipped

DECIMALS = 4
"""Probabilities are rounded to as many, so that they are the same on every processor."""

LIKE = 0.5
"""Minimum similarity at which an unknown target word licenses a join."""

PARTICLES = "的地得了着过"
"""Particles: separate words after almost any word."""

Weights = Mapping[str, float]
"""What each number adds to the log-odds of a change, for every 1 that it counts."""

Evidence = tuple[tuple[str, float, float], ...]
"""What was weighed, the situation first, whose value is 1; see `Doubt`."""


def situation(suggestion: Suggestion) -> str:
    """Which of four: a cut or a join, of a string that the target has as well, or of another."""
    kind = "cut" if suggestion.kind == "insert" else "join"
    return f"{'same' if suggestion.identical else 'other'} string, {kind}"


NUMBERS: Mapping[str, Callable[[Suggestion, Lexicon, Habits | None], float]] = {
    "similarity": lambda one, _, __: one.similarity,
    "nearer": lambda one, _, __: one.nearer,
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
"""What speaks for and against a suggestion, by name; a function of suggestion, lexicon and habits.

- `similarity`, `nearer`: see `Suggestion`;
- `whole`: the level (log10 of the frequency) of the string in question as a word; `unknown`: 1 if
  it is not known; `commonest`: the level of the commonest of its pieces;
- `reduplicated`: 1 if the string is made of characters that occur twice (慢慢, 高高兴兴);
- `particle`: 1 if it ends with a structural or aspectual particle (的, 地, 得, 了, 着, 过);
- `habit`: how much oftener the segmenter made one word of the string than several; `freedom`: that
  of its pieces of one character, of the one that least often is a word by itself. Both are 0
  without habits.
"""


def is_odd(suggestion: Suggestion, lexicon: Lexicon, habits: Habits | None) -> bool:
    """Whether an unknown target word would join characters that are not similar to its own.

    Args:
        suggestion: a cut or a join.
        lexicon: frequencies of words.
        habits: of the segmenter; None for none.
    """
    word = suggestion.word
    return (
        suggestion.kind == "remove"
        and not suggestion.identical
        and suggestion.similarity < LIKE
        and not lexicon[word]
        and (habits is None or not habits[word][0])
    )


@dataclass(frozen=True, slots=True)
class Model(Shipped):
    """The fitted model: logistic, additive; `scripts/fit_evidence.py` fits it.

    Args:
        weights: those of each situation; a number that is missing has no weight.
        without_habits: the same for segmenters whose habits are not known.
        target_rules: the same for target words of another origin than the source's.
        unfit: what is left of a join's probability if a source word reaches beyond it, so that it
            is not made.
        agreed: how often a boundary is right that source and target agree on, between characters
            that are linked to identical ones.
        near: how often any other undisputed boundary is right.
    """

    weights: Mapping[str, Weights]
    without_habits: Mapping[str, Weights]
    target_rules: Mapping[str, Weights]
    unfit: float
    agreed: float
    near: float

    @classmethod
    def builtin(cls) -> Model:
        """The model that cijie ships."""
        text = (resources.files(__package__) / "data" / "model-2.json").read_text(encoding="utf-8")
        return cls(**json.loads(text))._as_builtin()

    @property
    def name(self) -> str:
        """The model by its content, for the signature: another fit has another name."""
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
        """How probable it is that a suggestion is right, and by what.

        The weights are those for known or unknown habits, or for target words that rule.

        Args:
            suggestion: a cut or a join.
            lexicon: frequencies of words.
            habits: of the segmenter; None for none.
            target_rules: whether the words of the target hold, as in a treebank.
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
