"""How far annotators agree in where words end.

A unit is a position inside a sentence where a word may end (the end of the sentence, on which all
agree, is none), and what annotators say of it is whether one does. Units are all positions, those
near a learner error, and those elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import combinations
from math import fsum, nan
from statistics import median
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from cijie.alignment.anchors import anchors
from cijie.errors import counted
from cijie.evaluation.counts import Counts
from cijie.evaluation.tables import Column, Table
from cijie.extras import library
from cijie.gold.annotation import Annotation, Annotations, shared_sentences
from cijie.recovery.pair import Pair
from cijie.signatures import signed
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

Region = Literal["all", "near errors", "elsewhere"]

Marks = NDArray[np.bool_]
"""Whether a word ends: one row a position, one column an annotator."""

NEAR = 2
"""How many characters from a place where source and target differ a position still is near it:
most words have two characters, so that a misspelt one is near with all of its positions."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two annotators agree.

    Args:
        boundaries: their boundaries, and those in common; `f1` is the same whoever is called gold.
        kappa: Cohen's kappa over the positions; NaN if both always say the same one thing.
    """

    boundaries: Counts
    kappa: float


@dataclass(frozen=True, slots=True)
class RegionAgreement:
    """How far annotators agree over the positions of one kind of region.

    Attributes:
        positions: the number of positions.
        pairs: the agreement of every two annotators.
        alpha: Krippendorff's alpha of all annotators, for nominal data.
        kappa: Fleiss' kappa of all annotators.

    Alpha and kappa are NaN if all annotators always say the same one thing.
    """

    positions: int
    pairs: Mapping[tuple[str, str], PairAgreement]
    alpha: float
    kappa: float

    @classmethod
    def of(cls, annotators: Sequence[str], marks: Marks) -> RegionAgreement:
        """The agreement of annotators, each with a column of marks."""
        columns = dict(zip(annotators, marks.T, strict=True))
        pairs = {
            (a, b): PairAgreement(
                Counts(
                    int(columns[a].sum()),
                    int(columns[b].sum()),
                    int((columns[a] & columns[b]).sum()),
                ),
                cohen_kappa(columns[a], columns[b]),
            )
            for a, b in combinations(annotators, 2)
        }
        return cls(len(marks), pairs, krippendorff_alpha(marks), fleiss_kappa(marks))

    @property
    def f1(self) -> float:
        """The mean boundary F1 of all pairs of annotators."""
        return _mean([pair.boundaries.f1 for pair in self.pairs.values()])

    def of_annotator(self, annotator: str) -> tuple[float, float]:
        """Mean boundary F1 and mean Cohen's kappa of an annotator with each of the others."""
        own = [pair for names, pair in self.pairs.items() if annotator in names]
        return _mean([pair.boundaries.f1 for pair in own]), _mean([pair.kappa for pair in own])


