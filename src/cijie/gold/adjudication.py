"""Adjudicate the differences between annotators."""

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
    """Sentences with several annotations, and the adjudicator's decisions.

    Attributes:
        unanimous: the sentences that need no decision.
        decided: the contested sentences, each with the adjudicator's version.
        regions: the number of regions in which annotators differed.
        decided_as: by annotator, the number of regions decided in favour of their version; a
            version shared by several annotators counts for each.
        own: the number of regions in which the decision matches no annotator.
    """

    unanimous: Sequence[Versions]
    decided: Sequence[tuple[Versions, Annotation]]
    regions: int
    decided_as: Mapping[str, int]
    own: int

    @property
    def flagged(self) -> int:
        """The number of decisions that the adjudicator flagged."""
        return sum(decision.flag for _, decision in self.decided)

    def gold_records(self) -> Iterator[dict[str, Any]]:
        """Yield the gold as stand-off records: unanimous sentences first, then decided ones."""
        for each in self.unanimous:
            yield gold_record(each.sentence, each.segmentations[0])
        for each, decision in self.decided:
            yield gold_record(each.sentence, decision.segmentation)

    def remark_records(self) -> Iterator[dict[str, Any]]:
        """Yield one record per remark: `id`, `by`, `role`, `flag`, `comment`."""
        contested = [each for each, _ in self.decided]
        for each in (*self.unanimous, *contested):
            for name, version in each.by.items():
                yield from _remark(each, name, "annotator", version)
        for each, decision in self.decided:
            yield from _remark(each, decision.annotator, "adjudicator", decision)


def by_contest(sentences: Iterable[Versions]) -> tuple[list[Versions], list[Versions]]:
    """Split sentences into unanimous ones and ones that need a decision."""
    unanimous: list[Versions] = []
    contested: list[Versions] = []
    for each in sentences:
        (contested if each.is_contested else unanimous).append(each)
    return unanimous, contested


def adjudicate(sentences: Sequence[Versions], answers: Annotations) -> Adjudication:
    """Apply the answers to the contested sentences; each must have exactly one.

    Raises:
        CijieError: a contested sentence has no answer, or several.
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
    """Return the only answer to each sentence."""
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
