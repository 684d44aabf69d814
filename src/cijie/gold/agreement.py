"""Measure how far annotators agree on word boundaries.

A unit is a position inside a sentence where a word may end; annotators decide whether one does. The
end of the sentence, on which all agree, is not counted. Agreement is measured over all positions,
over those near a learner error, and over the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib.metadata import version
from itertools import combinations
from math import fsum, isnan, nan
from statistics import fmean, median
from typing import Any, Literal

import numpy as np
from msgspec.structs import astuple as values_of
from numpy.typing import NDArray

from cijie.alignment.links import anchors
from cijie.errors import counted
from cijie.evaluation.counts import Counts
from cijie.evaluation.tables import Table
from cijie.extras import library
from cijie.gold.annotation import Annotation, Versions, by_contest
from cijie.gold.sheets import versions_item
from cijie.signatures import signed
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation
from cijie.viewer.pages import render_page

Region = Literal["all", "near errors", "elsewhere"]

NEAR = 2
"""The distance in characters at which a position is still near a difference between source and
target. Most words have two characters, so all positions of a misspelt word are near."""

Marks = NDArray[np.bool_]
"""True where a word ends: one row per position, one column per annotator."""


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """The agreement of two annotators or more.

    Attributes:
        f1: the F1 of the boundaries of two annotators, which is symmetric; its mean over all pairs
            of more.
        alpha: Krippendorff's nominal alpha; NaN if there is no position, or all always give the
            same answer.
        kappa: Cohen's kappa of two, Fleiss' kappa of more; NaN as alpha.
    """

    f1: float
    alpha: float
    kappa: float

    @classmethod
    def of(cls, marks: Marks) -> GroupAgreement:
        """Measure the agreement of the annotators in the columns of `marks`."""
        pairs = combinations(marks.T, 2)
        counts = (Counts(int(a.sum()), int(b.sum()), int((a & b).sum())) for a, b in pairs)
        kappa = cohen_kappa(*marks.T) if marks.shape[1] == 2 else fleiss_kappa(marks)
        return cls(fmean(each.f1 for each in counts), krippendorff_alpha(marks), kappa)


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one annotator.

    Attributes:
        words: the number of words.
        timed: the number of sentences whose time was recorded.
        hours: the working time of these.
        median_seconds: the median time of a sentence; NaN if none was recorded.
        keys: how many keys were pressed for a sentence, on average; NaN if none was recorded.
        clicks: how many clicks were made for it.
    """

    words: int
    timed: int
    hours: float
    median_seconds: float
    keys: float
    clicks: float

    @classmethod
    def of(cls, annotations: Sequence[Annotation]) -> Work:
        """Sum up the annotations of one annotator."""
        words = sum(len(each.segmentation) for each in annotations)
        efforts = [each.effort for each in annotations if each.effort]
        if not efforts:
            return cls(words, 0, 0.0, nan, nan, nan)
        seconds, keys, clicks = zip(*map(values_of, efforts), strict=True)
        hours = fsum(seconds) / 3600
        return cls(words, len(efforts), hours, median(seconds), fmean(keys), fmean(clicks))


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of annotators on the boundaries of the same sentences.

    Attributes:
        sentences: the number of sentences.
        identical: the number of sentences that all segmented alike.
        positions: the number of positions where a word may end, by kind of region.
        groups: by kind of region, the agreement of all annotators; of three or more, that of each
            one with the others, on average; and of each two; by their names.
        work: the work of each annotator.
    """

    sentences: int
    identical: int
    positions: Mapping[Region, int]
    groups: Mapping[Region, Mapping[str, GroupAgreement]]
    work: Mapping[str, Work]

    @property
    def signature(self) -> str:
        """The signature: what was measured, on what, and by which version."""
        return signed(
            "score:boundary-agreement",
            f"near:{NEAR}",
            f"krippendorff:{version('krippendorff')}",
            f"annotators:{len(self.work)}",
            f"sentences:{self.sentences}",
        )

    @property
    def tables(self) -> list[Table]:
        """The tables: the agreement in each kind of region, and the work of each annotator."""
        identical = f"{self.identical:,} of {counted(self.sentences, 'sentences')} identical"
        where = {"all": f"of {len(self.work)} annotators"}
        undefined = "-: not defined, because there is no place, or all always give the same answer"
        groups = [
            Table(
                "agreement" if region == "all" else region.replace(" ", "-"),
                f"Agreement {where.get(region, region)} on {self.positions[region]:,} places"
                + f"; {identical}" * (region == "all"),
                "annotators",
                dict.fromkeys(("pairwise F1", "alpha", "kappa"), ".4f"),
                [(names, *astuple(group)) for names, group in its.items()],
                undefined if any(isnan(group.alpha) for group in its.values()) else "",
            )
            for region, its in self.groups.items()
        ]
        work = Table(
            "work",
            "Words of each annotator; effort, where recorded: seconds, keys, clicks per sentence",
            "annotator",
            {"words": ",d", "timed sentences": ",d", "hours": ".2f"}
            | dict.fromkeys(("median seconds", "keys", "clicks"), ".1f"),
            [(name, *astuple(its)) for name, its in self.work.items()],
        )
        return [*groups, work]


def agreement(sentences: Sequence[Versions], annotators: Iterable[str]) -> Agreement:
    """Measure how far two or more annotators agree.

    Args:
        sentences: the sentences with a version by each annotator.
        annotators: their names.

    Raises:
        MissingExtraError: the library krippendorff is not installed.
    """
    names = tuple(annotators)
    versions = [[each.by[name].segmentation for name in names] for each in sentences]
    marks = np.concatenate([np.empty((0, len(names)), np.bool_), *map(boundary_marks, versions)])
    texts = ((each.sentence.source, each.sentence.target or "") for each in sentences)
    near = np.concatenate([np.empty(0, np.bool_), *(near_errors(*pair) for pair in texts)])
    regions: dict[Region, Marks] = {
        "all": marks,
        "near errors": marks[near],
        "elsewhere": marks[~near],
    }
    return Agreement(
        len(sentences),
        sum(each.is_unanimous for each in sentences),
        {region: len(its) for region, its in regions.items()},
        {region: _groups(names, its) for region, its in regions.items()},
        {name: Work.of([each.by[name] for each in sentences]) for name in names},
    )


def _groups(names: Sequence[str], marks: Marks) -> dict[str, GroupAgreement]:
    pairs = {pair: GroupAgreement.of(marks[:, pair]) for pair in combinations(range(len(names)), 2)}
    groups = {", ".join(names): GroupAgreement.of(marks)}
    if len(names) > 2:
        for k, name in enumerate(names):
            own = (astuple(its) for pair, its in pairs.items() if k in pair)
            groups[name] = GroupAgreement(*map(fmean, zip(*own, strict=True)))
    return groups | {f"{names[a]}, {names[b]}": its for (a, b), its in pairs.items()}


def near_errors(source: str, target: str) -> NDArray[np.bool_]:
    """Return for each position inside a source whether it is near a difference from its target.

    A position is near one unless the `NEAR` characters on either side (fewer at the ends of the
    text) are linked to consecutive target characters (`cijie.alignment.links.anchors`).

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


