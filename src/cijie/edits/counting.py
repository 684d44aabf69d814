"""Count the right and wrong edits of a system, by the rules of ERRANT or ChERRANT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import isfinite
from typing import Literal, get_args

from cijie.edits.blocks import Annotation, M2Block
from cijie.edits.edits import Edit
from cijie.errors import UsageError, check_choice
from cijie.evaluation.counts import Sums
from cijie.evaluation.significance import PairedTest, check_trials
from cijie.text.characters import is_punctuation

Rules = Literal["errant", "cherrant"]
"""The scorer whose rules apply. For `"errant"`, corrections are equal if their words are; for
`"cherrant"`, if their characters are, however they are segmented. With `"cherrant"`, a sentence
whose only reference could not be annotated (type `NA`) is not scored."""

Ignored = Literal["punctuation"]
"""The edits that do not count: those of punctuation alone."""

Measure = Literal["correction", "detection"]
"""The criterion for a right edit: its place and its correction, or only its place."""

_Annotator = tuple[Annotation, list[Edit]]
"""The first annotation of an annotator, and the edits of all of them that count."""

MEASURES: tuple[Measure, ...] = get_args(Measure)


@dataclass(frozen=True, slots=True)
class Scoring:
    """The settings of edit scores.

    Args:
        beta: the weight of recall relative to precision in F.
        rules: the scorer whose rules apply.
        ignore: the edits that do not count, on either side.
        trials: the number of random trials in each significance test.
        seed: the seed of the trials.

    Raises:
        UsageError: `beta` is not positive, rules or ignored edits are unknown, there are no trials,
            or the seed is negative.
    """

    beta: float = 0.5
    rules: Rules = "cherrant"
    ignore: Ignored | None = None
    trials: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if not (self.beta > 0 and isfinite(self.beta)):
            raise UsageError(f"beta must be a positive number, not {self.beta}")
        check_choice("rules", self.rules, Rules)
        if self.ignore is not None:
            check_choice("ignore", self.ignore, Ignored)
        check_trials(self.trials, self.seed)

    @property
    def signature(self) -> str:
        """The settings that counts depend on."""
        ignored = f"|ignored:{self.ignore}" if self.ignore else ""
        return f"beta:{self.beta:g}|rules:{self.rules}{ignored}"


@dataclass(frozen=True, slots=True)
class EditCounts(Sums):
    """The numbers of right (`tp`), wrong (`fp`) and missing (`fn`) edits; can be added with `+`.

    As in ERRANT, precision is 1 if no edit is wrong, and recall is 1 if none is missing.

    >>> total = EditCounts(8, 10, 30) + EditCounts(0, 9, 4)
    >>> total, round(total.precision, 4), round(total.recall, 4), round(total.f(0.5), 4)
    (EditCounts(tp=8, fp=19, fn=34), 0.2963, 0.1905, 0.2667)
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float:
        """The share of the system's edits that are right."""
        return self.tp / (self.tp + self.fp) if self.fp else 1.0

    @property
    def recall(self) -> float:
        """The share of the reference's edits that the system has."""
        return self.tp / (self.tp + self.fn) if self.fn else 1.0

    def f(self, beta: float) -> float:
        """Return the mean of precision and recall in which recall has `beta` times the weight."""
        weight, p, r = beta**2, self.precision, self.recall
        return (1 + weight) * p * r / (weight * p + r) if p + r else 0.0

    def scores(self, beta: float) -> dict[str, float]:
        """Return the counts and the scores computed from them as plain values."""
        scores = {"precision": self.precision, "recall": self.recall, "f": self.f(beta)}
        return asdict(self) | scores

    def ratio(self, weight: Fraction) -> tuple[int, int]:
        """Return numerator and denominator of `f`, unreduced integers; without edits, `f` is 1.

        Args:
            weight: the square of beta.

        >>> EditCounts(8, 19, 34).ratio(Fraction(1, 4))
        (40, 150)
        """
        a, b = weight.numerator, weight.denominator
        right = (a + b) * self.tp
        return right, right + a * self.fn + b * self.fp


def compared(
    ones: Iterable[EditCounts], others: Iterable[EditCounts], scoring: Scoring
) -> PairedTest:
    """Test the difference in F between two systems, given their counts in each sentence."""
    weight = Fraction(str(scoring.beta)) ** 2
    ratios = Counter((a.ratio(weight), b.ratio(weight)) for a, b in zip(ones, others, strict=True))
    trials, seed = scoring.trials, scoring.seed
    return PairedTest.of(ratios, of_nothing=1.0, trials=trials, seed=seed)


