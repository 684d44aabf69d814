"""Sentences in words as blocks of M2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cijie.edits.blocks import M2Block, annotate
from cijie.edits.cutting import (
    Corrections,
    CutSentence,
    cut_characters,
    cut_words,
    words_signature,
)
from cijie.edits.types import EditTyper
from cijie.errors import located
from cijie.recovery.recoverer import Recoverer
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class SentenceBlocks:
    """The blocks of one source: that of all its references, and one of each system's output.

    All of them have the same `S` line.
    """

    id: str
    references: M2Block
    outputs: tuple[M2Block, ...] = ()


def annotated(
    sentences: Iterable[Corrections],
    typer: EditTyper,
    recoverer: Recoverer | None,
    *,
    given: bool = False,
) -> tuple[Iterator[SentenceBlocks], str]:
    """The blocks of sentences, lazily, and a signature of what they depend on beside the version.

    Args:
        sentences: the sentences.
        typer: gives edits their types.
        recoverer: cuts the texts into words, as in `cut_words`; None for characters.
        given: whether the words that come with the sources are final.

    Raises:
        CijieError: as `cut_words` and `annotate_sentences`.
    """
    if recoverer is None:
        cut, basis = cut_characters(sentences), "characters"
    else:
        cut = cut_words(sentences, recoverer, given=given)
        basis = words_signature(recoverer, given=given)
    return annotate_sentences(cut, typer), f"{basis}|{typer.signature}"


def annotate_sentences(
    sentences: Iterable[CutSentence], typer: EditTyper
) -> Iterator[SentenceBlocks]:
    """The blocks of sentences, in ChERRANT's dialect, lazily and in order.

    White space is in no word, and so in no block.

    Raises:
        CijieError: texts with too many words, with the id.

    >>> from cijie.edits.cutting import cut_characters
    >>> from cijie.recovery.sentence import Sentence
    >>> cut = cut_characters([(Sentence("1", "去 学较", ("去学校",)), ())])
    >>> [blocks] = annotate_sentences(cut, EditTyper("char"))
    >>> print(blocks.references, end="")
    S 去 学 较
    T0-A0 去 学 校
    A 2 3|||S:SPELL:SHAPE-SOUND|||校|||REQUIRED|||-NONE-|||0
    """
    for sentence in sentences:
        source = _words(sentence.source)
        with located(id=sentence.id):
            references, *outputs = (
                annotate(source, [_words(target) for target in targets], typer)
                for targets in (sentence.references, *([output] for output in sentence.outputs))
            )
        yield SentenceBlocks(sentence.id, references, tuple(outputs))


def _words(segmentation: Segmentation) -> Sequence[str]:
    # A word with white space in it, which only who gives words can make, becomes several.
    return str(segmentation).split()