@dataclass(frozen=True, slots=True)
class Work:
    """What the sentences cost an annotator, as far as that was counted.

    Attributes:
        words: how many words the annotator has.
        start: what the sentences were begun from, as far as that is known.
        counted: for how many of them effort was counted.
        seconds: the time of all of these.
        median: the median time of one, in seconds; NaN if there is none.
        keys: the keys pressed.
        clicks: the clicks.
    """

    words: int
    start: tuple[str, ...]
    counted: int
    seconds: float
    median: float
    keys: int
    clicks: int

    @classmethod
    def of(cls, annotations: Sequence[Annotation]) -> Work:
        """The work on some sentences."""
        efforts = [each.effort for each in annotations if each.effort]
        seconds = [effort.seconds for effort in efforts]
        return cls(
            sum(len(each.segmentation) for each in annotations),
            tuple(sorted({each.start for each in annotations} - {""})),
            len(efforts),
            fsum(seconds),
            median(seconds) if seconds else nan,
            sum(effort.keys for effort in efforts),
            sum(effort.clicks for effort in efforts),
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree.

    Attributes:
        annotators: their names.
        sentences: how many sentences all of them have annotated.
        identical: how many of those all segment alike.
        work: what each has done, by name.
        regions: their agreement by kind of region.
    """

    annotators: tuple[str, ...]
    sentences: int
    identical: int
    work: Mapping[str, Work]
    regions: Mapping[Region, RegionAgreement]

    @property
    def signature(self) -> str:
        """What the figures are, of what, by which versions."""
        return signed(
            "score:boundary-agreement",
            f"near:{NEAR}",
            f"krippendorff:{version('krippendorff')}",
            f"annotators:{len(self.annotators)}",
            f"sentences:{self.sentences}",
        )

    def as_record(self) -> dict[str, Any]:
        """All figures as plain values, unrounded; what is not a number is NaN."""
        return {
            "signature": self.signature,
            "sentences": self.sentences,
            "identical": self.identical,
            "words": {name: work.words for name, work in self.work.items()},
            "work": {name: asdict(work) for name, work in self.work.items()},
            "regions": {
                name: {
                    "positions": region.positions,
                    "pairwise_f1": region.f1,
                    "alpha": region.alpha,
                    "fleiss_kappa": region.kappa,
                    "pairs": [
                        {"a": a, "b": b, "f1": pair.boundaries.f1, "cohen_kappa": pair.kappa}
                        | asdict(pair.boundaries)
                        for (a, b), pair in region.pairs.items()
                    ],
                }
                for name, region in self.regions.items()
            },
        }

    def tables(self) -> Iterator[Table]:
        """The figures as tables: of all annotators, of each of them, of every two."""
        yield Table(
            "agreement",
            f"Agreement of {len(self.annotators)} annotators on boundaries; "
            f"{self.identical:,} of {counted(self.sentences, 'sentences')} alike",
            (Column("region"), Column("positions"), *_columns("pairwise F1", "alpha", "Fleiss")),
            tuple(
                (name, region.positions, region.f1, region.alpha, region.kappa)
                for name, region in self.regions.items()
            ),
        )
        by_region = [f"{measure} {name}" for name in self.regions for measure in ("F1", "kappa")]
        yield Table(
            "annotators",
            "Each annotator with the others, on average; Cohen's kappa",
            (Column("annotator"), Column("words"), *_columns(*by_region)),
            tuple(
                (
                    name,
                    self.work[name].words,
                    *(x for region in self.regions.values() for x in region.of_annotator(name)),
                )
                for name in self.annotators
            ),
        )
        if any(work.counted for work in self.work.values()):
            yield Table(
                "effort",
                "What sentences cost, where that was counted; seconds and keys are of one sentence",
                (
                    Column("annotator"),
                    Column("sentences"),
                    Column("hours", ".2f"),
                    Column("median seconds", ".1f"),
                    Column("keys", ".1f"),
                    Column("clicks", ".1f"),
                    Column("begun from"),
                ),
                tuple(
                    (
                        name,
                        work.counted,
                        work.seconds / 3600,
                        work.median,
                        work.keys / work.counted if work.counted else nan,
                        work.clicks / work.counted if work.counted else nan,
                        ", ".join(work.start),
                    )
                    for name, work in self.work.items()
                ),
            )
        yield Table(
            "pairs",
            "Every two annotators; Cohen's kappa",
            (Column("annotators"), *_columns(*by_region)),
            tuple(
                (
                    f"{a} and {b}",
                    *(
                        x
                        for region in self.regions.values()
                        for x in (region.pairs[a, b].boundaries.f1, region.pairs[a, b].kappa)
                    ),
                )
                for a, b in combinations(self.annotators, 2)
            ),
        )


def agreement(
    pairs: Mapping[str, Pair], annotations: Annotations, *, intersection: bool = False
) -> Agreement:
    """Measure how far annotators agree on the sentences that all of them have annotated.

    Args:
        pairs: the sentences with their targets, by id.
        annotations: annotations by annotator and sentence.
        intersection: as for `shared_sentences`.

    Raises:
        CijieError: as `shared_sentences`.
        MissingExtraError: krippendorff is not installed.
    """
    ids = shared_sentences(annotations, pairs, intersection=intersection)
    names = tuple(annotations)
    versions = [[annotations[name][id].segmentation for name in names] for id in ids]
    marks = np.concatenate([np.empty((0, len(names)), np.bool_), *map(boundary_marks, versions)])
    near = np.concatenate(
        [np.empty(0, np.bool_), *(near_errors(pairs[id].source, pairs[id].target) for id in ids)]
    )
    chosen: dict[Region, Marks] = {
        "all": marks,
        "near errors": marks[near],
        "elsewhere": marks[~near],
    }
    return Agreement(
        names,
        len(ids),
        sum(len(set(sentence)) == 1 for sentence in versions),
        {name: Work.of([annotations[name][id] for id in ids]) for name in names},
        {region: RegionAgreement.of(names, chosen[region]) for region in get_args(Region)},
    )


def boundary_marks(versions: Sequence[Segmentation]) -> Marks:
    """Whether each of several segmentations of a text has a boundary at each of its positions.

    >>> boundary_marks([Segmentation("旅行困", (2, 3)), Segmentation("旅行困", (3,))]).tolist()
    [[False, False], [True, False]]
    """
    positions = _positions(versions[0].text)
    return np.stack([np.isin(positions, each.boundaries) for each in versions], axis=1)


def near_errors(source: str, target: str) -> NDArray[np.bool_]:
    """Whether each position of a source is near a place where it differs from its target.

    A position is near one unless the `NEAR` characters on either side of it, as far as there are
    as many, are linked in a row with target characters in a row (`cijie.alignment.anchors`).

    >>> near_errors("我们参加旅行困。", "我们参加旅行团。").tolist()
    [False, False, False, False, True, True, True]
    """
    near = np.ones(len(source) + 1, np.bool_)
    for i, j, size in anchors(source, target).anchors:
        starts = i == j == 0
        ends = i + size == len(source) and j + size == len(target)
        near[i + (0 if starts else NEAR) : i + size + 1 - (0 if ends else NEAR)] = False
    return near[_positions(source)]


def _positions(text: str) -> NDArray[np.intp]:
    """The positions inside a text where a word may end."""
    split = characters(text)
    ends = [end for end, blank in zip(split.ends, split.blank, strict=True) if not blank]
    return np.array(ends[:-1], np.intp)


def krippendorff_alpha(marks: Marks) -> float:
    """Krippendorff's alpha for nominal data, by the library krippendorff.

    Raises:
        MissingExtraError: it is not installed.
    """
    krippendorff = library("krippendorff", "annotate")
    if marks.all() or not marks.any():
        return float("nan")
    counts = np.stack([marks.sum(axis=1), (~marks).sum(axis=1)], axis=1)
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def fleiss_kappa(marks: Marks) -> float:
    """Fleiss' kappa (Fleiss 1971), for two categories."""
    units, annotators = marks.shape
    if not units:
        return float("nan")
    yes = marks.sum(axis=1)
    no = annotators - yes
    agreeing = (yes * (yes - 1) + no * (no - 1)).sum() / (annotators * (annotators - 1) * units)
    return _beyond_chance(float(agreeing), _alike(float(marks.mean()), float(marks.mean())))


def cohen_kappa(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    """Cohen's kappa (Cohen 1960), for two categories.

    >>> cohen_kappa(np.array([True, True, False, False]), np.array([True, False, False, False]))
    0.5
    """
    if not len(a):
        return float("nan")
    return _beyond_chance(float((a == b).mean()), _alike(float(a.mean()), float(b.mean())))


def _alike(a: float, b: float) -> float:
    """How probable it is that two say the same who say yes at these rates."""
    return a * b + (1 - a) * (1 - b)


def _beyond_chance(observed: float, expected: float) -> float:
    return (observed - expected) / (1 - expected) if expected != 1 else float("nan")


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _columns(*names: str) -> Iterator[Column]:
    return (Column(name, ".4f") for name in names)
