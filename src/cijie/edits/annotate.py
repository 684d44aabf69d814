"""Segment sources, references and system outputs the same way, and annotate them as M2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from cijie.batching import batched
from cijie.edits.blocks import M2Block, annotate
from cijie.edits.types import EditTyper, Level, Tagger
from cijie.errors import UsageError, located
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence, nearest
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation

Corrections = tuple[Sentence, Sequence[str]]
"""A source with its references, and the output of each system."""

Cut = tuple[Sentence, Sequence[Segmentation]]
"""A sentence, and its texts segmented: source, references, the outputs of systems."""


@dataclass(frozen=True, slots=True)
class SentenceBlocks:
    """The blocks of one source: one for all its references, and one per system output.

    All of them have the same `S` line.
    """

    id: str
    references: M2Block
    outputs: tuple[M2Block, ...] = ()


def edit_blocks(
    sentences: Iterable[Corrections],
    *,
    level: Level = "word",
    tagger: Tagger | str | None = None,
    given: bool = False,
    **options: Any,
) -> tuple[Iterator[SentenceBlocks], str]:
    """Return the edits of sentences, lazily, and a signature of their settings.

    Args:
        sentences: the sentences.
        level: the unit of edits, `word` or `char`.
        tagger: adds parts of speech to the types of edits; see `cijie.edits.types.EditTyper`.
        given: whether the words given with the sources are final.
        options: options of `Recoverer`, for edits of words.

    Raises:
        UsageError: edits of characters are combined with words, a tagger or other options.
        CijieError: see `cut_words` and `annotate_sentences`.
    """
    typer = EditTyper(level, tagger)
    if level == "char":
        if given or options:
            raise UsageError("edits of characters take neither a segmenter nor words")
        return annotate_sentences(cut_characters(sentences), typer), f"characters|{typer.signature}"
    recoverer = Recoverer(**options)
    if given:
        recoverer = recoverer.with_method("direct")
    origin = "given" if given else "nearest-reference"
    words = recoverer.signature.partition("|")[2]
    basis = f"source-words:{origin}|{words}|{typer.signature}"
    return annotate_sentences(cut_words(sentences, recoverer), typer), basis


def annotate_sentences(sentences: Iterable[Cut], typer: EditTyper) -> Iterator[SentenceBlocks]:
    """Yield the blocks of sentences in ChERRANT's dialect, lazily and in order.

    White space belongs to no word, and therefore to no block.

    Raises:
        CijieError: texts have too many words; raised with the id.

    >>> cut = cut_characters([(Sentence("1", "去 学较", ("去学校",)), ())])
    >>> [blocks] = annotate_sentences(cut, EditTyper("char"))
    >>> print(blocks.references, end="")
    S 去 学 较
    T0-A0 去 学 校
    A 2 3|||S:SPELL:SHAPE-SOUND|||校|||REQUIRED|||-NONE-|||0
    """
    for sentence, cut in sentences:
        # A word with white space in it, possible only in words given by users, becomes several.
        source, *texts = (str(words).split() for words in cut)
        count = len(sentence.targets)
        with located(id=sentence.id):
            references, *outputs = (
                annotate(source, targets, typer)
                for targets in (texts[:count], *([text] for text in texts[count:]))
            )
        yield SentenceBlocks(sentence.id, references, tuple(outputs))


def cut_words(sentences: Iterable[Corrections], recoverer: Recoverer) -> Iterator[Cut]:
    """Segment sentences into words, lazily and in order.

    The words of the source are recovered from its reference with the smallest Levenshtein
    distance (the first on a tie); without a reference, they are the segmenter's. System outputs
    have no influence on them. Every other text follows the source: unchanged characters have the
    source's words, changed ones their own. The segmentation of a text therefore depends only on
    the source's words and on the text itself.

    Args:
        sentences: the sentences; words given with a source are its initial ones.
        recoverer: recovers the words of the sources, and segments the other texts.

    Raises:
        CijieError: a sentence cannot be segmented; raised with its id.

    >>> recoverer = Recoverer(lambda text: [text[:2], text[2:]], "p1")
    >>> sentence = Sentence("1", "其他人去", ("其他人去了",))
    >>> [(_, cut)] = cut_words([(sentence, ["其他人都去"])], recoverer)
    >>> print(*cut, sep="; ")
    其他 人去; 其他 人去了; 其他 人都去
    """
    # Recovery with exchanged roles: the source's words are projected onto each text.
    backwards = recoverer.with_method("p1")
    for batch in batched(sentences):
        known = [
            (each.segmentation, each.target_segmentation)
            for each in recoverer.recover_all(_nearest(each) for each, _ in batch)
        ]
        cuts = backwards.recover_all(
            Sentence(
                sentence.id,
                text,
                (sentence.source,),
                initial=target if target is not None and target.text == text else None,
                target_segmentations=(words,),
            )
            for (sentence, texts), (words, target) in zip(batch, known, strict=True)
            for text in (*sentence.targets, *texts)
        )
        for (sentence, texts), (words, _) in zip(batch, known, strict=True):
            yield sentence, [words, *(next(cuts).segmentation for _ in (*sentence.targets, *texts))]


def _nearest(sentence: Sentence) -> Sentence:
    """Return the source with its nearest reference, or with itself."""
    if sentence.targets:
        return sentence.of_pair(nearest(sentence.source, sentence.targets) + 1)
    return Sentence(sentence.id, sentence.source, (sentence.source,), initial=sentence.given)


def cut_characters(sentences: Iterable[Corrections]) -> Iterator[Cut]:
    """Split sentences into characters, lazily and in order.

    >>> [(_, cut)] = cut_characters([(Sentence("1", "去 学较", ("去学校",)), ())])
    >>> print(*cut, sep="; ")
    去 学 较; 去 学 校
    """
    for sentence, texts in sentences:
        yield sentence, list(map(_by_character, (sentence.source, *sentence.targets, *texts)))


def _by_character(text: str) -> Segmentation:
    split = characters(text)
    return Segmentation(text, tuple(split.visible(split.ends)))
