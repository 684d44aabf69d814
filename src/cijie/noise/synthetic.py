"""Make noisy sentences whose gold segmentation is known.

The sentences of a segmented corpus are the targets; edits turn them into sources. An edit affects
one character of a target (white space does not count), and the words of the source follow from the
words of the target:

- substitution: another character replaces it, in the same word;
- deletion: its word loses the character, or is gone if it had no other;
- insertion: another character is put before or after it, as a coin toss decides. Inside a word it
  belongs to that word; at its edge it is a word of its own, as annotators segment characters that
  the target lacks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from typing import Literal

from cijie.errors import UsageError
from cijie.noise.injection import KINDS, EditDistribution, EditKind, Noise
from cijie.noise.randomness import RandomStream
from cijie.recovery.sentence import Sentence
from cijie.text.characters import Characters, characters
from cijie.text.segmentation import Segmentation

KindRule = Literal["apportioned", "drawn"]
"""The numbers of edits of each kind. `"apportioned"`: as near to the shares as whole numbers can
be. `"drawn"`: the kind of each edit is drawn independently, as in the paper."""

_Piece = tuple[str, str, str]
"""The replacement of a character: the insertion before it; the character, its substitute or
nothing; and the insertion after it."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of the noise.

    Args:
        noise: draws the wrong characters.
        distribution: the shares of the kinds of edits; by default the paper's.
        seed: the seed of the benchmark, from which the seeds of its conditions are derived.
        kinds: whether the kinds of edits are apportioned or drawn.
    """

    noise: Noise
    distribution: EditDistribution = field(default_factory=EditDistribution)
    seed: int = 0
    kinds: KindRule = "apportioned"

    def kinds_of(self, edits: int, seed: int) -> list[EditKind]:
        """Return the kinds of a number of edits, for a condition with the given seed."""
        if self.kinds == "drawn":
            return self.distribution.draw(edits, RandomStream(f"{seed}/kinds"))
        counts = self.distribution.apportion(edits)
        return [kind for kind in KINDS for _ in range(counts[kind])]


@dataclass(frozen=True, slots=True)
class Condition:
    """A corpus with noise of one ratio.

    Attributes:
        ratio: the requested number of edits per character of the targets.
        seed: the seed of this condition.
        pairs: the sentences whose source is not empty, in the order of the corpus, with the words
            of source and target; the others are dropped.
        characters: the number of characters of all targets, without white space.
        edits: the number of edits of each kind, including dropped sentences.
    """

    ratio: Fraction
    seed: int
    pairs: tuple[Sentence, ...]
    characters: int
    edits: Mapping[EditKind, int]

    @property
    def name(self) -> str:
        """The ratio in per cent: `r01`, `r10`, `r02.5`.

        >>> Condition(Fraction("0.025"), 0, (), 0, {}).name
        'r02.5'
        """
        whole, point, rest = f"{float(self.ratio * 100):.10g}".partition(".")
        return f"r{whole.zfill(2)}{point}{rest}"


def make_condition(targets: Sequence[Sentence], ratio: Fraction, recipe: Recipe) -> Condition:
    """Make noisy sources of segmented sentences.

    The number of edits is `ratio` times the number of characters of all targets, rounded half to
    even. The edited characters are drawn uniformly, without replacement, from all characters of the
    corpus, regardless of words.

    The result is determined by the arguments. The seed of the condition is the first number of the
    stream whose key is `synthetic/`, the seed of the recipe, and the ratio as a reduced fraction,
    such as `synthetic/0/1/100`. There are separate random streams for the positions of edits (with
    apportioned kinds, the first positions drawn are substitutions, the next ones deletions, the
    last ones insertions), for drawn kinds, and, in text order, for the sides of insertions, the
    inserted characters and the substitutes. Two kinds of noise therefore differ only in the
    characters that they draw.

    Args:
        targets: the corpus, sentences with their words.
        ratio: the number of edits per character, from 0 to 1.
        recipe: the settings of the noise.

    Raises:
        UsageError: a ratio out of range.
        CijieError: the noise has no character to draw.
    """
    if not 0 <= ratio <= 1:
        raise UsageError(f"the ratio of edits to characters must be from 0 to 1, not {ratio}")
    splits = [characters(target.source) for target in targets]
    places = [
        (sentence, k)
        for sentence, split in enumerate(splits)
        for k, blank in enumerate(split.blank)
        if not blank
    ]
    own_seed = RandomStream(f"synthetic/{recipe.seed}/{ratio}").bits()
    kinds = recipe.kinds_of(round(ratio * len(places)), own_seed)
    drawn = RandomStream(f"{own_seed}/positions").sample(len(places), len(kinds))
    drawing = _Drawing(recipe.noise, own_seed)
    pieces: list[dict[int, _Piece]] = [{} for _ in targets]
    for (sentence, k), kind in sorted(
        (places[place], kind) for place, kind in zip(drawn, kinds, strict=True)
    ):
        pieces[sentence][k] = drawing.piece(kind, targets[sentence].source, splits[sentence], k)
    pairs = []
    for each, split, changed in zip(targets, splits, pieces, strict=True):
        target = each.known_words()
        source = _edited(target, split, changed)
        if len(source):
            pair = Sentence(each.id, source.text, (target.text,), segmentation=source)
            pairs.append(replace(pair, target_segmentations=(target,)))
    edits = {kind: kinds.count(kind) for kind in KINDS}
    return Condition(ratio, own_seed, tuple(pairs), len(places), edits)


class _Drawing:
    """Draws sides, inserted characters and substitutes, each from its own stream."""

    def __init__(self, noise: Noise, seed: int) -> None:
        self._noise = noise
        self._sides, self._inserted, self._substitutes = (
            RandomStream(f"{seed}/{name}") for name in ("sides", "insertions", "substitutions")
        )

    def piece(self, kind: EditKind, target: str, split: Characters, k: int) -> _Piece:
        """Return the replacement of character `k` of a target under an edit."""
        if kind == "deletion":
            return "", "", ""
        if kind == "substitution":
            return "", self._noise.substitution(split.keys[k], self._substitutes), ""
        other, kept = self._noise.pool.draw(self._inserted), _character(target, split, k)
        return ("", kept, other) if self._sides.below(2) else (other, kept, "")


def _character(target: str, split: Characters, k: int) -> str:
    return target[split.starts[k] : split.ends[k]]


def _edited(target: Segmentation, split: Characters, pieces: Mapping[int, _Piece]) -> Segmentation:
    """Replace characters of a target, by number, by `pieces`, and derive the source's words."""
    if not pieces:
        return target
    # Three parts per character: part 3k + 1 replaces character k itself.
    parts: list[str] = []
    for k in range(len(split)):
        parts += pieces.get(k, ("", _character(target.text, split, k), ""))
    offsets = list(accumulate(map(len, parts), initial=0))
    spans = []
    for start, end in target.spans:
        first = 3 * bisect_left(split.starts, start)
        last = 3 * bisect_left(split.ends, end) + 2
        for word in ([first], range(first + 1, last), [last]):
            left = [n for n in word if parts[n] and not split.blank[n // 3]]
            if left:
                spans.append((offsets[left[0]], offsets[left[-1] + 1]))
    return Segmentation.from_spans("".join(parts), spans)
