"""Put the versions of several systems side by side, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cijie.corpora.segmentations import SegmentationFile
from cijie.errors import located
from cijie.evaluation.sentences import Segmented, of_one_text
from cijie.recovery.records import sentence_of
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

System = Mapping[str, Segmented]
"""The sentences of one system by id: a file of results, or recoveries."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """One sentence with the versions of all systems.

    Attributes:
        id: its identifier.
        source: the text.
        systems: each system's version: its words, and its target, links and changes if known.
        gold: the gold words, if known.
        targets: corrections, in addition to the targets of the systems.
    """

    id: str
    source: str
    systems: Sequence[Sentence]
    gold: Segmentation | None = None
    targets: Sequence[str] = ()

    @property
    def words(self) -> list[Segmentation]:
        """The words of each system."""
        return [each.known_words() for each in self.systems]


def side_by_side(
    ids: Iterable[str],
    systems: Mapping[str, System],
    *,
    gold: System | None = None,
    targets: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[SideBySide]:
    """Yield the given sentences with the versions of all systems; gold may lack some.

    Args:
        ids: the ids of the sentences.
        systems: the systems, by name.
        gold: the gold words, by id.
        targets: corrections, by id.

    Raises:
        CijieError: texts differ, or a record is malformed.
    """
    for id in ids:
        found = [known_of(system, id) for system in systems.values()]
        given = [each.known_words() if isinstance(each, Sentence) else each for each in found]
        right = [gold[id]] if gold and id in gold else []
        names = [*["gold"] * len(right), *systems]
        words = of_one_text(id, names, [*right, *given])
        reference = words.pop(0) if right else None
        shown = [
            each if isinstance(each, Sentence) else Sentence(id, cut.text, segmentation=cut)
            for each, cut in zip(found, words, strict=True)
        ]
        yield SideBySide(id, shown[0].source, shown, reference, (targets or {}).get(id, ()))


def known_of(system: System, id: str) -> Sentence | Segmented:
    """Return everything that a system knows of a sentence: a `Sentence` if it has text and target.

    Raises:
        CijieError: a target that is not a string, or words, links, changes or confidences that do
            not match the texts.
    """
    if not isinstance(system, SegmentationFile):
        return system[id]
    line, values = system.record(id)
    if values.get("target") is None or "source" not in values:
        return system[id]
    with located(path=system.path, line=line, id=id):
        return sentence_of(values, id)


def before(system: System) -> System | None:
    """Return the initial segmentations of a system, or None if one of them is not known.

    Raises:
        CijieError: as `known_of`.
    """
    words: dict[str, Segmentation] = {}
    for id in system:
        known = known_of(system, id)
        if not isinstance(known, Sentence) or known.initial is None:
            return None
        words[id] = known.initial
    return words
