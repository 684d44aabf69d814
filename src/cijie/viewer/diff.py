"""Where two results differ, and the doubtful places of one, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from rich.text import Text

from cijie.corpora.reading import ReadOptions
from cijie.corpora.segmentations import read_to_compare
from cijie.evaluation.regions import differing_regions
from cijie.evaluation.sentences import common_ids
from cijie.files.names import StrPath
from cijie.pictures.reasons import SURE, Reason, reasons
from cijie.pictures.terminal import CHANGED, DETAIL
from cijie.pictures.wording import visible
from cijie.recovery.recovery import Recovery
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.shown import read_shown, recovery_of
from cijie.viewer.systems import Sentence, System, read_sentences


@dataclass(frozen=True, slots=True)
class Difference:
    """A stretch of a sentence, and the ways to cut it.

    Attributes:
        id: the sentence.
        source: its text.
        span: the stretch, as a half-open span of code points.
        words: by the name of each result its words there, `|` between them.
        reasons: why, as far as results tell.
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
    texts = [each.of_pair(1) for each in known]
    first, [second] = read_to_compare(a, [b], texts, options=options)
    ids = common_ids(first, {names[1]: second}, intersection=intersection, owner=names[0])
    if left_out is not None:
        left_out.update({names[0]: len(first) - len(ids), names[1]: len(second) - len(ids)})
    systems = {
        name: System.of_file(file) for name, file in zip(names, (first, second), strict=True)
    }
    for sentence in read_sentences(ids, systems):
        yield from differences(sentence, names)


def differences(sentence: Sentence, names: Iterable[str]) -> Iterator[Difference]:
    """The regions of a sentence that its systems, in the order of the names, cut differently."""
    sides = dict(zip(names, sentence.systems, strict=True))
    records = dict(zip(sides, sentence.records, strict=True))
    told: dict[str, list[Reason]] = {}
    for span, _ in differing_regions(*sides.values()):
        if not told:
            for name, record in records.items():
                recovery = recovery_of(record) if record else None
                told[name] = reasons(recovery) if recovery else []
        start, end = span
        yield Difference(
            sentence.id,
            sentence.source,
            span,
            {name: _words(words, span) for name, words in sides.items()},
            {
                name: tuple(x for x in found if any(start < at < end for at in x.places))
                for name, found in told.items()
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


def difference_lines(found: Iterable[Difference]) -> Iterator[Text]:
    """Differences as lines for a terminal: the sentence, and each region with its reasons."""
    before = None
    for each in found:
        if before != each.id:
            if before is not None:
                yield Text()
            yield Text.assemble((visible(each.id), "bold"), "  ", visible(each.source))
            before = each.id
        start, end = each.span
        line = Text(f"  {start}–{end}", DETAIL)
        for name, words in each.words.items():
            line.append(f"  {visible(name)} ", DETAIL).append(words, CHANGED)
        yield line
        for name, told in each.reasons.items():
            for reason in told:
                prefix = f"    {visible(name)}: " if name else "    "
                yield Text.assemble((prefix, DETAIL), str(reason), (f" {reason.detail}", DETAIL))


def difference_rows(found: Iterable[Difference], names: Sequence[str]) -> Iterator[list[str]]:
    """Differences as rows of fields, under a head: what `cijie diff --format tsv` writes."""
    yield ["id", "start", "end", *names, *(f"reasons of {name}" for name in names)]
    for each in found:
        why = (" ".join(map(str, told)) for told in each.reasons.values())
        yield [each.id, *map(str, each.span), *each.words.values(), *why]


def _words(words: Segmentation, span: Span) -> str:
    start, end = span
    cuts = [start, *(at for at in words.boundaries if start < at < end), end]
    return "|".join(visible(words.text[a:b].strip()) for a, b in pairwise(cuts))
