"""Sources, their references and what systems make of them: cut into words alike, then as M2."""

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
"""A source with its references, and what systems make of it, one text each."""

_BATCH = 256  # sentences whose words are held at once

Cut = tuple[Sentence, Sequence[Segmentation]]
"""The same in words, which all texts have then."""


@dataclass(frozen=True, slots=True)
class SentenceBlocks:
    """The blocks of one source: that of all its references, and one of each system's output.

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
    """The edits of sentences, lazily, and a signature of what they depend on beside the version.

    Args:
        sentences: the sentences.
        level: whether edits are of words or of characters.
        tagger: adds parts of speech to the types of edits; see `cijie.edits.types.EditTyper`.
        given: whether the words that come with the sources are final.
        options: those of `Recoverer`, where edits are of words.

    Raises:
        UsageError: characters with words, a tagger or options of a recoverer.
        CijieError: as `cut_words` and `annotate_sentences`.
    """
    typer = EditTyper(level, tagger)
    if level == "char":
        if given or options:
            raise UsageError("edits of characters take neither a segmenter nor words")
        return annotate_sentences(cut_characters(sentences), typer), f"characters|{typer.signature}"
    recoverer = Recoverer(**options)
    cut = cut_words(sentences, recoverer, given=given)
    words = (recoverer.with_method("direct") if given else recoverer).signature
    origin = "given" if given else "nearest-reference"
    basis = f"source-words:{origin}|{words.partition('|')[2]}|{typer.signature}"
    return annotate_sentences(cut, typer), basis


def annotate_sentences(sentences: Iterable[Cut], typer: EditTyper) -> Iterator[SentenceBlocks]:
    """The blocks of sentences, in ChERRANT's dialect, lazily and in order.

    White space is in no word, and so in no block.

    Raises:
        CijieError: texts with too many words, with the id.

    >>> cut = cut_characters([(Sentence("1", "去 学较", ("去学校",)), ())])
    >>> [blocks] = annotate_sentences(cut, EditTyper("char"))
    >>> print(blocks.references, end="")
    S 去 学 较
    T0-A0 去 学 校
    A 2 3|||S:SPELL:SHAPE-SOUND|||校|||REQUIRED|||-NONE-|||0
    """
    for sentence, texts in sentences:
        # A word with white space in it, which only who gives words can make, becomes several.
        source = str(sentence.cut()).split()
        with located(id=sentence.id):
            references, *outputs = (
                annotate(source, [str(target).split() for target in targets], typer)
                for targets in (sentence.target_segmentations, *([text] for text in texts))
            )
        yield SentenceBlocks(sentence.id, references, tuple(outputs))


def cut_words(
    sentences: Iterable[Corrections], recoverer: Recoverer, *, given: bool = False
) -> Iterator[Cut]:
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
    >>> [(cut, outputs)] = cut_words([(sentence, ["其他人都去"])], recoverer)
    >>> print(cut.segmentation, *cut.target_segmentations, *outputs, sep="; ")
    其他 人去; 其他 人去了; 其他 人都去
    """
    # The engine with the roles exchanged: each text is projected on, from the source.
    backwards = recoverer.with_method("p1")
    for batch in batched(sentences, _BATCH):
        if given:
            known = [(_given(each), each.target_segmentation) for each, _ in batch]
        else:
            recovered = recoverer.recover_all(_nearest(each) for each, _ in batch)
            known = [(each.segmentation, each.target_segmentation) for each in recovered]
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
            cut = [next(cuts).segmentation for _ in (*sentence.targets, *texts)]
            count = len(sentence.targets)
            yield _in_words(sentence, words, cut[:count]), cut[count:]


def _given(sentence: Sentence) -> Segmentation:
    assert sentence.given is not None
    return sentence.given


def _nearest(sentence: Sentence) -> Sentence:
    """The source with its nearest reference, or with itself."""
    if sentence.targets:
        return sentence.of_pair(nearest(sentence.source, sentence.targets) + 1)
    return Sentence(sentence.id, sentence.source, (sentence.source,), initial=sentence.given)


def cut_characters(sentences: Iterable[Corrections]) -> Iterator[Cut]:
    """Cut sentences into characters, lazily and in order.

    >>> [(cut, _)] = cut_characters([(Sentence("1", "去 学较", ("去学校",)), ())])
    >>> print(cut.segmentation, *cut.target_segmentations, sep="; ")
    去 学 较; 去 学 校
    """
    for sentence, texts in sentences:
        source, *others = map(_by_character, (sentence.source, *sentence.targets, *texts))
        count = len(sentence.targets)
        yield _in_words(sentence, source, others[:count]), others[count:]


def _in_words(sentence: Sentence, words: Segmentation, targets: Sequence[Segmentation]) -> Sentence:
    return Sentence(
        sentence.id,
        sentence.source,
        sentence.targets,
        segmentation=words,
        target_segmentations=tuple(targets),
    )


def _by_character(text: str) -> Segmentation:
    split = characters(text)
    return Segmentation(text, tuple(split.visible(split.ends)))
