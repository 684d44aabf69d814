"""The evidence that P3 weighs for each suggestion, and the model that weighs it."""

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
"""Decimals of probabilities, rounded so that they are identical on every processor."""

LIKE = 0.5
"""The minimum likeness at which an unknown target word licenses a join."""

PARTICLES = "的地得了着过"
"""Particles: separate words after almost any word."""

Weights = Mapping[str, float]
"""The weight of each feature in the log-odds of a change, by name."""

Evidence = tuple[tuple[str, float, float], ...]
"""The evidence: the situation first, with value 1, then the features; see `Doubt`."""


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
class Model(Shipped):
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
        text = (resources.files(__package__) / "data" / "model-2.json").read_text(encoding="utf-8")
        return cls(**json.loads(text))._as_builtin()

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
