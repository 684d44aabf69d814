"""A sentence with several versions of its words, by methods or annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cijie.errors import CijieError, counted
from cijie.evaluation.regions import contested_regions, differing_regions
from cijie.gold.annotation import Annotation, Annotations, gold_record
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation, Span


@dataclass(frozen=True, slots=True)
class Versions:
    """A sentence and several versions of its words.

    Args:
        sentence: the sentence with its target.
        by: the versions, by the name of the method, system or annotator.
        confidence: the lowest confidence of the methods that state one.
    """

    sentence: Sentence
    by: Mapping[str, Annotation]
    confidence: float = 1.0

    @property
    def segmentations(self) -> list[Segmentation]:
        """The words of each version."""
        return [version.segmentation for version in self.by.values()]

    @property
    def is_unanimous(self) -> bool:
        """True if all versions are identical."""
        return len(set(self.segmentations)) == 1

    @property
    def is_contested(self) -> bool:
        """True if versions differ, or one of them is flagged."""
        return not self.is_unanimous or any(version.flag for version in self.by.values())

    @property
    def regions(self) -> list[Span]:
        """The differing regions: half-open spans of the source between shared boundaries."""
        return [span for span, _ in differing_regions(*self.segmentations)]

    @property
    def remarks(self) -> dict[str, Annotation]:
        """The versions that are flagged or have a comment."""
        return {name: version for name, version in self.by.items() if version.says_something}

    @property
    def distinct(self) -> list[tuple[list[str], Segmentation]]:
        """The distinct versions, each with the names of the methods or annotators that have it.

        >>> whole, cut = (Annotation(Segmentation("旅行困", ends)) for ends in ((3,), (2, 3)))
        >>> versions = {"direct": cut, "p1": cut, "p3": whole}
        >>> [names for names, _ in Versions(Sentence("1", "旅行困", "旅行团"), versions).distinct]
        [['direct', 'p1'], ['p3']]
        """
        names: dict[Segmentation, list[str]] = {}
        for name, version in self.by.items():
            names.setdefault(version.segmentation, []).append(name)
        return [(having, segmentation) for segmentation, having in names.items()]

    def start(self, start: str) -> Segmentation:
        """Return the segmentation that annotation starts from.

        Args:
            start: `agreed`, the boundaries that all versions share; `none`, boundaries at white
                space only; or the name of a version.

        Raises:
            CijieError: an unknown name.

        >>> whole, cut = (Annotation(Segmentation("旅行困", ends)) for ends in ((3,), (2, 3)))
        >>> versions = Versions(Sentence("1", "旅行困", "旅行团"), {"direct": cut, "p3": whole})
        >>> [str(versions.start(start)) for start in ("agreed", "none", "direct")]
        ['旅行困', '旅行困', '旅行 困']
        """
        if start in self.by:
            return self.by[start].segmentation
        text = self.sentence.source
        if start == "agreed":
            ends = set.intersection(*(set(each.boundaries) for each in self.segmentations))
            return Segmentation(text, tuple(sorted(ends)))
        if start == "none":
            return Segmentation.from_tokens(text, [text], cut_at_spaces=True)
        known = ", ".join(["agreed", "none", *self.by])
        raise CijieError(f"no proposal {start!r}: expected {known}", id=self.sentence.id)

    def as_record(self) -> dict[str, Any]:
        """Return the record that an annotator works from, texts included."""
        sentence = self.sentence
        words = sentence.target_segmentation
        return {
            "id": sentence.id,
            "source": sentence.source,
            "target": sentence.target,
            "reference": sentence.reference,
            "target_spans": None if words is None else words.spans,
            "proposals": {name: version.segmentation.spans for name, version in self.by.items()},
        }

    def as_sheet_record(self) -> dict[str, Any]:
        """Return the record that an adjudicator works from: with differing regions and remarks."""
        return self.as_record() | {"regions": self.regions} | self.remarks_record()

    def remarks_record(self) -> dict[str, Any]:
        """Return the remarks, without empty fields: `comments` by name, and the names of `flags`.

        >>> words = Segmentation("困", (1,))
        >>> by = {"A": Annotation(words, flag=True, comment="困？"), "B": Annotation(words)}
        >>> Versions(Sentence("1", "困", "团"), by).remarks_record()
        {'comments': {'A': '困？'}, 'flags': ['A']}
        """
        comments = {name: x.comment for name, x in self.by.items() if x.comment}
        flags = [name for name, x in self.by.items() if x.flag]
        return ({"comments": comments} if comments else {}) | ({"flags": flags} if flags else {})


def shared_sentences(
    pairs: Mapping[str, Sentence],
    annotations: Annotations,
    skipped: Counter[str] | None = None,
    *,
    intersection: bool = False,
) -> list[Versions]:
    """Return the sentences that all annotators have annotated, in the order of `pairs`.

    Args:
        pairs: the sentences, by id.
        annotations: annotations by annotator and sentence id.
        skipped: counts the skipped sentences, by reason.
        intersection: whether to skip sentences that only some have annotated; else such a sentence
            is an error.

    Raises:
        CijieError: fewer than two annotators, or one of them lacks a sentence.
    """
    skipped = Counter() if skipped is None else skipped
    if len(annotations) < 2:
        raise CijieError(f"expected two annotators or more, got {', '.join(annotations) or 'none'}")
    some = set().union(*annotations.values())
    ids = [id for id in pairs if id in some]
    for name, annotated in annotations.items():
        missing = [id for id in ids if id not in annotated]
        if missing and not intersection:
            lacking = counted(len(missing), "sentences")
            message = (
                f"{name} has not annotated {lacking}, of which this is the first; "
                "--intersection takes only those that all have annotated"
            )
            raise CijieError(message, id=missing[0])
    shared = [id for id in ids if all(id in annotated for annotated in annotations.values())]
    left = {"sentences without annotation": len(pairs) - len(ids)}
    left |= {f"sentences of {name}": len(x) - len(shared) for name, x in annotations.items()}
    skipped.update({what: count for what, count in left.items() if count})
    return [
        Versions(pairs[id], {name: annotated[id] for name, annotated in annotations.items()})
        for id in shared
    ]


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
        for _, pattern in contested_regions(decision.segmentation, each.segmentations):
            regions += 1
            own += "g" not in pattern
            for name, outcome in zip(each.by, pattern, strict=True):
                decided_as[name] += outcome == "g"
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
