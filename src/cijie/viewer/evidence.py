"""What a system based its words on: the target, the links, the boundaries it changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cijie.alignment import Alignment
from cijie.corpora.records import as_segmentation
from cijie.corpora.segmentations import SegmentationFile
from cijie.errors import CijieError, FormatError
from cijie.projection import Change
from cijie.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class Evidence:
    """The target of one sentence, and what a system made of it.

    Attributes:
        target: the correction.
        words: its words, if they are known.
        alignment: the links; without any where a system uses none.
        changes: the boundaries that the system changed.
    """

    target: str
    words: Segmentation | None
    alignment: Alignment
    changes: tuple[Change, ...] = ()


def read_evidence(file: SegmentationFile, id: str) -> Evidence | None:
    """The evidence in a record as `cijie recover` writes it; None if it has no target.

    Raises:
        FormatError: a target that is not a string, words that are not those of the target, links
            that are not those of an alignment, changes that are out of range.
    """
    line, record = file.records[id]
    target, source = record.get("target"), record.get("source")
    if target is None or source is None:
        return None
    try:
        if not isinstance(target, str):
            raise CijieError(f"'target' is not a string: {target!r}")
        words = record.get("target_tokens")
        segmentation = None if words is None else as_segmentation(target, words)
        changes = tuple(_change(change, source, target) for change in record.get("changes", ()))
    except CijieError as error:
        raise FormatError(error.message, path=file.path, line=line, id=id) from error
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(f"bad changes: {error!r}", path=file.path, line=line, id=id) from error
    alignment = next(file.alignments([id]), Alignment(len(source), len(target)))
    return Evidence(target, segmentation, alignment, changes)


def _change(record: Mapping[str, Any], source: str, target: str) -> Change:
    at, kind, (start, end) = record["at"], record["kind"], record["by"]
    if kind not in ("insert", "remove") or not (
        0 < at <= len(source) and 0 <= start < end <= len(target)
    ):
        raise CijieError(f"no such change in these texts: {dict(record)!r}")
    return Change(at, kind, (start, end), target[start:end])
