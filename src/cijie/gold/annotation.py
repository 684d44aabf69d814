"""Annotations of source segmentations, as annotators return them and as gold.

They hold no text: spans, with checksums of the texts that they belong to.
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
from cijie.files.names import StrPath
from cijie.recovery.records import WORDS, given_id, text_in, words_in
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

Known = TypeVar("Known")
Given = TypeVar("Given")


class Effort(Struct, frozen=True, forbid_unknown_fields=True):
    """What a sentence cost an annotator, who agreed that it was counted.

    Args:
        seconds: time at work; the annotation page counts at most a minute between two actions.
        keys: keys pressed.
        clicks: clicks and touches.
    """

    seconds: Annotated[float, Meta(ge=0)]
    keys: Annotated[int, Meta(ge=0)]
    clicks: Annotated[int, Meta(ge=0)]


class Annotation(Struct, frozen=True):
    """What somebody, or a method, made of a source: a line of a file of annotations, or of gold.

    Args:
        segmentation: the words.
        annotator: who made it.
        flag: whether they want somebody else to look at it.
        comment: what they said about it.
        start: what it was begun from (see `Versions.start`), or nothing if that is not known.
        effort: what it cost, if that was counted.
        done: whether they are done with it.
        reference: the number of the target among the source's corrections, from 1.
        target_sha256: the checksum of the target that it was made with.
    """

    segmentation: Segmentation
    annotator: str = ""
    flag: bool = False
    comment: str = ""
    start: str = ""
    effort: Effort | None = None
    done: bool = True
    reference: int | None = None
    target_sha256: str | None = None

    @property
    def says_something(self) -> bool:
        """Whether it is flagged, or has a comment."""
        return self.flag or bool(self.comment)

    @classmethod
    def of(cls, record: Mapping[str, Any], source: str, annotator: str = "") -> Annotation:
        """The annotation in a record, where null stands for a value that is missing.

        Args:
            record: the object in a line.
            source: the text that it must be of.
            annotator: who made it if the record does not say.

        Raises:
            FormatError: another text, no words, a value of another kind.
            SegmentationError: words that are not those of the text.

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
"""Annotations by annotator and sentence."""


def check_text(name: str, text: str, checksum: object) -> None:
    """Check a source or a target against the checksum that a record has for it, if it has one.

    Args:
        name: of the text, for the message.
        text: the text.
        checksum: the first 16 hexadecimal digits of the SHA-256 of its UTF-8, or None.

    Raises:
        FormatError: it is that of another text.
    """
    if checksum not in (None, source_checksum(text)):
        raise FormatError(f"the {name} does not match the checksum {checksum!r}: {text!r}")


def gold_record(pair: Sentence, segmentation: Segmentation) -> dict[str, Any]:
    """A gold segmentation in the stand-off form, which holds no text.

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
    """What people return in files of JSON lines, each time the name, the sentence, and what it is.

    Args:
        paths: the files.
        known: the sentences by id.
        read: takes a record, its sentence and whoever the file is called after; gives the name of
            whose record it is, and what is in it.

    Raises:
        FormatError: a sentence that there is not, or the same one twice by one name.
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
    """Read what annotators returned, from any number of files, by annotator and sentence.

    Records have `id` and `spans`, and whatever else an `Annotation` has. Without `annotator` they
    are by whoever the file is called after: `annotation-A.jsonl` is by A. Those that are not done
    are left out.

    Args:
        paths: the files.
        pairs: the sentences, by id.
        skipped: counts what was left out, by reason.

    Raises:
        FormatError: a sentence that there is not, a text that does not match its checksum, a
            second annotation of a sentence by the same annotator, or a value of another kind.
        SegmentationError: words that are not those of the text.
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
