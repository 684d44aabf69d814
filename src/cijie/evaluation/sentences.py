"""Match the sentences of gold and systems, whatever form they are in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from cijie.alignment.links import Alignment
from cijie.errors import CijieError, SegmentationError
from cijie.text.characters import text_difference
from cijie.text.segmentation import Segmentation


class HasSegmentation(Protocol):
    """An object with a segmentation, such as a `Recovery`."""

    @property
    def segmentation(self) -> Segmentation: ...


Segmented = Segmentation | HasSegmentation | Sequence[str]
"""A sentence with its words: a segmentation, a recovery, a list of words, or one string of words
separated by white space."""

Sentences = Mapping[str, Segmented] | Iterable[Segmented]
"""Sentences by id, or in order (their ids are then their numbers, from 1)."""


def by_id(sentences: Sentences) -> Mapping[str, Segmented]:
    """Return sentences by id.

    Raises:
        TypeError: `sentences` is a single string or not iterable.
    """
    if isinstance(sentences, Mapping):
        return sentences
    if isinstance(sentences, str):
        raise TypeError(f"expected a list of sentences, got a string: {sentences!r}")
    if not isinstance(sentences, Iterable):
        raise TypeError(f"expected a list of sentences, or sentences by id, got {sentences!r}")
    return {str(number): sentence for number, sentence in enumerate(sentences, start=1)}


def common_ids(
    gold: Mapping[str, Segmented],
    systems: Mapping[str, Mapping[str, Segmented]],
    *,
    intersection: bool = False,
    owner: str = "gold",
) -> list[str]:
    """Return the ids of the sentences to score, in the order of gold.

    Args:
        gold: the gold segmentations by id.
        systems: the segmentations by id, by name of the system.
        intersection: take only the sentences that gold and all systems share. By default, a gold
            sentence missing from a system is an error.
        owner: the name of gold in error messages.

    Raises:
        CijieError: a system lacks a gold sentence.

    >>> common_ids({"1": "好", "2": "的"}, {"D": {"2": "的", "3": "了"}}, intersection=True)
    ['2']
    """
    for name, system in systems.items():
        missing = next((id for id in gold if id not in system), None)
        if missing is not None and not intersection:
            message = f"{owner} has this sentence, but {name} does not; --intersection skips it"
            raise CijieError(message, id=missing)
    return [id for id in gold if all(id in system for system in systems.values())]


def alignments(system: Mapping[str, Segmented], ids: Iterable[str]) -> Iterator[Alignment]:
    """Yield the alignments of the sentences whose links are known.

    Raises:
        CijieError: links in a file do not form an alignment of source and target.
    """
    if hasattr(system, "alignments"):  # a file of records
        yield from system.alignments(ids)
    else:
        found = (getattr(system[id], "alignment", None) for id in ids)
        yield from (each for each in found if each is not None)


def of_one_text(
    id: str, names: Sequence[str], sentences: Sequence[Segmented]
) -> list[Segmentation]:
    """Return the segmentations of one sentence, after checking that they have the same text.

    Args:
        id: the id of the sentence.
        names: the name of each segmentation.
        sentences: segmentations, recoveries, lists of words, or words joined by white space.

    Raises:
        SegmentationError: the texts differ, with id, offset and both characters.
        TypeError: a value is not a sentence.

    >>> gold, system = of_one_text("1", ["gold", "D"], ["旅行团", "旅行 团"])
    >>> gold.text, system.boundaries
    ('旅行团', (2, 3))
    """
    sides = [_segmentation_or_words(*each, id) for each in zip(sentences, names, strict=True)]
    texts = [side.text if isinstance(side, Segmentation) else "".join(side) for side in sides]
    # A list of words lacks the white space between them, so a segmentation's text takes precedence.
    first = next((k for k, side in enumerate(sides) if isinstance(side, Segmentation)), 0)
    found = []
    for name, side, text in zip(names, sides, texts, strict=True):
        if isinstance(side, Segmentation):
            if text != texts[first]:
                owners = {names[first]: texts[first], name: text}
                raise SegmentationError(text_difference(owners), id=id)
            found.append(side)
            continue
        try:
            found.append(Segmentation.from_tokens(texts[first], side))
        except SegmentationError as error:
            raise SegmentationError(f"{name}: {error.message}", id=id) from error
    return found


def _segmentation_or_words(sentence: Segmented, name: str, id: str) -> Segmentation | Sequence[str]:
    if isinstance(sentence, Segmentation):
        return sentence
    if isinstance(sentence, str):
        return sentence.split()
    if isinstance(sentence, Sequence):
        return sentence
    if not hasattr(sentence, "segmentation"):
        expected = "expected words, a segmentation or a recovery"
        raise TypeError(f"{name}: sentence {id}: {expected}, got {sentence!r}")
    return sentence.segmentation
