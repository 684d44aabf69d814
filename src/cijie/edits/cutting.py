"""One source, its references, and what systems make of it, all cut into words alike."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence, nearest
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

Corrections = tuple[Sentence, Sequence[str]]
"""A source with its references, and what systems make of it, one text each."""


@dataclass(frozen=True, slots=True)
class CutSentence:
    """A source with its references and the outputs of systems, in words."""

    id: str
    source: Segmentation
    references: tuple[Segmentation, ...]
    outputs: tuple[Segmentation, ...] = ()


def cut_words(
    sentences: Iterable[Corrections], recoverer: Recoverer, *, given: bool = False
) -> Iterator[CutSentence]:
    """Cut sentences into words, lazily and in order.

    The source has the words that are recovered from its nearest reference, by Levenshtein distance,
    and the first of equals; without a reference those that it has by itself. What systems make of
    it has no say in that. Every other text is cut after the source: where its characters are the
    source's, unchanged, it has the source's words; where they are changed, its own. The cut of a
    text so depends on the source's words and on that text alone.

    Args:
        sentences: the sentences; words that come with a source are its initial ones.
        recoverer: segments, and recovers the words of the sources.
        given: whether the words that come with the sources are final, and nothing is recovered.

    Raises:
        CijieError: a sentence that cannot be segmented, with its id.

    >>> recoverer = Recoverer(lambda text: [text[:2], text[2:]], "p1")
    >>> sentence = Sentence("1", "其他人去", ("其他人去了",))
    >>> [cut] = cut_words([(sentence, ["其他人都去"])], recoverer)
    >>> print(cut.source, *cut.references, *cut.outputs, sep="; ")
    其他 人去; 其他 人去了; 其他 人都去
    """
    pending: deque[tuple[Corrections, Segmentation, int]] = deque()

    def pairs() -> Iterator[Sentence]:
        # The engine with the roles exchanged: the text is projected on, from the source.
        for sentence, source, known in _sources(sentences, recoverer, given=given):
            corrected, outputs = sentence
            texts = [*corrected.targets, *outputs]
            pending.append((sentence, source, len(texts)))
            for text in texts or [corrected.source]:
                words = known if known is not None and known.text == text else None
                yield Sentence(
                    corrected.id,
                    text,
                    (corrected.source,),
                    initial=words,
                    target_segmentations=(source,),
                )

    cuts = recoverer.with_method("p1").recover_all(pairs())
    for first in cuts:
        (corrected, _), source, count = pending.popleft()
        texts = tuple(cut.segmentation for cut in (first, *islice(cuts, max(count - 1, 0))))[:count]
        references = len(corrected.targets)
        yield CutSentence(corrected.id, source, texts[:references], texts[references:])


def cut_characters(sentences: Iterable[Corrections]) -> Iterator[CutSentence]:
    """Cut sentences into characters, lazily and in order.

    >>> [cut] = cut_characters([(Sentence("1", "去 学较", ("去学校",)), ())])
    >>> print(cut.source, *cut.references, sep="; ")
    去 学 较; 去 学 校
    """
    for corrected, outputs in sentences:
        yield CutSentence(
            corrected.id,
            _by_character(corrected.source),
            tuple(map(_by_character, corrected.targets)),
            tuple(map(_by_character, outputs)),
        )


def _sources(
    sentences: Iterable[Corrections], recoverer: Recoverer, *, given: bool
) -> Iterator[tuple[Corrections, Segmentation, Segmentation | None]]:
    """Each sentence with the words of its source, and those of a text that happen to be known."""
    pending: deque[Corrections] = deque()

    def pairs() -> Iterator[Sentence]:
        for sentence in sentences:
            corrected = sentence[0]
            pending.append(sentence)
            source, targets = corrected.source, corrected.targets
            number = nearest(source, targets) if targets else 0
            words = corrected.target_segmentations[number : number + 1]
            yield Sentence(
                corrected.id,
                source,
                targets[number : number + 1] or (source,),
                initial=corrected.given,
                target_segmentations=words,
            )

    if given:
        for sentence in sentences:
            assert sentence[0].given is not None
            yield sentence, sentence[0].given, sentence[0].target_segmentation
        return
    for recovery in recoverer.recover_all(pairs()):
        yield pending.popleft(), recovery.segmentation, recovery.target_segmentation


def _by_character(text: str) -> Segmentation:
    split = characters(text)
    ends = (end for end, blank in zip(split.ends, split.blank, strict=True) if not blank)
    return Segmentation(text, tuple(ends))


def words_signature(recoverer: Recoverer, *, given: bool = False) -> str:
    """What the words of `cut_words` depend on, without the version."""
    words = recoverer.with_method("direct") if given else recoverer
    basis = words.signature.partition("|")[2]
    return f"source-words:{'given' if given else 'nearest-reference'}|{basis}"
