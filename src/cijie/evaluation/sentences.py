"""Sentences of gold and systems, in whatever form they come, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from cijie.alignment.links import Alignment
from cijie.errors import CijieError, SegmentationError
from cijie.text.characters import text_difference
from cijie.text.segmentation import Segmentation


class HasSegmentation(Protocol):
    """Something with a segmentation, such as a `Recovery`."""

    @property
    def segmentation(self) -> Segmentation: ...


@runtime_checkable
class HasAlignments(Protocol):
    """Sentences by id that give their links, such as a file of records."""

    def alignments(self, ids: Iterable[str]) -> Iterator[Alignment]: ...


Segmented = Segmentation | HasSegmentation | Sequence[str]
"""A sentence with its words: a segmentation, a recovery, or words, as a list of strings or as one
string with white space between them."""

Sentences = Mapping[str, Segmented] | Iterable[Segmented]
"""Sentences by id, or one after another (their ids then are their numbers from 1)."""


def by_id(sentences: Sentences) -> Mapping[str, Segmented]:
    """Sentences by their ids.

    Raises:
        TypeError: a single string, or nothing that can be gone through.
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
    """The sentences that are to be scored, in the order of gold.

    Args:
        gold: the gold segmentations by id.
        systems: the systems' by id, by name.
        intersection: whether to take only the sentences that gold and all systems have; else a
            sentence of gold that a system lacks is an error.
        owner: what an error calls gold.

    Raises:
        CijieError: a system lacks a sentence of gold.

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
    """The links of those sentences whose links are known.

    Raises:
        CijieError: a file has links that are not those of an alignment of source and target.
    """
    if isinstance(system, HasAlignments):
        yield from system.alignments(ids)
        return
    for id in ids:
        found = getattr(system[id], "alignment", None)
        if found is not None:
            yield found


def of_one_text(
    id: str, names: Sequence[str], sentences: Sequence[Segmented]
) -> list[Segmentation]:
    """The segmentations of one sentence, each by its name, checked to be of the same text.

    Args:
        id: of the sentence.
        names: one for each segmentation.
        sentences: segmentations, recoveries, lists of words, or words joined by white space.

    Raises:
        SegmentationError: the texts differ, with id, offset and both characters.
        TypeError: something is not a sentence.

    >>> gold, system = of_one_text("1", ["gold", "D"], ["旅行团", "旅行 团"])
    >>> gold.text, system.boundaries
    ('旅行团', (2, 3))
    """
    sides = [_segmentation_or_words(*each, id) for each in zip(sentences, names, strict=True)]
    texts = [side.text if isinstance(side, Segmentation) else "".join(side) for side in sides]
    # Words alone do not show the white space between them, so a given text takes precedence.
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
