"""Annotations of source segmentations, as annotators return them and as gold, and their versions.

Files of annotations hold spans and checksums of their texts, but no text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from cijie.checking import checked
from cijie.corpora.jsonl import parsed
from cijie.corpora.segmentations import segmentation_of, source_checksum
from cijie.errors import CijieError, FormatError, counted, located
from cijie.evaluation.counts import differing_regions
from cijie.files.lines import read_lines
from cijie.files.opening import StrPath
from cijie.recovery.records import WORDS, given_id, text_in, words_in
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation, Span

Known = TypeVar("Known")
Given = TypeVar("Given")


class Effort(Struct, frozen=True):
    """The effort that a sentence took, recorded with the annotator's consent.

    Args:
        seconds: working time; the annotation page counts at most a minute between two actions.
        keys: keys pressed.
        clicks: clicks and touches.
    """

    seconds: Annotated[float, Meta(ge=0)]
    keys: Annotated[int, Meta(ge=0)] = 0
    clicks: Annotated[int, Meta(ge=0)] = 0


class Annotation(Struct, frozen=True):
    """A source segmented by a person or a method: a line of a file of annotations or gold.

    Args:
        segmentation: the words.
        annotator: the name of the annotator.
        flag: whether the annotator asks for a second opinion.
        comment: the annotator's comment.
        effort: the effort it took, if recorded.
        done: whether the annotator has finished it.
        reference: the number of the target among the source's corrections, from 1.
        target_sha256: the checksum of the target that it was made with.
    """

    segmentation: Segmentation
    annotator: str = ""
    flag: bool = False
    comment: str = ""
    effort: Effort | None = None
    done: bool = True
    reference: int | None = None
    target_sha256: str | None = None

    @classmethod
    def of(cls, record: Mapping[str, Any], source: str, annotator: str = "") -> Annotation:
        """Read an annotation from a record; null counts as a missing value.

        Args:
            record: the JSON object of a line.
            source: the source that it must belong to.
            annotator: the annotator, if the record does not name one.

        Raises:
            FormatError: the record belongs to another text, has no words, or a value of another
                type.
            SegmentationError: the words do not match the text.

        >>> Annotation.of({"spans": [[0, 2], [2, 3]], "flag": None}, "旅行困").segmentation.tokens
        ['旅行', '困']
        """
        values = {"annotator": annotator}
        values |= {name: value for name, value in record.items() if value is not None}
        check_text("source", source, values.get("source_sha256"))
        words = words_in(values, text_in({"source": source} | values, "source"))
        if words is None:
            raise FormatError(f"no words: none of {', '.join(WORDS['source'])}")
        return checked(values | {"segmentation": segmentation_of(source, words)}, cls)


Annotations = Mapping[str, Mapping[str, Annotation]]
"""Annotations by annotator and sentence id."""


def check_text(name: str, text: str, checksum: object) -> None:
    """Check a source or target against the checksum in a record, if there is one.

    Args:
        name: the name of the text, for the message.
        text: the text.
        checksum: the first 16 hexadecimal digits of the SHA-256 of its UTF-8, or None.

    Raises:
        FormatError: the checksum does not match.
    """
    if checksum not in (None, source_checksum(text)):
        raise FormatError(f"the {name} does not match the checksum {checksum!r}: {text!r}")


def gold_record(pair: Sentence, segmentation: Segmentation) -> dict[str, Any]:
    """Return a gold segmentation as a stand-off record, which holds no text.

    >>> gold_record(Sentence("1", "旅行困", "旅行团"), Segmentation("旅行困", (3,)))["spans"]
    [(0, 3)]
    """
    return {
        "id": pair.id,
        "source_sha256": source_checksum(pair.source),
        "reference": pair.reference,
        "target_sha256": source_checksum(pair.target or ""),
        "spans": segmentation.spans,
    }


def read_returned(
    paths: Iterable[StrPath],
    known: Mapping[str, Known],
    read: Callable[[dict[str, Any], Known, str], tuple[str, Given]],
) -> Iterator[tuple[str, str, Given]]:
    """Yield the answers in JSON Lines files as tuples of name, sentence id and answer.

    Args:
        paths: the files.
        known: the sentences, by id.
        read: takes a record, its sentence and the name in the file name; returns the name of the
            record's author and the answer.

    Raises:
        FormatError: an unknown sentence, or two answers to one sentence by the same name.
    """
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        owner = re.sub("^(annotation|adjudication)-", "", Path(path).stem)
        for line, text in read_lines(path):
            with located(path=path, line=line):
                record = parsed(text)
                id = given_id(record, None)
            with located(path=path, line=line, id=id):
                if id not in known:
                    raise FormatError("unknown sentence: the sheet has no such id")
                name, given = read(record, known[id], owner)
                if (name, id) in places:
                    raise FormatError(f"duplicate answer by {name}, first at {places[name, id]}")
            places[name, id] = f"{path}:{line}"
            yield name, id, given


def read_annotations(
    paths: Iterable[StrPath], pairs: Mapping[str, Sentence], skipped: Counter[str] | None = None
) -> dict[str, dict[str, Annotation]]:
    """Read annotations from any number of files, by annotator and sentence id.

    Records have `id` and `spans`, and optionally the other fields of `Annotation`. Without
    `annotator`, the file name names the annotator: `annotation-A.jsonl` is by A. Unfinished
    annotations are left out.

    Args:
        paths: the files.
        pairs: the sentences, by id.
        skipped: counts the skipped annotations, by reason.

    Raises:
        FormatError: an unknown sentence, a text that does not match its checksum, a second
            annotation of a sentence by the same annotator, or a value of another type.
        SegmentationError: the words do not match the text.
    """
    skipped = Counter() if skipped is None else skipped
    annotations: dict[str, dict[str, Annotation]] = {}
    for name, id, annotation in read_returned(paths, pairs, _annotation):
        having = annotations.setdefault(name, {})
        if annotation.done:
            having[id] = annotation
        else:
            skipped["unfinished annotations"] += 1
    return annotations


def _annotation(record: dict[str, Any], pair: Sentence, owner: str) -> tuple[str, Annotation]:
    annotation = Annotation.of(record, pair.source, owner)
    check_text("target", pair.target or "", annotation.target_sha256)
    return annotation.annotator, annotation


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
