"""Where two results differ, and the doubtful places of one, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from cijie.corpora.reading import ReadOptions
from cijie.corpora.segmentations import read_to_compare
from cijie.evaluation.regions import differing_regions
from cijie.evaluation.sentences import common_ids
from cijie.files.names import StrPath
from cijie.pictures.reasons import SURE, Reason, reasons
from cijie.pictures.wording import visible
from cijie.recovery.recovery import Recovery
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.shown import read_shown
from cijie.viewer.systems import SideBySide, side_by_side


@dataclass(frozen=True, slots=True)
class Difference:
    """A stretch of a sentence, and the ways to cut it.

    Attributes:
        id: the sentence.
        source: its text.
        span: the stretch, as a half-open span of code points.
        words: by the name of each result its words there, `|` between them.
        reasons: why, as far as the results hold it.
    """

    id: str
    source: str
    span: Span
    words: Mapping[str, str]
    reasons: Mapping[str, tuple[Reason, ...]]


def diff(
    a: StrPath,
    b: StrPath,
    *,
    pairs: StrPath | None = None,
    intersection: bool = False,
    names: tuple[str, str] = ("A", "B"),
    left_out: Counter[str] | None = None,
    options: ReadOptions | None = None,
) -> Iterator[Difference]:
    """Where two results cut the same sentences differently, in their order.

    Args:
        a: a file with results, as `cijie.view` takes it.
        b: another one of the same sentences.
        pairs: a file with texts for results that have none.
        intersection: whether to take only the sentences that both have; else one of `a` that `b`
            lacks is an error.
        names: what to call them.
        left_out: counts the sentences of each that the other one lacks, by name.
        options: what is said about both files; by default name and content say what they are.

    Raises:
        CijieError: files that cannot be read or do not fit.
    """
    known = [] if pairs is None else read_shown(pairs)
    first, [second] = read_to_compare(a, [b], known, options=options)
    ids = common_ids(first, {names[1]: second}, intersection=intersection, owner=names[0])
    if left_out is not None:
        left_out.update({names[0]: len(first) - len(ids), names[1]: len(second) - len(ids)})
    for sentence in side_by_side(ids, dict(zip(names, (first, second), strict=True))):
        yield from differences(sentence, names)


def differences(sentence: SideBySide, names: Iterable[str]) -> Iterator[Difference]:
    """The regions of a sentence that its systems, in the order of the names, cut differently."""
    sides = dict(zip(names, sentence.systems, strict=True))
    given: dict[str, list[Reason]] = {}
    for span, _ in differing_regions(*sentence.words):
        given = given or {
            name: reasons(each) if isinstance(each, Recovery) else []
            for name, each in sides.items()
        }
        start, end = span
        yield Difference(
            sentence.id,
            sentence.source,
            span,
            {name: _words(each.cut(), span) for name, each in sides.items()},
            {
                name: tuple(x for x in found if any(start < at < end for at in x.places))
                for name, found in given.items()
            },
        )


def doubtful(id: str, recovery: Recovery) -> list[Difference]:
    """The places that a recovery is not sure of, the least sure first; that one in any case."""
    decided = [(reason.confidence, reason) for reason in reasons(recovery) if reason.confidence]
    decided.sort(key=itemgetter(0))
    return [
        Difference(
            id,
            recovery.source,
            reason.span,
            {"now": _words(recovery.segmentation, reason.span), "else": reason.runner_up},
            {"": (reason,)},
        )
        for k, (confidence, reason) in enumerate(decided)
        if k == 0 or confidence < SURE
    ]


def _words(words: Segmentation, span: Span) -> str:
    start, end = span
    cuts = [start, *(at for at in words.boundaries if start < at < end), end]
    return "|".join(visible(words.text[a:b].strip()) for a, b in pairwise(cuts))
