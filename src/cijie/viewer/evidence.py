"""What a system based its words on: target, links, changes, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

from cijie.alignment import Alignment
from cijie.corpora.records import Record
from cijie.corpora.segmentations import SegmentationFile
from cijie.errors import located
from cijie.projection.boundaries import Change
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class Evidence:
    """The target of one sentence, and what a system made of it.

    Attributes:
        target: the correction.
        words: its words, if they are known.
        alignment: the links; without any where a system uses none.
        changes: the boundaries that the system changed.
        confidences: for each of the system's words, the probability that it ends where it does;
            nothing where the system does not say.
    """

    target: str
    words: Segmentation | None
    alignment: Alignment
    changes: tuple[Change, ...] = ()
    confidences: tuple[float, ...] = ()


def read_evidence(file: SegmentationFile, id: str) -> Evidence | None:
    """The evidence in a record as `cijie recover` writes it; None if it has no target.

    Raises:
        CijieError: a target that is not a string, or words, links, changes or confidences that do
            not fit.
    """
    line, values = file.records[id]
    if values.get("target") is None or "source" not in values:
        return None
    with located(path=file.path, line=line, id=id):
        record = Record.from_dict(values, id)
    assert record.target is not None
    return Evidence(
        record.target,
        record.target_segmentation,
        record.alignment or Alignment(len(record.source), len(record.target)),
        record.changes or (),
        record.confidences or (),
    )
