"""What annotators differ in, adjudicated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cijie.errors import CijieError, counted
from cijie.evaluation.regions import contested_regions
from cijie.gold.annotation import Annotation, Annotations, gold_record
from cijie.gold.versions import Versions


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Sentences that several annotated, and what an adjudicator decided.

    Attributes:
        unanimous: the sentences that need no decision.
        decided: the contested ones, each with who decided, and what.
        regions: how many regions annotators differed in.
        decided_as: in how many of them the decision is an annotator's version, by annotator; where
            it is that of several, it counts for each.
        own: in how many the decision is that of no annotator.
    """

    unanimous: Sequence[Versions]
    decided: Sequence[tuple[Versions, Annotation]]
    regions: int
    decided_as: Mapping[str, int]
    own: int

    @property
    def flagged(self) -> int:
        """How many decisions the adjudicator flagged."""
        return sum(decision.flag for _, decision in self.decided)

    def gold_records(self) -> Iterator[dict[str, Any]]:
        """The gold in the stand-off form: unanimous sentences first, then those decided."""
        for each in self.unanimous:
            yield gold_record(each.sentence, each.segmentations[0])
        for each, decision in self.decided:
            yield gold_record(each.sentence, decision.segmentation)

    def remark_records(self) -> Iterator[dict[str, Any]]:
        """Everything that was said, a record a remark: `id`, `by`, `role`, `flag`, `comment`."""
        contested = [each for each, _ in self.decided]
        for each in (*self.unanimous, *contested):
            for name, version in each.by.items():
                yield from _remark(each, name, "annotator", version)
        for each, decision in self.decided:
            yield from _remark(each, decision.annotator, "adjudicator", decision)


def by_contest(sentences: Iterable[Versions]) -> tuple[list[Versions], list[Versions]]:
    """The sentences that need no decision, and those that do."""
    unanimous: list[Versions] = []
    contested: list[Versions] = []
    for each in sentences:
        (contested if each.is_contested else unanimous).append(each)
    return unanimous, contested


def adjudicate(sentences: Sequence[Versions], answers: Annotations) -> Adjudication:
    """Take the answers to those sentences that are contested, each of which must have one.

    Raises:
        CijieError: a contested sentence without an answer, or with several.
    """
    unanimous, contested = by_contest(sentences)
    answered = _answered([each.sentence.id for each in contested], answers)
    decided = [(each, answered[each.sentence.id]) for each in contested]
    decided_as = {name: 0 for each in contested for name in each.by}
    regions = own = 0
    for each, decision in decided:
        for region in contested_regions(decision.segmentation, each.segmentations):
            regions += 1
            own += not any(region.right)
            for name, right in zip(each.by, region.right, strict=True):
                decided_as[name] += right
    return Adjudication(unanimous, decided, regions, decided_as, own)


def _answered(ids: Sequence[str], answers: Annotations) -> dict[str, Annotation]:
    """The only answer to each of these sentences."""
    by = {id: [name for name, answered in answers.items() if id in answered] for id in ids}
    for id, names in by.items():
        if not names:
            lacking = counted(sum(not given for given in by.values()), "sentences")
            message = (
                f"{lacking} without adjudication, of which this is the first; "
                "`cijie annotate merge` makes the page for it"
            )
            raise CijieError(message, id=id)
        if len(names) > 1:
            raise CijieError(f"adjudicated twice: by {' and by '.join(names)}", id=id)
    return {id: answers[name][id] for id, [name] in by.items()}


def _remark(each: Versions, name: str, role: str, made: Annotation) -> Iterator[dict[str, Any]]:
    if made.says_something:
        said = {"role": role, "flag": made.flag, "comment": made.comment}
        yield {"id": each.sentence.id, "by": name} | said
