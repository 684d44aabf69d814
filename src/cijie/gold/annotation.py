"""Annotations of source segmentations, as annotators return them and as gold.

They hold no text: spans, with checksums of the texts that they belong to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from cijie.errors import CijieError, FormatError, counted, located
from cijie.files.lines import StrPath
from cijie.gold.proposals import Remark
from cijie.gold.shipped import check_target, read_standoff
from cijie.recovery.pair import Pair
from cijie.text.segmentation import Segmentation

_T = TypeVar("_T", str, bool)
_KINDS = {str: "a string", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class Effort:
    """What a sentence cost an annotator, who agreed that it was counted.

    Args:
        seconds: time at work; the annotation page counts at most a minute between two actions.
        keys: keys pressed.
        clicks: clicks and touches.

    Raises:
        CijieError: a number that is negative or none.
    """

    seconds: float
    keys: int
    clicks: int

    def __post_init__(self) -> None:
        for value in (self.seconds, self.keys, self.clicks):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
                raise CijieError(f"effort that is no count: {value!r}")


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator made of a sentence.

    Args:
        segmentation: the words.
        remark: what the annotator said about it.
        start: what it was begun from (see `Proposals.start`), or nothing if that is not known.
        effort: what it cost, if that was counted.
    """

    segmentation: Segmentation
    remark: Remark = field(default_factory=Remark)
    start: str = ""
    effort: Effort | None = None


Annotations = Mapping[str, Mapping[str, Annotation]]
"""Annotations by annotator and sentence."""


def read_annotations(
    paths: Iterable[StrPath], pairs: Mapping[str, Pair], skipped: Counter[str] | None = None
) -> dict[str, dict[str, Annotation]]:
    """Read what annotators returned, from any number of files.

    Records have `id` and `spans`, and, as far as they are there, `source_sha256`, `target_sha256`,
    `annotator` (else it is the name of the file), `flag`, `comment`, `start`, `effort` and `done`;
    those that are not done are left out.

    Args:
        paths: the files.
        pairs: the sentences, by id.
        skipped: counts what was left out, by reason.

    Raises:
        FormatError: a sentence that there is not, a text that does not match its checksum, a
            second annotation of a sentence by the same annotator, or a value that is of another
            kind.
        SegmentationError: words that are not those of the text.
    """
    skipped = Counter() if skipped is None else skipped
    annotations: dict[str, dict[str, Annotation]] = {}
    places: dict[tuple[str, str], str] = {}
    for path in paths:
        file = read_standoff(path)
        for id, (line, record) in file.records.items():
            with located(path=path, line=line, id=id):
                if id not in pairs:
                    raise FormatError("there is no such sentence")
                annotator = _value(record, "annotator", Path(path).stem)
                if (annotator, id) in places:
                    raise FormatError(
                        f"{annotator} annotated it at {places[annotator, id]} as well"
                    )
                is_done = _value(record, "done", True)
                remark = Remark(_value(record, "flag", False), _value(record, "comment", ""))
                start, effort = _value(record, "start", ""), _effort(record)
            places[annotator, id] = f"{path}:{line}"
            having = annotations.setdefault(annotator, {})
            if not is_done:
                skipped["unfinished annotations"] += 1
                continue
            words = file.of_text(id, pairs[id].source)
            check_target(pairs[id].target, record, path, line)
            having[id] = Annotation(words, remark, start, effort)
    return annotations


def _value(record: Mapping[str, Any], key: str, default: _T) -> _T:
    """A value of the kind of its default, which stands for one that is missing or null."""
    value = record.get(key)
    if value is None:
        return default
    if not isinstance(value, type(default)):
        raise FormatError(f"{key!r} is {value!r}, not {_KINDS[type(default)]}")
    return value


def _effort(record: Mapping[str, Any]) -> Effort | None:
    effort = record.get("effort")
    if effort is None:
        return None
    if not isinstance(effort, dict) or effort.keys() != {"seconds", "keys", "clicks"}:
        raise FormatError(f"'effort' is not seconds, keys and clicks: {effort!r}")
    return Effort(**effort)


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
            message = (
                f"{name} has not annotated {lacking}, of which this is the first; "
                "--intersection takes only those that all have annotated"
            )
            raise CijieError(message, id=missing[0])
    return [id for id in ids if all(id in annotated for annotated in annotations.values())]
