"""Measure how far annotators agree on word boundaries.

A unit is a position inside a sentence where a word may end; annotators decide whether one does. The
end of the sentence, on which all agree, is not counted. Agreement is measured over all positions,
over positions near a learner error, and over the remaining ones.
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
"""True where a word ends: one row per position, one column per annotator."""

NEAR = 2
"""The distance in characters at which a position is still near a difference between source and
target. Most words have two characters, so all positions of a misspelt word are near."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """The agreement of two annotators.

    Attributes:
        a: the name of the first annotator.
        b: the name of the second annotator.
        f1: the F1 of their boundaries, which is symmetric.
        cohen_kappa: Cohen's kappa over the positions; NaN if both always give the same answer.
        gold: the number of boundaries of `a`.
        system: the number of boundaries of `b`.
        correct: the number of shared boundaries.
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
    """The agreement of annotators over the positions of one kind of region.

    Attributes:
        positions: the number of positions.
        pairwise_f1: the mean boundary F1 over all pairs of annotators.
        alpha: Krippendorff's alpha of all annotators, for nominal data.
        fleiss_kappa: Fleiss' kappa of all annotators.
        pairs: the agreement of each pair of annotators.

    Alpha and kappa are NaN if all annotators always give the same answer.
    """

    positions: int
    pairwise_f1: float
    alpha: float
    fleiss_kappa: float
    pairs: Sequence[PairAgreement]

    @classmethod
    def of(cls, annotators: Sequence[str], marks: Marks) -> RegionAgreement:
        """Measure the agreement of annotators, each with a column of marks."""
        pairs = []
        for (a, mine), (b, theirs) in combinations(zip(annotators, marks.T, strict=True), 2):
            counts = Counts(int(mine.sum()), int(theirs.sum()), int((mine & theirs).sum()))
            kappa = cohen_kappa(mine, theirs)
            pairs.append(PairAgreement(a, b, counts.f1, kappa, *astuple(counts)))
        f1 = fmean(pair.f1 for pair in pairs)
        return cls(len(marks), f1, krippendorff_alpha(marks), fleiss_kappa(marks), pairs)

    def of_annotator(self, annotator: str) -> tuple[float, float]:
        """Return the mean boundary F1 and mean Cohen's kappa of an annotator with the others."""
        own = [pair for pair in self.pairs if annotator in (pair.a, pair.b)]
        return fmean(pair.f1 for pair in own), fmean(pair.cohen_kappa for pair in own)


@dataclass(frozen=True, slots=True)
class Work:
    """An annotator's effort, as far as it was recorded.

    Attributes:
        words: the number of words in the annotations.
        start: the known starting points of the sentences, see `Versions.start`.
        counted: the number of sentences with recorded effort.
        seconds: the total time over these sentences.
        median: the median time per sentence, in seconds; NaN if no effort was recorded.
        keys: the number of keys pressed.
        clicks: the number of clicks.
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
        """Sum up the work on some sentences."""
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
    """The agreement of all annotators.

    Attributes:
        sentences: the number of sentences annotated by all.
        identical: the number of these that all segment identically.
        work: the work of each annotator, by name.
        regions: the agreement by kind of region.
    """

    sentences: int
    identical: int
    work: Mapping[str, Work]
    regions: Mapping[Region, RegionAgreement]

    @property
    def signature(self) -> str:
        """One line that names the measure, its data and the versions behind it."""
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
        sentences: the sentences that all annotators have annotated.
        annotators: the names of the annotators.

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
    """Mark the boundaries of several segmentations of one text: positions by segmentations.

    >>> boundary_marks([Segmentation("旅行困", (2, 3)), Segmentation("旅行困", (3,))]).tolist()
    [[False, False], [True, False]]
    """
    positions = _positions(versions[0].text)
    return np.stack([np.isin(positions, each.boundaries) for each in versions], axis=1)


def near_errors(source: str, target: str) -> NDArray[np.bool_]:
    """Mark the positions of a source that are near a difference from its target.

    A position is near one unless the `NEAR` characters on either side (fewer at the ends of the
    text) are linked to consecutive target characters (`cijie.alignment.anchors`).

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
    """Return the positions inside a text where a word may end."""
    split = characters(text)
    return np.array(split.visible(split.ends)[:-1], np.intp)


def krippendorff_alpha(marks: Marks) -> float:
    """Compute Krippendorff's alpha for nominal data with the library krippendorff.

    Raises:
        MissingExtraError: krippendorff is not installed.
    """
    krippendorff = library("krippendorff", "annotate")
    if marks.all() or not marks.any():
        return nan
    counts = np.stack([marks.sum(axis=1), (~marks).sum(axis=1)], axis=1)
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def fleiss_kappa(marks: Marks) -> float:
    """Compute Fleiss' kappa (Fleiss 1971) for two categories.

    It is Krippendorff's alpha without the correction for sample size (Krippendorff 2004, 11.3.3):
    for n values, 1 - alpha = (1 - kappa) * (n - 1) / n.
    """
    if marks.size < 2:
        return nan
    return 1 - (1 - krippendorff_alpha(marks)) * marks.size / (marks.size - 1)


def cohen_kappa(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    """Compute Cohen's kappa (Cohen 1960) for two categories.

    >>> cohen_kappa(np.array([True, True, False, False]), np.array([True, False, False, False]))
    0.5
    """
    if not len(a):
        return nan
    # The probability of agreement by chance, given how often each says yes.
    expected = float(a.mean() * b.mean() + (~a).mean() * (~b).mean())
    return (float((a == b).mean()) - expected) / (1 - expected) if expected != 1 else nan
