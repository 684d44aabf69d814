"""Sentences of a file to look at: pairs, or what recovery made of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cijie.alignment.anchors import anchors
from cijie.corpora.reading import SKIPPED, read_records
from cijie.corpora.records import Record
from cijie.corpora.telling import Told
from cijie.errors import CijieError, FormatError
from cijie.files.lines import StrPath
from cijie.recovery.pair import Pair
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.recovery import Recovery

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
        """What was recovered, if the record says so."""
        return None if self.record.changes is None else recovery_of(self.record)

    @property
    def pairs(self) -> list[Pair]:
        """The source with each target, and with the words that the record gives them."""
        record = self.record
        theirs = record.target_segmentation if len(self.targets) == 1 else None
        return [Pair(record.id, record.source, each, record.given, theirs) for each in self.targets]

    def recover(self, recoverers: Mapping[str, Recoverer]) -> list[dict[str, Recovery]]:
        """The source recovered from each target by each method; words in the record are kept.

        Raises:
            CijieError: texts that cannot be recovered.
        """
        found = [recoverer.recover_all(self.pairs) for recoverer in recoverers.values()]
        return [dict(zip(recoverers, each, strict=True)) for each in zip(*found, strict=True)]


def recovery_of(record: Record) -> Recovery | None:
    """The recovery that a record tells of; None without target, or words of both sides.

    Links that are not there are the anchors, words before recovery those of the record.
    """
    words, target = record.segmentation, record.target_segmentation
    if words is None or target is None:
        return None
    return Recovery(
        record.initial or words,
        target,
        record.alignment or anchors(record.source, target.text),
        words,
        record.changes or (),
        record.confidences or (),
        record.doubts or (),
    )


def read_shown(
    path: StrPath,
    ids: Collection[str] = (),
    *,
    skipped: Counter[str] | None = None,
    **told: Unpack[Told],
) -> Iterator[Shown]:
    """Sentences of a file in any format that cijie reads: those with the ids, or all with targets.

    Args:
        path: the file.
        ids: the sentences that are wanted, those without error included.
        skipped: counts what was left out, by reason.
        told: what is said about the file, as in `Told`.

    Raises:
        CijieError: a file that cannot be read, no such id, or no target for it.
        UsageError: no such format or encoding, or no columns to name in it.
    """
    skipped = Counter() if skipped is None else skipped
    records = read_records(path, skipped=skipped, **told)
    if not ids:
        yield from _with_targets(records, skipped)
        return
    wanted = set(ids)
    for record in records:
        if record.id in wanted:
            if not record.targets:
                raise FormatError("has no target", path=path, id=record.id)
            yield Shown(record, record.targets)
            wanted.discard(record.id)
    if wanted:
        raise CijieError(f"there is no such sentence: {min(wanted)!r}", path=path)


def has_pairs(path: StrPath, **told: Unpack[Told]) -> bool:
    """Whether a file has pairs that are still to be recovered: targets, and no words of sources.

    A file that cannot be read is no such file.
    """
    if os.fspath(path) == "-":
        return False
    try:
        first = next(read_records(path, **told), None)
    except CijieError:
        return False
    return first is not None and bool(first.targets) and first.segmentation is None


def _with_targets(records: Iterable[Record], skipped: Counter[str]) -> Iterator[Shown]:
    for record in records:
        if record.status is not None:
            skipped[SKIPPED[record.status]] += 1
        elif record.targets:
            yield Shown(record, record.targets)
        else:
            skipped["sentences without a target"] += 1
