"""Sources with one or more targets as blocks of M2."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from cijie.alignment import anchors
from cijie.edits.blocks import Dialect, M2Block, annotate
from cijie.errors import located
from cijie.projection.boundaries import project
from cijie.recovery.pair import Corrected, Pair, nearest
from cijie.recovery.recoverer import Recoverer
from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation


def annotate_words(
    sentences: Iterable[Corrected], recoverer: Recoverer, dialect: Dialect
) -> Iterator[M2Block]:
    """Blocks of recovered words, lazily; block n is sentence n.

    A block has one source: its words are those recovered from the nearest target, by Levenshtein
    distance, and the first of equals; where they and another target have the same text, that target
    is cut like them, so that no edit is about the segmenter. A source without targets has the words
    it has by itself. White space is in no word, so in no block.

    Raises:
        CijieError: a sentence that cannot be segmented, or not expressed in M2, with its id.

    >>> recoverer = Recoverer(str.split, "p1")
    >>> blocks = annotate_words([Corrected("1", "去 学 较", ("去 学校",))], recoverer, "errant")
    >>> print(*blocks, end="")
    S 去 学 较
    A 1 3|||R:OTHER|||学校|||REQUIRED|||-NONE-|||0
    """
    pending: deque[Corrected] = deque()

    def pairs() -> Iterator[Pair]:
        for sentence in sentences:
            pending.append(sentence)
            best = nearest(sentence.source, sentence.targets) if sentence.targets else None
            for number, target in enumerate(sentence.targets or (sentence.source,)):
                words = sentence.target_segmentation if number == best else None
                yield Pair(sentence.id, sentence.source, target, sentence.initial, words)

    recoveries = recoverer.recover_all(pairs())
    for first in recoveries:
        sentence = pending.popleft()
        if not sentence.targets:
            yield _block(sentence, first.segmentation, [], dialect)
            continue
        all_of_it = [first, *islice(recoveries, len(sentence.targets) - 1)]
        best = nearest(sentence.source, sentence.targets)
        source = all_of_it[best].segmentation
        targets = [
            recovery.target_segmentation
            if number == best
            else _cut_alike(recovery.target_segmentation, source)
            for number, recovery in enumerate(all_of_it)
        ]
        yield _block(sentence, source, targets, dialect)


def annotate_characters(sentences: Iterable[Corrected], dialect: Dialect) -> Iterator[M2Block]:
    """Blocks in which each character is a word, lazily; block n is sentence n.

    Raises:
        FormatError: a sentence that cannot be expressed in M2, with its id.

    >>> print(*annotate_characters([Corrected("1", "去 学较", ("去学校",))], "cherrant"), end="")
    S 去 学 较
    T0-A0 去 学 校
    A 2 3|||S|||校|||REQUIRED|||-NONE-|||0
    """
    for sentence in sentences:
        targets = [_by_character(target) for target in sentence.targets]
        yield _block(sentence, _by_character(sentence.source), targets, dialect)


def _cut_alike(target: Segmentation, source: Segmentation) -> Segmentation:
    return project(target, source, anchors(target.text, source.text)).segmentation


def _by_character(text: str) -> Segmentation:
    split = characters(text)
    ends = (end for end, blank in zip(split.ends, split.blank, strict=True) if not blank)
    return Segmentation(text, tuple(ends))


def _block(
    sentence: Corrected,
    source: Segmentation,
    targets: Sequence[Segmentation],
    dialect: Dialect,
) -> M2Block:
    with located(id=sentence.id):
        return annotate(_words(source), [_words(target) for target in targets], dialect)


def _words(segmentation: Segmentation) -> list[str]:
    # A word with white space in it, which only who gives words can make, becomes several.
    return str(segmentation).split()
