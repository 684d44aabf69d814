"""Annotators' versions merged; what they differ in adjudicated."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from cijie.errors import CijieError, FormatError, counted, located
from cijie.evaluation.regions import contested_regions
from cijie.files.lines import StrPath
from cijie.gold.annotation import Annotations, shared_sentences
from cijie.gold.proposals import Proposals, Remark, remarks_in, remarks_record
from cijie.gold.shipped import gold_record, read_gold_records, read_standoff
from cijie.recovery.pair import Pair
from cijie.text.segmentation import Segmentation

Remarks = Mapping[str, Remark]
"""What was said about a sentence, by who said it."""

Role = Literal["annotator", "adjudicator"]


@dataclass(frozen=True, slots=True)
class Merged:
    """Annotations of the same sentences, merged.

    Attributes:
        unanimous: the sentences that all annotators segment alike, with their words and with what
            was said about them, though nobody flagged them.
        sheet: the other ones, and those that somebody flagged, for an adjudicator.
        flagged: how many sentences of the sheet are there only because they were flagged.
    """

    unanimous: tuple[tuple[Pair, Segmentation, Remarks], ...]
    sheet: tuple[Proposals, ...]
    flagged: int

    @property
    def regions(self) -> int:
        """In how many regions annotators differ."""
        return sum(len(proposals.regions) for proposals in self.sheet)

    def unanimous_records(self) -> Iterator[dict[str, Any]]:
        """The unanimous sentences as stand-off gold, with `comments` where there are any."""
        for pair, words, remarks in self.unanimous:
            yield gold_record(pair, words) | remarks_record(remarks)


def merge(
    pairs: Mapping[str, Pair], annotations: Annotations, *, intersection: bool = False
) -> Merged:
    """Part the sentences that all annotators segment alike from those to be adjudicated.

    Raises:
        CijieError: as `shared_sentences`.

    >>> pairs = {"1": Pair("1", "旅行困", "旅行团"), "2": Pair("2", "好", "好")}
    >>> from cijie.gold.annotation import Annotation
    >>> same = Annotation(Segmentation("好", (1,)))
    >>> whole, cut = (Annotation(Segmentation("旅行困", ends)) for ends in ((3,), (2, 3)))
    >>> merged = merge(pairs, {"A": {"1": whole, "2": same}, "B": {"1": cut, "2": same}})
    >>> [pair.id for pair, *_ in merged.unanimous], merged.sheet[0].regions
    (['2'], [(0, 3)])
    """
    unanimous = []
    sheet = []
    flagged = 0
    for id in shared_sentences(annotations, pairs, intersection=intersection):
        found = {name: annotated[id] for name, annotated in annotations.items()}
        versions = {name: annotation.segmentation for name, annotation in found.items()}
        remarks = {name: each.remark for name, each in found.items() if each.remark}
        alike = len(set(versions.values())) == 1
        if alike and not any(remark.flag for remark in remarks.values()):
            unanimous.append((pairs[id], next(iter(versions.values())), remarks))
            continue
        flagged += alike
        sheet.append(Proposals(pairs[id], versions, remarks))
    return Merged(tuple(unanimous), tuple(sheet), flagged)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What an adjudicator decided.

    Attributes:
        decided: the sentences of the sheet, with their words.
        remarks: what adjudicators said: id, name and remark.
        regions: how many regions annotators differed in.
        decided_as: in how many of them the decision is an annotator's version, by annotator; where
            it is that of several, it counts for each.
        own: in how many it is nobody's.
        flagged: how many decisions the adjudicator flagged.
    """

    decided: tuple[tuple[Pair, Segmentation], ...]
    remarks: tuple[tuple[str, str, Remark], ...]
    regions: int
    decided_as: Mapping[str, int]
    own: int
    flagged: int


def adjudicate(sheet: Mapping[str, Proposals], answers: Annotations) -> Adjudication:
    """Take the answers to an adjudication sheet, which must be answered whole.

    Raises:
        CijieError: a sentence without an answer, or with several.
    """
    decided = []
    remarks = []
    decided_as = {name: 0 for proposals in sheet.values() for name in proposals.versions}
    regions = own = flagged = 0
    for id, proposals in sheet.items():
        given = {name: answered[id] for name, answered in answers.items() if id in answered}
        if not given:
            missing = sum(not any(id in each for each in answers.values()) for id in sheet)
            lacking = counted(missing, "sentences")
            message = f"{lacking} without adjudication, of which this is the first"
            raise CijieError(message, id=id)
        if len(given) > 1:
            raise CijieError(f"adjudicated by {' and by '.join(given)}", id=id)
        [(adjudicator, answer)] = given.items()
        flagged += answer.remark.flag
        remarks.append((id, adjudicator, answer.remark))
        decided.append((proposals.pair, answer.segmentation))
        for region in contested_regions(answer.segmentation, list(proposals.versions.values())):
            regions += 1
            own += not any(region.right)
            for name, right in zip(proposals.versions, region.right, strict=True):
                decided_as[name] += right
    return Adjudication(tuple(decided), tuple(remarks), regions, decided_as, own, flagged)


def read_unanimous(
    path: StrPath, sheet: Container[str]
) -> dict[str, tuple[dict[str, Any], Remarks]]:
    """Read what `Merged.unanimous_records` wrote: gold by id, and what was said about it.

    Raises:
        FormatError: as `read_gold_records`, remarks that are none, or a sentence of the sheet.
    """
    read: dict[str, tuple[dict[str, Any], Remarks]] = {}
    gold = read_gold_records(path)
    for id, (line, record) in read_standoff(path).records.items():
        with located(path=path, line=line, id=id):
            if id in sheet:
                raise FormatError("both unanimous and to be adjudicated")
            read[id] = gold[id], remarks_in(record)
    return read


def remark_records(
    unanimous: Mapping[str, Remarks], sheet: Mapping[str, Proposals], result: Adjudication
) -> Iterator[dict[str, Any]]:
    """Everything that was said, a record a remark: `id`, `by`, `role`, `flag` and `comment`."""
    adjudicators = {id: {name: remark} for id, name, remark in result.remarks}
    said: Iterable[tuple[str, Role, Remarks]] = chain(
        ((id, "annotator", remarks) for id, remarks in unanimous.items()),
        ((id, "annotator", proposals.remarks) for id, proposals in sheet.items()),
        ((id, "adjudicator", remarks) for id, remarks in adjudicators.items()),
    )
    for id, role, remarks in said:
        for name, remark in remarks.items():
            if remark:
                flag, comment = remark.flag, remark.comment
                yield {"id": id, "by": name, "role": role, "flag": flag, "comment": comment}
