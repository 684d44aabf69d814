"""Sentences to show: read, recovered by several methods, and put side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cijie.corpora.reading import ReadOptions, read, sentences_of
from cijie.corpora.segmentations import SegmentationFile
from cijie.errors import CijieError, FormatError, located
from cijie.evaluation.sentences import Segmented, of_one_text
from cijie.files.opening import StrPath
from cijie.recovery.records import sentence_of
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery, Sentence
from cijie.text.segmentation import Segmentation

System = Mapping[str, Segmented]
"""The sentences of one system by id: a file of results, or recoveries."""


def recovered_by(
    sentence: Sentence, recoverers: Mapping[str, Recoverer]
) -> list[dict[str, Recovery]]:
    """Recover the source from each target with each method; keep words that the sentence has.

    Raises:
        CijieError: a text cannot be recovered.
    """
    pairs = [sentence.of_pair(number + 1) for number, _ in enumerate(sentence.targets)]
    found = [recoverer.recover_all(pairs) for recoverer in recoverers.values()]
    return [dict(zip(recoverers, each, strict=True)) for each in zip(*found, strict=True)]


def read_shown(
    path: StrPath, ids: Collection[str] = (), *, options: ReadOptions | None = None
) -> Iterator[Sentence]:
    """Read the sentences with the given ids, or all sentences with targets, in any known format.

    Args:
        path: the file.
        ids: the ids of sentences; they may be sentences without errors.
        options: reading options; unset ones are inferred from name and content.

    Raises:
        CijieError: the file cannot be read, or an id is unknown or has no target.
    """
    sentences = read(path, "sentences", replace(options or ReadOptions(), ids="any"))
    left = set(ids)
    for sentence in sentences_of(sentences):
        if sentence.id in left:
            if not sentence.targets:
                raise FormatError("has no target", path=path, id=sentence.id)
            yield sentence
            left.discard(sentence.id)
        elif not ids and sentence.status is None and sentence.targets:
            yield sentence
    if left:
        raise CijieError(f"no sentence has the id {min(left)!r}", path=path)


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
