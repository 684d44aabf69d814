"""The synthetic benchmark: segmented sentences with noise, whose gold segmentation is known.

The sentences of a segmented corpus are the targets; their sources are made by edits. An edit
concerns one character of a target (white space does not count), and the words of the source follow
from those of the target:

- substitution: another character stands in its place, in the same word;
- deletion: its word is shorter by it, or gone if it was the only one;
- insertion: another character stands before it or behind it, as a coin decides. Inside a word it
  belongs to that word; what it belongs to between two words is said by `InsertionRule`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from typing import Literal

from cijie.errors import UsageError
from cijie.noise.distribution import KINDS, EditDistribution, EditKind
from cijie.noise.injection import Noise, Origin
from cijie.noise.randomness import RandomStream
from cijie.recovery.sentence import Sentence
from cijie.text.characters import Characters, characters
from cijie.text.segmentation import Segmentation

InsertionRule = Literal["apart", "joined"]
"""What becomes of a character that is inserted at the edge of a word. `"apart"`: it is a word of
its own, as annotators cut what the target does not have. `"joined"`: it belongs to the word of the
character that the edit concerns; between two words a coin decides, which source and target do not
show."""

KindRule = Literal["apportioned", "drawn"]
"""How many edits are of which kind. `"apportioned"`: as near to the shares as whole numbers are.
`"drawn"`: as many as come out where the kind of each edit is drawn by itself, as in the paper."""

_Piece = tuple[str, str, str]
"""What stands in the place of a character: what is inserted before it, itself or its substitute or
nothing, and what is inserted behind it."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How noise is made.

    Args:
        noise: draws the wrong characters.
        distribution: how many edits are of which kind, the paper's by default.
        insertions: what becomes of characters that are inserted at the edge of a word.
        seed: the seed of the benchmark, which those of its conditions are made of.
        kinds: whether the kinds of edits are apportioned, or drawn.
    """

    noise: Noise
    distribution: EditDistribution = field(default_factory=EditDistribution)
    insertions: InsertionRule = "apart"
    seed: int = 0
    kinds: KindRule = "apportioned"

    def kinds_of(self, edits: int, seed: int) -> list[EditKind]:
        """The kinds of so many edits of a condition with that seed."""
        if self.kinds == "drawn":
            return self.distribution.draw(edits, RandomStream(f"{seed}/kinds"))
        counts = self.distribution.apportion(edits)
        return [kind for kind in KINDS for _ in range(counts[kind])]


@dataclass(frozen=True, slots=True)
class Condition:
    """A corpus with noise of one ratio.

    Attributes:
        ratio: edits / characters of the targets, as it was asked for.
        seed: the seed of this condition.
        pairs: the sentences whose source is not empty, in the order of the corpus, with the words
            of source and target.
        characters: the number of characters of all targets, white space aside.
        edits: how many edits of each kind there are, those of dropped sentences included.
        origins: where the characters of substitutions come from.
        dropped: how many `sentences` were left out because nothing remained of their source, and
            their `characters` and `edits`.
    """

    ratio: Fraction
    seed: int
    pairs: tuple[Sentence, ...]
    characters: int
    edits: Mapping[EditKind, int]
    origins: Mapping[Origin, int]
    dropped: Mapping[str, int]

    @property
    def name(self) -> str:
        """The ratio in per cent, as `r01`, `r10`, `r02.5`.

        >>> Condition(Fraction("0.025"), 0, (), 0, {}, {}, {}).name
        'r02.5'
        """
        whole, point, rest = f"{float(self.ratio * 100):.10g}".partition(".")
        return f"r{whole.zfill(2)}{point}{rest}"


def condition_seed(seed: int, ratio: Fraction) -> int:
    """The seed of the condition of that ratio in the benchmark of that seed.

    It is the first number of the stream whose key is `synthetic/` with the seed and the ratio as a
    reduced fraction, such as `synthetic/0/1/100`.
    """
    return RandomStream(f"synthetic/{seed}/{ratio}").bits()


def make_condition(targets: Sequence[Sentence], ratio: Fraction, recipe: Recipe) -> Condition:
    """Make noisy sources of segmented sentences.

    The number of edits is `ratio` times the number of characters of all targets, rounded (halves to
    the even number). The characters that they concern are drawn among all characters of the corpus,
    each as likely as any other and none twice, whatever the words.

    The result is determined by the arguments. There is a random stream each for the positions of
    edits (where kinds are apportioned, the first ones drawn are substitutions, the next ones
    deletions, the last ones insertions), for kinds that are drawn, and, in text order, for the
    sides of insertions, the inserted characters and the substitutes. Two kinds of noise so differ
    in nothing but the characters that they draw.

    Args:
        targets: the corpus, sentences with their words.
        ratio: edits / characters, from 0 to 1.
        recipe: how noise is made.

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
    own_seed = condition_seed(recipe.seed, ratio)
    kinds = recipe.kinds_of(round(ratio * len(places)), own_seed)
    drawn = RandomStream(f"{own_seed}/positions").sample(len(places), len(kinds))
    drawing = _Drawing(recipe.noise, own_seed)
    pieces: list[dict[int, _Piece]] = [{} for _ in targets]
    for (sentence, k), kind in sorted(
        (places[place], kind) for place, kind in zip(drawn, kinds, strict=True)
    ):
        pieces[sentence][k] = drawing.piece(kind, targets[sentence].source, splits[sentence], k)
    pairs = []
    dropped = dict.fromkeys(("sentences", "characters", "edits"), 0)
    for each, split, changed in zip(targets, splits, pieces, strict=True):
        target = each.cut()
        source = _edited(target, split, changed, recipe.insertions)
        if len(source):
            pair = Sentence(each.id, source.text, (target.text,), segmentation=source)
            pairs.append(replace(pair, target_segmentations=(target,)))
        else:
            dropped["sentences"] += 1
            dropped["characters"] += split.blank.count(0)
            dropped["edits"] += len(changed)
    origins = dict(sorted(drawing.origins.items()))
    edits = {kind: kinds.count(kind) for kind in KINDS}
    return Condition(ratio, own_seed, tuple(pairs), len(places), edits, origins, dropped)


