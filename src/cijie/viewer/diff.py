"""Find the differences between two results, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from cijie.corpora.reading import ReadOptions
from cijie.corpora.segmentations import read_to_compare
from cijie.evaluation.counts import differing_regions
from cijie.evaluation.sentences import common_ids
from cijie.files.opening import StrPath
from cijie.pictures.reasons import Reason, reasons
from cijie.pictures.wording import visible
from cijie.recovery.sentence import Recovery
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.shown import read_shown, side_by_side


@dataclass(frozen=True, slots=True)
class Difference:
    """A region of a sentence, and its different segmentations.

    Attributes:
        id: the id of the sentence.
        source: the text of the sentence.
        span: the region, as a half-open span of code points.
        words: the words of each result in the region, by name, separated by `|`.
        reasons: the reasons for the words, by name; empty if the result has none.
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
    """Yield the regions that two results segment differently, in the order of the sentences.

    Args:
        a: a file of results, in any format that `cijie.view` reads.
        b: another file of results for the same sentences.
        pairs: a file with the texts, for results without texts.
        intersection: whether to take only the sentences that both have; else a sentence of `a`
            that `b` lacks is an error.
        names: the names of the two results.
        left_out: counts the sentences of each result that the other one lacks, by name.
        options: reading options for both files; unset ones are inferred from name and content.

    Raises:
        CijieError: a file cannot be read, or the files do not match.
    """
    known = [] if pairs is None else read_shown(pairs)
    first, [second] = read_to_compare(a, [b], known, options=options)
    ids = common_ids(first, {names[1]: second}, intersection=intersection, owner=names[0])
    if left_out is not None:
        left_out.update({names[0]: len(first) - len(ids), names[1]: len(second) - len(ids)})
    for each in side_by_side(ids, dict(zip(names, (first, second), strict=True))):
        sides = dict(zip(names, each.systems, strict=True))
        given: dict[str, list[Reason]] = {}
        for span, _ in differing_regions(*each.words):
            given = given or {
                name: reasons(side) if isinstance(side, Recovery) else []
                for name, side in sides.items()
            }
            start, end = span
            yield Difference(
                each.id,
                each.source,
                span,
                {name: _words(side.known_words(), span) for name, side in sides.items()},
                {
                    name: tuple(x for x in found if any(start < at < end for at in x.places))
                    for name, found in given.items()
                },
            )


def _words(words: Segmentation, span: Span) -> str:
    start, end = span
    cuts = [start, *(at for at in words.boundaries if start < at < end), end]
    return "|".join(visible(words.text[a:b].strip()) for a, b in pairwise(cuts))
