"""What the target suggests: cuts and joins, each with the evidence for and against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

from cijie.alignment.links import Block
from cijie.projection.lexicon import Lexicon
from cijie.projection.marks import divided_words, edges_of, image_of, linked
from cijie.text.characters import Characters
from cijie.text.segmentation import Segmentation, Span


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A change of the source's words that the target suggests.

    Positions count characters. Two numbers weigh it: `similarity` is that of the least similar
    character of the target words concerned to the one it is linked to, 1 for identical characters
    and 0 for an unlinked one; `frequency` is that of what stands in the source now – of the word to
    be cut, or of the rarest of the words to be joined – as log10(1 + frequency).

    Args:
        kind: `"insert"` a boundary before `start` (which is `end`), or `"remove"` those between
            `start` and `end`.
        start, end: source characters.
        by: the target word that suggests it.
    """

    kind: Literal["insert", "remove"]
    start: int
    end: int
    by: Span
    similarity: float
    frequency: float

    def marks(self, before: bytearray) -> list[int]:
        """The marks that following it would change."""
        if self.kind == "insert":
            return [self.start]
        return [k for k in range(self.start + 1, self.end) if before[k]]


class _Word(NamedTuple):
    """A target word with its image in the source.

    `pieces` are its links. The image is `[low, high)` if the linked characters are contiguous in
    the source; `whole` says that all of them are linked.
    """

    start: int
    end: int
    pieces: Sequence[Block]
    low: int
    high: int
    whole: bool


class Suggester:
    """The evidence in one pair: marks, links and how alike linked characters are.

    Args:
        source, target: the segmentations, whose marks are `before` and `words`.
        before: the source's marks.
        words: the target's marks.
        runs: the links.
        alike: similarity of two different single characters.
        lexicon: how frequent words are.
    """

    def __init__(
        self,
        source: Segmentation,
        target: Segmentation,
        before: bytearray,
        words: bytearray,
        runs: Sequence[Block],
        alike: Callable[[str, str], float],
        lexicon: Lexicon,
    ) -> None:
        self._segmented = source, target
        self._before, self._words, self._runs = before, words, runs
        self._alike, self._lexicon = alike, lexicon

    def suggestions(self) -> Iterator[Suggestion]:
        """The cuts, then the joins in target order."""
        # Most words agree. What a word's evidence is, is worked out only where marks differ.
        cuts, joined = [], dict(divided_words(self._words, edges_of(self._runs)))
        for at, image in self._differing():
            if self._words[at]:
                cuts.append((at, image))
            else:
                start = self._words.rfind(1, 0, at)
                joined[start] = self._words.find(1, at)
        for at, image in cuts:
            left, right = self._word_to(at), self._word_from(at)
            alike = min(self._likeness(left), self._likeness(right))
            yield from self._cut(image, left, right, alike)
        yield from self._cuts_at_gaps()
        for start, end in sorted(joined.items()):
            yield from self._join(self._word(start, end))

    def _differing(self) -> Iterator[tuple[int, int]]:
        """The target and source positions in runs where just one side has a mark."""
        for i, j, size in self._runs:
            source, target = self._before[i + 1 : i + size], self._words[j + 1 : j + size]
            if source != target:
                for k, (a, b) in enumerate(zip(source, target, strict=True), start=1):
                    if a != b:
                        yield j + k, i + k

    def _cuts_at_gaps(self) -> Iterator[Suggestion]:
        """Where two whole words meet in the source that do not meet in the target."""
        for (i, j, size), (at, start, _) in pairwise(sorted(self._runs)):
            end = j + size
            if i + size != at or end >= start or self._before[at]:
                continue
            if self._words[end] and self._words[start]:
                left, right = self._word_to(end), self._word_from(start)
                if left.whole and right.whole and left.high == right.low == at:
                    yield from self._cut(at, left, right, 0.0)

    def _cut(self, at: int, left: _Word, right: _Word, similarity: float) -> Iterator[Suggestion]:
        """The cut between two target words, if at least one of them is more than white space."""
        blank = self._characters[1].blank
        by = right if blank[left.end - 1] else left
        if not blank[by.end - 1]:
            word = self._before.rfind(1, 0, at), self._before.find(1, at)
            frequency = self._frequency(*word)
            yield Suggestion("insert", at, at, (by.start, by.end), similarity, frequency)

    def _join(self, word: _Word) -> Iterator[Suggestion]:
        """The join, if the characters of one target word are in several source words."""
        inside = [k for k in range(word.low + 1, word.high) if self._before[k]]
        if inside:
            first, last = self._before.rfind(1, 0, word.low + 1), self._before.find(1, word.high)
            rarest = min(self._frequency(*piece) for piece in pairwise([first, *inside, last]))
            by = word.start, word.end
            yield Suggestion("remove", word.low, word.high, by, self._likeness(word), rarest)

    def _frequency(self, start: int, end: int) -> float:
        source = self._characters[0]
        text = self._segmented[0].text
        return self._lexicon[text[source.starts[start] : source.ends[end - 1]]]

    @cached_property
    def _characters(self) -> tuple[Characters, Characters]:
        source, target = self._segmented
        return source.characters, target.characters

    def _word_to(self, end: int) -> _Word:
        return self._word(self._words.rfind(1, 0, end), end)

    def _word_from(self, start: int) -> _Word:
        return self._word(start, self._words.find(1, start + 1))

    def _word(self, start: int, end: int) -> _Word:
        pieces = linked(self._runs, start, end)
        low, high, links = image_of(pieces)
        if high - low != links:
            low = high = 0
        return _Word(start, end, pieces, low, high, whole=0 < links == end - start)

    def _likeness(self, word: _Word) -> float:
        """That of the least similar two linked characters of a word; 0 if one is unlinked."""
        if not word.whole:
            return 0.0
        source, target = self._characters
        return min(
            1.0 if a == b else self._alike(a, b) if len(a) == len(b) == 1 else 0.0
            for i, j, size in word.pieces
            for a, b in zip(source.keys[i : i + size], target.keys[j : j + size], strict=True)
        )