def boundary_marks(versions: Sequence[Segmentation]) -> Marks:
    """Return for each position inside a text which segmentations have a boundary there.

    >>> boundary_marks([Segmentation("旅行困", (2, 3)), Segmentation("旅行困", (3,))]).tolist()
    [[False, False], [True, False]]
    """
    positions = _positions(versions[0].text)
    return np.stack([np.isin(positions, each.boundaries) for each in versions], axis=1)


def krippendorff_alpha(marks: Marks) -> float:
    """Return Krippendorff's nominal alpha; NaN if it is not defined.

    Raises:
        MissingExtraError: the library krippendorff is not installed.
    """
    krippendorff = library("krippendorff", "annotate")
    if marks.all() or not marks.any():
        return nan
    counts = np.stack([marks.sum(axis=1), (~marks).sum(axis=1)], axis=1)
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def fleiss_kappa(marks: Marks) -> float:
    """Return Fleiss' kappa (1971); NaN if it is not defined.

    It is Krippendorff's alpha without the correction for sample size (Krippendorff 2004, 11.3.3):
    for n values, 1 - alpha = (1 - kappa) * (n - 1) / n.
    """
    size = marks.size
    return 1 - (1 - krippendorff_alpha(marks)) * size / (size - 1) if size else nan


def cohen_kappa(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> float:
    """Return Cohen's kappa (1960); NaN if it is not defined.

    >>> cohen_kappa(np.array([True, True, False, False]), np.array([True, False, False, False]))
    0.5
    """
    if not len(a):
        return nan
    # The probability of agreement by chance, given how often each says yes.
    expected = float(a.mean() * b.mean() + (~a).mean() * (~b).mean())
    return (float((a == b).mean()) - expected) / (1 - expected) if expected != 1 else nan


def agreement_page(agreement: Agreement, sentences: Sequence[Versions]) -> bytes:
    """Render an agreement as a page: its tables, and all contested sentences side by side.

    Args:
        agreement: the result of `cijie.gold.agreement.agreement`.
        sentences: the sentences that it was measured on.
    """
    data: dict[str, Any] = {
        "annotators": list(agreement.work),
        "sentences": agreement.sentences,
        "signature": agreement.signature,
        "tables": [
            {
                "caption": "; ".join(filter(None, (table.caption, table.note))),
                "heads": table.lines[0],
                "rows": table.lines[1:],
            }
            for table in agreement.tables
        ],
        "items": list(map(versions_item, by_contest(sentences)[1])),
    }
    return render_page("agreement", data)
