"""Gold segmentations as stand-off annotation, and joined to the texts that they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from cijie.corpora.records import Record
from cijie.corpora.segmentations import SegmentationFile, read_segmentations, source_checksum
from cijie.errors import FormatError
from cijie.files.lines import StrPath
from cijie.recovery.pair import Corrected, Pair, nearest
from cijie.text.segmentation import Segmentation

_GOLD_KEYS = ("id", "source_sha256", "reference", "target_sha256", "spans")


def gold_record(pair: Pair, segmentation: Segmentation) -> dict[str, Any]:
    """A gold segmentation in the stand-off form, which holds no text.

    >>> gold_record(Pair("1", "旅行困", "旅行团"), Segmentation("旅行困", (3,)))["spans"]
    [(0, 3)]
    """
    return {
        "id": pair.id,
        "source_sha256": source_checksum(pair.source),
        "reference": pair.reference,
        "target_sha256": source_checksum(pair.target),
        "spans": segmentation.spans,
    }


def read_standoff(path: StrPath) -> SegmentationFile:
    """Read stand-off records, of gold or of annotations.

    Raises:
        FormatError: as `read_segmentations`, or a file of lines without ids.
    """
    file = read_segmentations(path)
    if file.numbered:
        raise FormatError("not JSON lines: sentences are known by their ids", path=path)
    return file


def read_gold_records(path: StrPath) -> dict[str, dict[str, Any]]:
    """Read stand-off gold by sentence, as it is: without a text to check it by.

    Raises:
        FormatError: a record that is not complete, a repeated id, bytes that are not UTF-8.
    """
    gold = {}
    for id, (line, record) in read_standoff(path).records.items():
        values = dict(record)
        if "tokens" in record:  # what version 0.1 called spans
            values.setdefault("spans", record["tokens"])
        missing = [key for key in _GOLD_KEYS if key not in values]
        if missing:
            raise FormatError(f"no {', '.join(missing)}", path=path, line=line, id=id)
        gold[id] = {key: values[key] for key in _GOLD_KEYS}
    return gold


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """A sentence with its target and its gold words."""

    id: str
    target: str
    reference: int
    gold: Segmentation

    def as_pair_record(self) -> dict[str, Any]:
        """The pair, as `cijie recover` reads it."""
        return {
            "id": self.id,
            "source": self.gold.text,
            "target": self.target,
            "reference": self.reference,
        }

    def as_gold_record(self) -> dict[str, Any]:
        """The gold words with their text, as `cijie evaluate` reads them."""
        return Record(self.id, self.gold.text, self.gold).as_dict()


def builtin_gold() -> Path:
    """The gold that cijie ships for part of MuCGEC's development set, as stand-off annotation."""
    return Path(str(resources.files(__package__) / "data" / "learner-dev.jsonl"))


def join_gold(sentences: Mapping[str, Corrected], gold: StrPath) -> list[GoldSentence]:
    """Join stand-off gold to the sentences it is about, in the order of `sentences`.

    A record names the correction that it was made with by `reference` (else it is the nearest).

    Args:
        sentences: sentences with their corrections, by id.
        gold: a file of records with `id`, `spans` and, as far as they are there, `source_sha256`,
            `reference` and `target_sha256`.

    Raises:
        FormatError: a sentence or a correction that there is not, or a text that does not match
            its checksum, with its id.
        SegmentationError: words that are not those of the text.
    """
    file = read_standoff(gold)
    joined = {}
    for id, (line, record) in file.records.items():
        sentence = sentences.get(id)
        if sentence is None:
            message = "the corpus has no such sentence with a correction"
            raise FormatError(message, path=gold, line=line, id=id)
        reference = record.get("reference")
        if reference is None:
            reference = nearest(sentence.source, sentence.targets) + 1
        if reference not in range(1, len(sentence.targets) + 1):
            message = f"there is no reference {reference!r}: {len(sentence.targets)} in the corpus"
            raise FormatError(message, path=gold, line=line, id=id)
        words, target = file.of_text(id, sentence.source), sentence.targets[reference - 1]
        check_target(target, record, gold, line)
        joined[id] = GoldSentence(id, target, reference, words)
    return [joined[id] for id in sentences if id in joined]


def check_target(target: str, record: Mapping[str, Any], path: StrPath, line: int) -> None:
    """Check a target against the `target_sha256` of a stand-off record, if it has one.

    Raises:
        FormatError: it is of another text.
    """
    checksum = record.get("target_sha256")
    if checksum not in (None, source_checksum(target)):
        raise FormatError(
            f"the correction does not match the checksum {checksum}: {target!r}",
            path=path,
            line=line,
            id=record.get("id"),
        )
