"""A sentence with several versions of its words, by methods or annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cijie.errors import CijieError, counted
from cijie.evaluation.regions import differing_regions
from cijie.gold.annotation import Annotation, Annotations
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation, Span


@dataclass(frozen=True, slots=True)
class Versions:
    """A sentence and several versions of its words.

    Args:
        sentence: the sentence with its target.
        by: the versions, by the name of the method, system or annotator.
    """

    sentence: Sentence
    by: Mapping[str, Annotation]

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
        """Return the record that an adjudicator works from: with differing regions and remarks.

        >>> words = Segmentation("困", (1,))
        >>> by = {"A": Annotation(words, flag=True, comment="困？"), "B": Annotation(words)}
        >>> record = Versions(Sentence("1", "困", "团"), by).as_sheet_record()
        >>> record["regions"], record["comments"], record["flags"]
        ([], {'A': '困？'}, ['A'])
        """
        return self.as_record() | {
            "regions": self.regions,
            "comments": {name: x.comment for name, x in self.by.items() if x.comment},
            "flags": [name for name, x in self.by.items() if x.flag],
        }


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


def by_contest(sentences: Iterable[Versions]) -> tuple[list[Versions], list[Versions]]:
    """Split sentences into unanimous ones and ones that need a decision."""
    unanimous: list[Versions] = []
    contested: list[Versions] = []
    for each in sentences:
        (contested if each.is_contested else unanimous).append(each)
    return unanimous, contested


def decisions(contested: Iterable[str], answers: Annotations) -> list[Annotation]:
    """Return the only answer to each contested sentence.

    Args:
        contested: the ids of the sentences.
        answers: the answers, by adjudicator and sentence id.

    Raises:
        CijieError: a contested sentence has no answer, or several.
    """
    given = {id: {name: x[id] for name, x in answers.items() if id in x} for id in contested}
    if missing := [id for id, by in given.items() if not by]:
        lacking = counted(len(missing), "sentences")
        message = (
            f"{lacking} without adjudication, of which this is the first; "
            "`cijie annotate merge` makes the page for it"
        )
        raise CijieError(message, id=missing[0])
    for id, by in given.items():
        if len(by) > 1:
            raise CijieError(f"adjudicated twice: by {' and by '.join(by)}", id=id)
    return [decision for by in given.values() for decision in by.values()]
