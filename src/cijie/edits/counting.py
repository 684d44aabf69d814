"""Which edits of a system are right: the counts of ERRANT and of ChERRANT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Literal, get_args

from cijie.edits.blocks import M2Block
from cijie.edits.edits import Edit
from cijie.evaluation.counts import Sums

Rules = Literal["errant", "cherrant"]
"""Whose rules count. For `"errant"`, corrections are equal if their words are; for `"cherrant"`, if
their characters are, however they are cut, and a sentence whose only reference says that it could
not be annotated (type `NA`) is not scored."""

Measure = Literal["correction", "detection"]
"""What must be right about an edit: its place and its correction, or its place alone."""

MEASURES: tuple[Measure, ...] = get_args(Measure)


@dataclass(frozen=True, slots=True)
class EditCounts(Sums):
    """How many edits are right (`tp`), wrong (`fp`) and missing (`fn`); adds up with `+`.

    As with ERRANT, precision is 1 where nothing is wrong, and recall where nothing is missing.

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
        """The mean of precision and recall in which recall weighs `beta` times as much."""
        weight, p, r = beta**2, self.precision, self.recall
        return (1 + weight) * p * r / (weight * p + r) if p + r else 0.0

    def ratio(self, beta: float) -> tuple[int, int]:
        """Numerator and denominator of `f`, whole numbers, not reduced; of nothing `f` is 1.

        >>> EditCounts(8, 19, 34).ratio(0.5)
        (40, 150)
        """
        weight = Fraction(str(beta)) ** 2
        a, b = weight.numerator, weight.denominator
        right = (a + b) * self.tp
        return right, right + a * self.fn + b * self.fp


@dataclass(frozen=True, slots=True)
class Match:
    """A system's edits of one sentence beside those of the reference that fits them best.

    Attributes:
        output: which annotator of the system's block this is; nearly always 0.
        reference: which annotator of the references' block.
        hits: the reference's edits that the system has.
        wrong: the system's edits that the reference lacks.
        missed: the reference's edits that the system lacks.
    """

    output: int
    reference: int
    hits: tuple[Edit, ...] = ()
    wrong: tuple[Edit, ...] = ()
    missed: tuple[Edit, ...] = ()

    @property
    def counts(self) -> EditCounts:
        """How many edits these are."""
        return EditCounts(len(self.hits), len(self.wrong), len(self.missed))


def counts_by(
    matches: Iterable[Match], key: Callable[[Edit], str] = attrgetter("type")
) -> dict[str, EditCounts]:
    """How many edits there are of each type, or of what else `key` gives, in alphabetical order.

    A hit has the type that the reference gives it.
    """
    hits, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for match in matches:
        hits.update(map(key, match.hits))
        wrong.update(map(key, match.wrong))
        missed.update(map(key, match.missed))
    return {
        name: EditCounts(hits[name], wrong[name], missed[name])
        for name in sorted({*hits, *wrong, *missed})
    }


def best_match(
    output: M2Block,
    references: M2Block,
    so_far: EditCounts,
    *,
    beta: float = 0.5,
    rules: Rules = "cherrant",
    measure: Measure = "correction",
) -> Match | None:
    """The match of a system's block with its references that is best for the corpus.

    Of all pairs of an annotator of the one and one of the other it is that with the highest F,
    rounded to four digits as ERRANT does, of its counts added to those of the sentences before;
    then that with more hits, fewer wrong and fewer missed edits; then the first. None where the
    sentence is not scored.

    Where an edit of the references has alternatives, any of them is right.

    Args:
        output: what the system does.
        references: what it should do, each annotator a reference.
        so_far: the counts of the sentences before this one.
        beta: how much recall weighs in F.
        rules: whose rules count.
        measure: what must be right.

    >>> source = ("我", "去", "学较")
    >>> from cijie.edits.blocks import Annotation
    >>> output = M2Block(source, (Annotation(0, (Edit(2, 3, ("学校",), "S"),)),))
    >>> nothing = Annotation(1, (Edit(-1, -1, (), "noop"),))
    >>> references = M2Block(source, (*output.annotations, nothing))
    >>> best_match(output, references, EditCounts()).counts
    EditCounts(tp=1, fp=0, fn=0)
    """
    outputs, others = _by_annotator(output, measure), _by_annotator(references, measure)
    keys = partial(_keys, rules=rules, measure=measure)
    if rules == "cherrant" and len(others) == 1:
        [edits] = others.values()
        if edits and edits[0].type == "NA" and all(keys(e) == keys(edits[0]) for e in edits):
            return None
    matches = (
        _match(k, edits, n, reference, keys)
        for k, edits in outputs.items()
        for n, reference in others.items()
    )

    def rank(match: Match) -> tuple[float, int, int, int]:
        counts = match.counts
        return round((so_far + counts).f(beta), 4), counts.tp, -counts.fp, -counts.fn

    return max(matches, key=rank)


def _by_annotator(block: M2Block, measure: Measure) -> dict[int, list[Edit]]:
    """The edits of each annotator who has any, however they are written."""
    found: dict[int, list[Edit]] = {}
    for annotation in block.annotations:
        for edit in annotation.edits:
            edits = found.setdefault(annotation.annotator, [])
            if edit.type != "UNK" or measure == "detection":  # an error without a known correction
                edits.append(edit)
    return found or {0: []}


def _keys(edit: Edit, rules: Rules, measure: Measure) -> set[Hashable]:
    """What edits have in common that are the same."""
    place = edit.start, edit.end
    if measure == "detection":
        return {place}
    corrections = (edit.correction, *edit.alternatives)
    if rules == "errant":
        return {(place, words) for words in corrections}
    return {(place, "".join(words)) for words in corrections}


def _match(
    output: int,
    edits: Sequence[Edit],
    reference: int,
    others: Sequence[Edit],
    keys: Callable[[Edit], set[Hashable]],
) -> Match:
    real = [edit for edit in edits if edit.type != "noop"]
    claimed = set[Hashable]().union(*map(keys, real))
    said = claimed.union(*map(keys, edits))
    right = set[Hashable]().union(*map(keys, others))
    return Match(
        output,
        reference,
        hits=tuple(edit for edit in others if keys(edit) & claimed),
        wrong=tuple(edit for edit in real if not keys(edit) & right),
        missed=tuple(e for e in others if e.type != "noop" and not keys(e) & said),
    )
