"""Measure how far annotators agree on word boundaries.

A unit is a position inside a sentence where a word may end; annotators decide whether one does. The
end of the sentence, on which all agree, is not counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib.metadata import version
from itertools import combinations
from math import fsum, isnan, nan
from statistics import fmean, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    """

    f1: float
    alpha: float

    @classmethod
    def of(cls, marks: Marks) -> GroupAgreement:
        """Measure the agreement of the annotators in the columns of `marks`."""
        pairs = combinations(marks.T, 2)
        counts = (Counts(int(a.sum()), int(b.sum()), int((a & b).sum())) for a, b in pairs)
        return cls(fmean(each.f1 for each in counts), krippendorff_alpha(marks))


@dataclass(frozen=True, slots=True)
class Work:
    """The work of one annotator.

    Attributes:
        words: the number of words.
        timed: the number of sentences whose time was recorded.
        hours: the working time of these.
        median_seconds: the median time of a sentence; NaN if none was recorded.
    """

    words: int
    timed: int
    hours: float
    median_seconds: float

    @classmethod
    def of(cls, annotations: Sequence[Annotation]) -> Work:
        """Sum up the annotations of one annotator."""
        words = sum(len(each.segmentation) for each in annotations)
        seconds = [each.effort.seconds for each in annotations if each.effort]
        middle = median(seconds) if seconds else nan
        return cls(words, len(seconds), fsum(seconds) / 3600, middle)


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of annotators on the boundaries of the same sentences.

    Attributes:
        sentences: the number of sentences.
        identical: the number of sentences that all segmented alike.
        positions: the number of positions where a word may end.
        groups: the agreement of all annotators, then of each two, by their names.
        work: the work of each annotator.
    """

    sentences: int
    identical: int
    positions: int
    groups: Mapping[str, GroupAgreement]
    work: Mapping[str, Work]

    @property
    def signature(self) -> str:
        """The signature: what was measured, on what, and by which version."""
        return signed(
            "score:boundary-agreement",
            f"krippendorff:{version('krippendorff')}",
            f"annotators:{len(self.work)}",
            f"sentences:{self.sentences}",
        )

    @property
    def tables(self) -> list[Table]:
        """The tables: the agreement of all and of each two, and the work of each annotator."""
        undefined = any(isnan(group.alpha) for group in self.groups.values())
        groups = Table(
            "agreement",
            f"Agreement of {len(self.work)} annotators on {self.positions:,} places; "
            f"{self.identical:,} of {counted(self.sentences, 'sentences')} identical",
            "annotators",
            {"pairwise F1": ".4f", "alpha": ".4f"},
            [(names, *astuple(group)) for names, group in self.groups.items()],
            "-: not defined, because there is no place, or all always give the same answer"
            if undefined
            else "",
        )
        work = Table(
            "work",
            "Words of each annotator, and time, where recorded; median seconds per sentence",
            "annotator",
            {"words": ",d", "timed sentences": ",d", "hours": ".2f", "median seconds": ".1f"},
            [(name, *astuple(its)) for name, its in self.work.items()],
        )
        return [groups, work]


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
    columns = range(len(names))
    return Agreement(
        len(sentences),
        sum(each.is_unanimous for each in sentences),
        len(marks),
        {
            ", ".join(names[k] for k in group): GroupAgreement.of(marks[:, group])
            for group in ([*columns], *map(list, combinations(columns, 2)))
        },
        {name: Work.of([each.by[name] for each in sentences]) for name in names},
    )


def boundary_marks(versions: Sequence[Segmentation]) -> Marks:
    """Return for each position inside a text which segmentations have a boundary there.

    >>> boundary_marks([Segmentation("旅行困", (2, 3)), Segmentation("旅行困", (3,))]).tolist()
    [[False, False], [True, False]]
    """
    split = characters(versions[0].text)
    positions = np.array(split.visible(split.ends)[:-1], np.intp)
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
