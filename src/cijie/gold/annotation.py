"""Annotations of source segmentations, as annotators return them and as gold.

They hold spans and checksums of their texts, but no text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct

from cijie.checking import checked
from cijie.corpora.jsonl import parsed
from cijie.corpora.segmentations import segmentation_of, source_checksum
from cijie.errors import FormatError, located
from cijie.files.lines import read_lines
from cijie.files.opening import StrPath
from cijie.recovery.records import WORDS, given_id, text_in, words_in
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

Known = TypeVar("Known")
Given = TypeVar("Given")


class Effort(Struct, frozen=True):
    """The effort that a sentence took, recorded with the annotator's consent.

    Args:
        seconds: working time; the annotation page counts at most a minute between two actions.
    """

    seconds: Annotated[float, Meta(ge=0)]


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
