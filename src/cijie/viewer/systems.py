"""What is looked at: the words that systems give to the same sentences, and what these rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from cijie.corpora.segmentations import SegmentationFile
from cijie.errors import located
from cijie.evaluation.sentences import of_one_text
from cijie.recovery import sentence as model
from cijie.recovery.records import sentence_of
from cijie.recovery.recovery import Recovery
from cijie.text.segmentation import Segmentation

Words = Mapping[str, Segmentation | list[str]]
"""Sentences by id: with their words as a segmentation, or as strings where no text is known."""


@dataclass(frozen=True, slots=True)
class System:
    """One system.

    Attributes:
        words: the sentences.
        record: from an id to what else is known of the sentence: target, links, changes,
            confidences; None if nothing is.
    """

    words: Words
    record: Callable[[str], model.Sentence | None]

    @classmethod
    def of_file(cls, file: SegmentationFile) -> System:
        """The system whose results are in a file."""
        return cls(file, partial(_read_record, file))

    @classmethod
    def of_recoveries(cls, recoveries: Mapping[str, Recovery]) -> System:
        """The system whose results are at hand, by id."""
        return cls({id: each.segmentation for id, each in recoveries.items()}, recoveries.get)

    def before(self) -> System | None:
        """What the system started from: the initial words; None if they are not known.

        Raises:
            CijieError: as `record`.
        """
        words: dict[str, Segmentation | list[str]] = {}
        for id in self.words:
            record = self.record(id)
            if record is None or record.initial is None:
                return None
            words[id] = record.initial
        return System(words, lambda _: None)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence by all systems.

    All segmentations are of the same text; `systems` and `records` are in the same order.

    Attributes:
        id: its identifier.
        systems: each system's words.
        records: what each system's words rest on, as far as it is known.
        gold: the words that are right, if somebody said so.
        targets: corrections, besides those of the systems.
    """

    id: str
    systems: Sequence[Segmentation]
    records: Sequence[model.Sentence | None]
    gold: Segmentation | None = None
    targets: Sequence[str] = ()

    @property
    def source(self) -> str:
        """The text."""
        return self.systems[0].text


def read_sentences(
    ids: Iterable[str],
    systems: Mapping[str, System],
    *,
    gold: Words | None = None,
    targets: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[Sentence]:
    """Those sentences by all systems, which are called by their names.

    Raises:
        CijieError: texts that differ, or a record that is not as it should be.
    """
    names = [*(["gold"] if gold else []), *systems]
    for id in ids:
        sides = [*([gold[id]] if gold else []), *(system.words[id] for system in systems.values())]
        words = of_one_text(id, names, sides)
        records = [system.record(id) for system in systems.values()]
        others = (targets or {}).get(id, ())
        if gold:
            yield Sentence(id, words[1:], records, words[0], others)
        else:
            yield Sentence(id, words, records, None, others)


def _read_record(file: SegmentationFile, id: str) -> model.Sentence | None:
    """A sentence as `cijie recover` writes it; None if it has no target.

    Raises:
        CijieError: a target that is not a string, or words, links, changes or confidences that do
            not fit.
    """
    line, values = file.records[id]
    if values.get("target") is None or "source" not in values:
        return None
    with located(path=file.path, line=line, id=id):
        return sentence_of(values, id)
