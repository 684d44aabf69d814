"""Sentences of a file to look at: pairs, or what recovery made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cijie.alignment.anchors import anchors
from cijie.corpora.formats import format_to_read
from cijie.corpora.mucgec import read_sentences
from cijie.corpora.records import Record
from cijie.errors import CijieError, FormatError
from cijie.files.lines import StrPath
from cijie.recovery.pair import Pair
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.recovery import Recovery


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence to look at.

    Attributes:
        record: what is known of it.
        targets: its corrections, one or several.
    """

    record: Record
    targets: Sequence[str]

    @property
    def recovery(self) -> Recovery | None:
        """What was recovered, if the record says so; its links, if it has none, are anchors."""
        record = self.record
        words = record.target_segmentation
        if words is None or record.segmentation is None or record.changes is None:
            return None
        return Recovery(
            record.initial or record.segmentation,
            words,
            record.alignment or anchors(record.source, words.text),
            record.segmentation,
            record.changes,
            record.confidences or (),
            record.doubts or (),
        )

    def recover(self, recoverers: Mapping[str, Recoverer]) -> list[dict[str, Recovery]]:
        """The source recovered from each target by each method; words in the record are kept.

        Raises:
            CijieError: texts that cannot be recovered.
        """
        record = self.record
        words = record.initial or record.segmentation
        theirs = record.target_segmentation if len(self.targets) == 1 else None
        pairs = [Pair(record.id, record.source, each, words, theirs) for each in self.targets]
        found = [recoverer.recover_all(pairs) for recoverer in recoverers.values()]
        return [dict(zip(recoverers, each, strict=True)) for each in zip(*found, strict=True)]


def read_shown(path: StrPath, ids: Collection[str] = ()) -> Iterator[Shown]:
    """Sentences of a file in any format that cijie reads: those with the ids, or all.

    Raises:
        CijieError: a file that cannot be read, or has no such id, or a sentence without target.
    """
    wanted = set(ids)
    for shown in _all(path):
        if ids and shown.record.id not in wanted:
            continue
        if not shown.targets:
            raise FormatError("has no target", path=path, id=shown.record.id)
        yield shown
        wanted.discard(shown.record.id)
        if ids and not wanted:
            return
    if wanted:
        raise CijieError(f"there is no such sentence: {min(wanted)!r}", path=path)


def _all(path: StrPath) -> Iterator[Shown]:
    format = format_to_read(path)
    if format.name == "mucgec":
        for sentence in read_sentences(path):
            yield Shown(Record(sentence.id, sentence.source), sentence.targets)
        return
    for record in format.read(path):
        yield Shown(record, () if record.target is None else (record.target,))