@dataclass(frozen=True, slots=True)
class Match:
    """A system's edits of one sentence, compared with the edits of the best-matching reference.

    Attributes:
        output: the system's annotation.
        reference: the annotation of the reference.
        source: the words of the source.
        hits: the reference's edits that the system has.
        wrong: the system's edits that the reference lacks.
        missed: the reference's edits that the system lacks.
    """

    output: Annotation
    reference: Annotation
    source: tuple[str, ...] = ()
    hits: tuple[Edit, ...] = ()
    wrong: tuple[Edit, ...] = ()
    missed: tuple[Edit, ...] = ()

    @property
    def counts(self) -> EditCounts:
        """The numbers of hits, wrong and missed edits."""
        return EditCounts(len(self.hits), len(self.wrong), len(self.missed))

    @property
    def judged(self) -> list[tuple[Edit, str]]:
        """Each edit with its outcome (one of `OUTCOMES`), ordered by place."""
        found = zip(OUTCOMES, (self.hits, self.wrong, self.missed), strict=True)
        judged = [(edit, outcome) for outcome, edits in found for edit in edits]
        return sorted(judged, key=lambda item: (item[0].start, item[0].end, item[1]))


OUTCOMES = ("hit", "wrong", "missed")
"""The outcomes of edits of system and references: `tp`, `fp` and `fn` in `EditCounts`."""


By = Literal["operation", "type", "length"]
"""What edits are counted by: their type, its part up to the colon, or the number of words on their
longer side."""


def counts_by(matches: Iterable[Match], by: By = "type") -> dict[str, EditCounts]:
    """Count the edits of each type, operation or length, sorted by name.

    A hit is counted under the type that the reference gives it.
    """
    found = Counter(
        (_part(edit, by), outcome) for match in matches for edit, outcome in match.judged
    )
    names = sorted({name for name, _ in found})
    return {name: EditCounts(*(found[name, each] for each in OUTCOMES)) for name in names}


def _part(edit: Edit, by: By) -> str:
    if by == "length":
        words = max(edit.end - edit.start, len(edit.correction))
        return f"{words}" if words < _LONG else f"{_LONG} or more"
    return edit.type if by == "type" else edit.type.partition(":")[0]


_LONG = 4


def best_match(
    output: M2Block,
    references: M2Block,
    so_far: EditCounts,
    scoring: Scoring,
    measure: Measure = "correction",
) -> Match | None:
    """Return the match of a system's block with its references that is best for the corpus.

    All pairs of an annotator of the system and an annotator of the references are ranked by F of
    their counts added to `so_far`, rounded to four digits as in ERRANT; then by more hits, fewer
    wrong and fewer missed edits; then by order. The result is None if the sentence is not scored.

    Args:
        output: the system's edits.
        references: the references' edits, one annotator per reference.
        so_far: the counts of the sentences before this one.
        scoring: the settings of the score.
        measure: the criterion for a right edit.

    >>> source = ("我", "去", "学较")
    >>> from cijie.edits.blocks import Annotation
    >>> output = M2Block(source, (Annotation(0, (Edit(2, 3, ("学校",), "S"),)),))
    >>> nothing = Annotation(1, (Edit(-1, -1, (), "noop"),))
    >>> references = M2Block(source, (*output.annotations, nothing))
    >>> best_match(output, references, EditCounts(), Scoring()).counts
    EditCounts(tp=1, fp=0, fn=0)
    """
    outputs, known = (_by_annotator(each, measure, scoring.ignore) for each in (output, references))
    if scoring.rules == "cherrant" and len(known) == 1:
        [(_, edits)] = known
        if edits and all(edit.type == "NA" for edit in edits):
            return None
    key = partial(_key, rules=scoring.rules, measure=measure)
    matches = (_match(output.source, *pair, key) for pair in product(outputs, known))

    def rank(match: Match) -> tuple[float, int, int, int]:
        counts = match.counts
        return round((so_far + counts).f(scoring.beta), 4), counts.tp, -counts.fp, -counts.fn

    return max(matches, key=rank)


def _by_annotator(block: M2Block, measure: Measure, ignore: Ignored | None) -> list[_Annotator]:
    """Return the edits of each annotator who has any, in all ways to write them."""
    found: dict[int, _Annotator] = {}
    for annotation in block.annotations:
        for edit in annotation.edits:
            _, edits = found.setdefault(annotation.annotator, (annotation, []))
            if edit.type == "UNK" and measure == "correction":
                continue  # no correction is known
            words = *block.source[max(edit.start, 0) : max(edit.end, 0)], *edit.correction
            if not (ignore and is_punctuation("".join(words))):
                edits.append(edit)
    return list(found.values()) or [(Annotation(0, ()), [])]


def _key(edit: Edit, rules: Rules, measure: Measure) -> Hashable:
    """Return what equal edits have in common."""
    place = edit.start, edit.end
    if measure == "detection":
        return place
    return place, edit.correction if rules == "errant" else "".join(edit.correction)


def _match(
    source: tuple[str, ...],
    output: _Annotator,
    reference: _Annotator,
    key: Callable[[Edit], Hashable],
) -> Match:
    (made, edits), (right, others) = output, reference
    real = [edit for edit in edits if edit.type != "noop"]
    claimed, said, known = (set(map(key, found)) for found in (real, edits, others))
    return Match(
        made,
        right,
        source,
        hits=tuple(edit for edit in others if key(edit) in claimed),
        wrong=tuple(edit for edit in real if key(edit) not in known),
        missed=tuple(e for e in others if e.type != "noop" and key(e) not in said),
    )
