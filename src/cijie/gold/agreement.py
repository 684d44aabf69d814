"""How far annotators agree in where words end.

A unit is a position inside a sentence where a word may end (the end of the sentence, on which all
agree, is none), and what annotators say of it is whether one does. Units are all positions, those
near a learner error, and those elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from math import fsum, nan
from statistics import median
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cijie.alignment.anchors import anchors
from cijie.evaluation.counts import Counts
from cijie.extras import library
from cijie.gold.annotation import Annotation
from cijie.gold.versions import Versions
from cijie.signatures import signed
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

Region = Literal["all", "near errors", "elsewhere"]

Marks = NDArray[np.bool_]
"""Whether a word ends: one row a position, one column an annotator."""

Couple = tuple[str, str]
"""Two annotators."""

NEAR = 2
"""How many characters from a place where source and target differ a position still is near it:
most words have two characters, so that a misspelt one is near with all of its positions."""


@dataclass(frozen=True, slots=True)
class RegionAgreement:
    """How far annotators agree over the positions of one kind of region.

    Attributes:
        positions: the number of positions.
        boundaries: the boundaries of every two annotators, and those in common; `f1` is the same
            whoever is called gold.
        kappas: Cohen's kappa of every two annotators.
        alpha: Krippendorff's alpha of all annotators, for nominal data.
        kappa: Fleiss' kappa of all annotators.

    Alpha and kappas are NaN if all annotators always say the same one thing.
    """

    positions: int
    boundaries: Mapping[Couple, Counts]
    kappas: Mapping[Couple, float]
    alpha: float
    kappa: float

    @classmethod
    def of(cls, annotators: Sequence[str], marks: Marks) -> RegionAgreement:
        """The agreement of annotators, each with a column of marks."""
        columns = dict(zip(annotators, marks.T, strict=True))
        couples = {(a, b): (columns[a], columns[b]) for a, b in combinations(annotators, 2)}
        boundaries = {
            couple: Counts(int(a.sum()), int(b.sum()), int((a & b).sum()))
            for couple, (a, b) in couples.items()
        }
        kappas = {couple: cohen_kappa(a, b) for couple, (a, b) in couples.items()}
        alpha, kappa = krippendorff_alpha(marks), fleiss_kappa(marks)
        return cls(len(marks), boundaries, kappas, alpha, kappa)

    @property
    def f1(self) -> float:
        """The mean boundary F1 of every two annotators."""
        return _mean([counts.f1 for counts in self.boundaries.values()])

    def of_couple(self, couple: Couple) -> tuple[float, float]:
        """Boundary F1 and Cohen's kappa of two annotators."""
        return self.boundaries[couple].f1, self.kappas[couple]

    def of_annotator(self, annotator: str) -> tuple[float, float]:
        """Mean boundary F1 and mean Cohen's kappa of an annotator with each of the others."""
        f1, kappa = zip(
            *(self.of_couple(couple) for couple in self.boundaries if annotator in couple),
            strict=True,
        )
        return _mean(f1), _mean(kappa)


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
        sentences: how many sentences all of them have annotated.
        identical: how many of those all segment alike.
        work: what each has done, by name.
        regions: their agreement by kind of region.
    """

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
            f"annotators:{len(self.work)}",
            f"sentences:{self.sentences}",
        )


def agreement(sentences: Sequence[Versions], annotators: Iterable[str]) -> Agreement:
    """Measure how far annotators agree.

    Args:
        sentences: those that all of them have annotated.
        annotators: their names.

    Raises:
        MissingExtraError: krippendorff is not installed.
    """
    names = tuple(annotators)
    versions = [[each.by[name].segmentation for name in names] for each in sentences]
    marks = np.concatenate([np.empty((0, len(names)), np.bool_), *map(boundary_marks, versions)])
    texts = ((each.sentence.source, each.sentence.target or "") for each in sentences)
    near = np.concatenate([np.empty(0, np.bool_), *(near_errors(*pair) for pair in texts)])
    chosen: dict[Region, Marks] = {
        "all": marks,
        "near errors": marks[near],
        "elsewhere": marks[~near],
    }
    return Agreement(
        len(sentences),
        sum(each.is_unanimous for each in sentences),
        {name: Work.of([each.by[name] for each in sentences]) for name in names},
        {region: RegionAgreement.of(names, marks) for region, marks in chosen.items()},
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
