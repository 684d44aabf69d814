"""Join stand-off gold, cijie's own or any other, to its texts."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from cijie.corpora.jsonl import read_objects
from cijie.errors import FormatError, located
from cijie.files.names import StrPath
from cijie.gold.annotation import Annotation, check_text
from cijie.recovery.sentence import Sentence, nearest


def builtin_gold() -> Path:
    """Return the path of cijie's own gold: stand-off, for part of MuCGEC's development set."""
    return Path(str(resources.files(__package__) / "data" / "learner-dev.jsonl"))


def join_gold(sentences: Mapping[str, Sentence], gold: StrPath) -> list[Sentence]:
    """Join stand-off gold to its sentences, in the order of `sentences`.

    `reference` in a record names the correction that the gold is based on; the default is the
    correction nearest to the source.

    Args:
        sentences: sentences with their corrections, by id.
        gold: a file of records with `id`, `spans` and, optionally, `source_sha256`, `reference`
            and `target_sha256`.

    Returns:
        The sentences with gold, each with its correction and the gold words.

    Raises:
        FormatError: an unknown sentence or correction, or a text that does not match its
            checksum, with its id.
        SegmentationError: the words do not match the text.
    """
    joined = {}
    for line, id, record in read_objects(gold):
        with located(path=gold, line=line, id=id):
            if id not in sentences:
                raise FormatError("the corpus has no correction of this sentence")
            sentence = sentences[id]
            found = Annotation.of(record, sentence.source)
            number = found.reference
            if number is None:
                number = nearest(sentence.source, sentence.targets) + 1
            if number not in range(1, len(sentence.targets) + 1):
                there = len(sentence.targets)
                raise FormatError(f"no reference {number!r}: the corpus has {there}")
            target = sentence.targets[number - 1]
            check_text("target", target, found.target_sha256)
        words = found.segmentation
        joined[id] = Sentence(id, sentence.source, (target,), reference=number, segmentation=words)
    return [joined[id] for id in sentences if id in joined]
