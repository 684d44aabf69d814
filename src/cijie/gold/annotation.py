"""Annotations of source segmentations, as annotators return them and as gold.

They hold no text: spans, with checksums of the texts that they belong to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cijie.errors import CijieError, FormatError, counted
from cijie.files.lines import StrPath
from cijie.gold.shipped import check_target, read_standoff
from cijie.recovery.pair import Pair
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator made of a sentence.

    Args:
        segmentation: the words.
        flag: whether the annotator wants somebody else to look at it.
        comment: what the annotator said about it.
    """

    segmentation: Segmentation
    flag: bool = False
    comment: str = ""


Annotations = Mapping[str, Mapping[str, Annotation]]
"""Annotations by annotator and sentence."""


def read_annotations(
    paths: Iterable[StrPath], pairs: Mapping[str, Pair], skipped: Counter[str] | None = None
) -> dict[str, dict[str, Annotation]]:
    """Read what annotators returned, from any number of files.

    Records have `id` and `spans`, and, as far as they are there, `source_sha256`,
    `target_sha256`, `annotator` (else it is the name of the file), `flag`, `comment` and `done`;
    those that are not done are left out.

    Args:
        paths: the files.
        pairs: the sentences, by id.
        skipped: counts what was left out, by reason.

    Raises:
        FormatError: a sentence that there is not, a text that does not match its checksum, or a
            second annotation of a sentence by the same annotator.
        SegmentationError: words that are not those of the text.
    """
    skipped = Counter() if skipped is None else skipped
    annotations: dict[str, dict[str, Annotation]] = {}
    for path in paths:
        file = read_standoff(path)
        for id, (line, record) in file.records.items():
            annotator = record.get("annotator", Path(path).stem)
            having = annotations.setdefault(str(annotator), {})
            if id not in pairs:
                raise FormatError("there is no such sentence", path=path, line=line, id=id)
            if id in having:
                message = f"{annotator} has annotated it in another file as well"
                raise FormatError(message, path=path, line=line, id=id)
            if not record.get("done", True):
                skipped["unfinished annotations"] += 1
                continue
            words = file.of_text(id, pairs[id].source)
            check_target(pairs[id].target, record, path, line)
            flag, comment = bool(record.get("flag")), str(record.get("comment", ""))
            having[id] = Annotation(words, flag, comment)
    return annotations


def shared_sentences(
    annotations: Annotations, pairs: Iterable[str], *, intersection: bool = False
) -> list[str]:
    """The ids of the sentences that all annotators have annotated, in the order of `pairs`.

    Args:
        annotations: annotations by annotator and sentence.
        pairs: the ids of the sentences, in order.
        intersection: whether a sentence that only some have annotated is left out; else it is an
            error.

    Raises:
        CijieError: fewer than two annotators, or one of them lacks a sentence.
    """
    if len(annotations) < 2:
        raise CijieError(f"two annotators are needed, not {', '.join(annotations) or 'none'}")
    some = set().union(*annotations.values())
    ids = [id for id in pairs if id in some]
    for name, annotated in annotations.items():
        missing = [id for id in ids if id not in annotated]
        if missing and not intersection:
            lacking = counted(len(missing), "sentences")
            message = f"{name} has not annotated {lacking}, of which this is the first"
            raise CijieError(message, id=missing[0])
    return [id for id in ids if all(id in annotated for annotated in annotations.values())]