class _Drawing:
    """Draws what edits are: sides, inserted characters and substitutes from a stream each."""

    def __init__(self, noise: Noise, seed: int) -> None:
        self._noise = noise
        self._sides, self._inserted, self._substitutes = (
            RandomStream(f"{seed}/{name}") for name in ("sides", "insertions", "substitutions")
        )
        self.origins: Counter[Origin] = Counter()

    def piece(self, kind: EditKind, target: str, split: Characters, k: int) -> _Piece:
        """What stands in the place of character `k` of a target after an edit."""
        if kind == "deletion":
            return "", "", ""
        if kind == "substitution":
            other, origin = self._noise.substitution(split.keys[k], self._substitutes)
            self.origins[origin] += 1
            return "", other, ""
        other, kept = self._noise.insertion(self._inserted), _character(target, split, k)
        return ("", kept, other) if self._sides.below(2) else (other, kept, "")


def _character(target: str, split: Characters, k: int) -> str:
    return target[split.starts[k] : split.ends[k]]


def _edited(
    target: Segmentation,
    split: Characters,
    pieces: Mapping[int, _Piece],
    insertions: InsertionRule,
) -> Segmentation:
    """The target with some of its characters, by number, replaced by `pieces`."""
    if not pieces:
        return target
    # Three parts a character: number 3k + 1 is what became of character k itself.
    parts: list[str] = []
    for k in range(len(split)):
        parts += pieces.get(k, ("", _character(target.text, split, k), ""))
    offsets = list(accumulate(map(len, parts), initial=0))
    spans = []
    for start, end in target.spans:
        first = 3 * bisect_left(split.starts, start)
        last = 3 * bisect_left(split.ends, end) + 2
        words = [range(first, last + 1)]
        if insertions == "apart":
            words = [range(first, first + 1), range(first + 1, last), range(last, last + 1)]
        for word in words:
            left = [n for n in word if parts[n] and not split.blank[n // 3]]
            if left:
                spans.append((offsets[left[0]], offsets[left[-1] + 1]))
    return Segmentation.from_spans("".join(parts), spans)
