"""Measure how far annotators agree on word boundaries.

A unit is a position inside a sentence where a word may end; annotators decide whether one does. The
end of the sentence, on which all agree, is not counted. Agreement is measured over all positions,
over positions near a learner error, and over the remaining ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from importlib.metadata import version
from itertools import chain, combinations
from math import fsum, isnan, nan
from statistics import fmean, median
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cijie.alignment.links import anchors
from cijie.errors import counted
from cijie.evaluation.counts import Counts
from cijie.evaluation.tables import Table
from cijie.extras import library
from cijie.gold.annotation import Annotation
from cijie.gold.sheets import versions_item
from cijie.gold.versions import Versions, by_contest
from cijie.signatures import signed
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation
from cijie.viewer.pages import render_page

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
    text) are linked to consecutive target characters (`cijie.alignment.links`).

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


def agreement_tables(agreement: Agreement) -> list[Table]:
    """Build the tables: all annotators together, each annotator, and each pair."""
    work, regions = agreement.work, agreement.regions.values()
    identical = f"{agreement.identical:,} of {counted(agreement.sentences, 'sentences')} identical"
    by_region = {f"{x} {name}": ".4f" for name in agreement.regions for x in ("F1", "kappa")}
    couples = combinations(work, 2)
    overall = Table(
        "agreement",
        f"Agreement of {len(work)} annotators on boundaries; {identical}",
        "region",
        {"positions": ",d"} | dict.fromkeys(("pairwise F1", "alpha", "Fleiss"), ".4f"),
        [
            (name, region.positions, region.pairwise_f1, region.alpha, region.fleiss_kappa)
            for name, region in agreement.regions.items()
        ],
        "-: not defined, because there is no position, or all always give the same answer"
        if any(isnan(region.alpha) for region in regions)
        else "",
    )
    annotators = Table(
        "annotators",
        "Each annotator with the others, on average; Cohen's kappa",
        "annotator",
        {"words": ",d"} | by_region,
        [
            (name, its.words, *chain(*(region.of_annotator(name) for region in regions)))
            for name, its in work.items()
        ],
    )
    pairs = Table(
        "pairs",
        "Each pair of annotators; Cohen's kappa",
        "annotators",
        by_region,
        [
            (f"{a} and {b}", *chain(*((pair.f1, pair.cohen_kappa) for pair in same)))
            for (a, b), *same in zip(couples, *(region.pairs for region in regions), strict=True)
        ],
    )
    has_effort = any(each.counted for each in work.values())
    return [overall, annotators, *([_effort(work)] if has_effort else []), pairs]


def _effort(work: Mapping[str, Work]) -> Table:
    costs = dict.fromkeys(("median seconds", "keys", "clicks"), ".1f")
    return Table(
        "effort",
        "Effort, where recorded; median seconds, keys and clicks are per sentence",
        "annotator",
        {"sentences": ",d", "hours": ".2f", **costs, "started from": ""},
        [
            (
                name,
                each.counted,
                each.seconds / 3600,
                each.median,
                each.keys / each.counted if each.counted else nan,
                each.clicks / each.counted if each.counted else nan,
                ", ".join(each.start),
            )
            for name, each in work.items()
        ],
    )


def agreement_record(agreement: Agreement) -> dict[str, Any]:
    """Return all figures as plain values for orjson: unrounded, NaN where undefined."""
    words = {name: work.words for name, work in agreement.work.items()}
    values = {each.name: getattr(agreement, each.name) for each in fields(agreement)}
    return {"signature": agreement.signature, "words": words} | values


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
            for table in agreement_tables(agreement)
        ],
        "items": list(map(versions_item, by_contest(sentences)[1])),
    }
    return render_page("agreement", data)
