"""How far annotators agree in where words end.

A unit is a position inside a sentence where a word may end (the end of the sentence, on which all
agree, is not counted), and annotators say whether one does. Units are all positions, those
near a learner error, and those elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib.metadata import version
from itertools import combinations
from math import fsum, nan
from statistics import fmean, median
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

NEAR = 2
"""How many characters from a place where source and target differ a position still is near it:
most words have two characters, so that a misspelt one is near with all of its positions."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How far two annotators agree.

    Attributes:
        a: the name of one.
        b: that of the other.
        f1: the F1 of their boundaries, which is the same whoever is called gold.
        cohen_kappa: Cohen's kappa over the positions; NaN if both always say the same one thing.
        gold: how many boundaries `a` has.
        system: how many `b` has.
        correct: how many they have in common.
    """

    a: str
    b: str
    f1: float
    cohen_kappa: float
    gold: int
    system: int
    correct: int


@dataclass(frozen=True, slots=True)
class RegionAgreement:
    """How far annotators agree over the positions of one kind of region.

    Attributes:
        positions: the number of positions.
        pairwise_f1: the mean boundary F1 of every two annotators.
        alpha: Krippendorff's alpha of all annotators, for nominal data.
        fleiss_kappa: Fleiss' kappa of all annotators.
        pairs: the agreement of every two annotators.

    Alpha and kappa are NaN if all annotators always say the same one thing.
    """

    positions: int
    pairwise_f1: float
    alpha: float
    fleiss_kappa: float
    pairs: Sequence[PairAgreement]

    @classmethod
    def of(cls, annotators: Sequence[str], marks: Marks) -> RegionAgreement:
        """The agreement of annotators, each with a column of marks."""
        pairs = []
        for (a, mine), (b, theirs) in combinations(zip(annotators, marks.T, strict=True), 2):
            counts = Counts(int(mine.sum()), int(theirs.sum()), int((mine & theirs).sum()))
            kappa = cohen_kappa(mine, theirs)
            pairs.append(PairAgreement(a, b, counts.f1, kappa, *astuple(counts)))
        f1 = fmean(pair.f1 for pair in pairs)
        return cls(len(marks), f1, krippendorff_alpha(marks), fleiss_kappa(marks), pairs)

    def of_annotator(self, annotator: str) -> tuple[float, float]:
        """Mean boundary F1 and mean Cohen's kappa of an annotator with each of the others."""
        own = [pair for pair in self.pairs if annotator in (pair.a, pair.b)]
        return fmean(pair.f1 for pair in own), fmean(pair.cohen_kappa for pair in own)


@dataclass(frozen=True, slots=True)
class Work:
    """An annotator's effort, as far as it was recorded.

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
    return np.array(split.visible(split.ends)[:-1], np.intp)


def krippendorff_alpha(marks: Marks) -> float:
    """Krippendorff's alpha for nominal data, by the library krippendorff.

    Raises:
        MissingExtraError: it is not installed.
    """
    krippendorff = library("krippendorff", "annotate")
    if marks.all() or not marks.any():
        return nan
    counts = np.stack([marks.sum(axis=1), (~marks).sum(axis=1)], axis=1)
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def fleiss_kappa(marks: Marks) -> float:
    """Fleiss' kappa (Fleiss 1971), for two categories.

    It is Krippendorff's alpha without the correction for the size of the sample
    (Krippendorff 2004, 11.3.3): of n values, 1 - alpha is (n - 1) / n of 1 - kappa.
    """
    if marks.size < 2:
        return nan
    return 1 - (1 - krippendorff_alpha(marks)) * marks.size / (marks.size - 1)


def cohen_kappa(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    """Cohen's kappa (Cohen 1960), for two categories.

    >>> cohen_kappa(np.array([True, True, False, False]), np.array([True, False, False, False]))
    0.5
    """
    if not len(a):
        return nan
    # How probable it is that two say the same who say yes as often as these.
    expected = float(a.mean() * b.mean() + (~a).mean() * (~b).mean())
    return (float((a == b).mean()) - expected) / (1 - expected) if expected != 1 else nan
