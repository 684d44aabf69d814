"""What the target suggests: cuts and joins, each with the evidence for and against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from cijie.alignment.links import Block
from cijie.characters import Characters
from cijie.evidence.lexicon import Lexicon
from cijie.segmentation import Span

UNLINKED = -1


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

    The image is `[low, high)` if the linked characters are contiguous in the source; `whole` says
    that all of them are linked.
    """

    start: int
    end: int
    low: int
    high: int
    whole: bool
    similarity: float


class Evidence:
    """The evidence in one pair: marks, links and how alike linked characters are.

    Args:
        text: the source.
        source, target: the characters of source and target.
        before: the source's marks.
        words: the target's marks.
        runs: the links.
        alike: similarity of two different single characters.
        lexicon: how frequent words are.
    """

    def __init__(
        self,
        text: str,
        source: Characters,
        target: Characters,
        before: bytearray,
        words: bytearray,
        runs: Sequence[Block],
        alike: Callable[[str, str], float],
        lexicon: Lexicon,
    ) -> None:
        self._text, self._source, self._target = text, source, target
        self._before = before
        self._alike, self._lexicon = alike, lexicon
        self._image = [UNLINKED] * len(target)
        for i, j, size in runs:
            self._image[j : j + size] = range(i, i + size)
        ends = [k for k, mark in enumerate(words) if mark]
        self._spans = list(pairwise(ends))

    def suggestions(self) -> Iterator[Suggestion]:
        """The cuts in target order, then the joins."""
        # Most words agree. What a word's evidence is, is worked out only where marks differ.
        yield from self._cuts()
        yield from self._cuts_at_gaps()
        yield from self._joins()

    def _cuts(self) -> Iterator[Suggestion]:
        """Where target words meet between characters that are neighbours in the source as well."""
        for (start, middle), (_, end) in pairwise(self._spans):
            last, first = self._image[middle - 1], self._image[middle]
            if last == UNLINKED or first != last + 1 or self._before[first]:
                continue
            left, right = self._word(start, middle), self._word(middle, end)
            yield self._cut(first, left, right, min(left.similarity, right.similarity))

    def _cuts_at_gaps(self) -> Iterator[Suggestion]:
        """Where two whole words meet in the source that do not meet in the target."""
        starting = {self._image[start]: (start, end) for start, end in self._spans}
        for start, end in self._spans:
            at = self._image[end - 1] + 1
            if not at or self._before[at] or starting.get(at, (end, end))[0] <= end:
                continue
            left, right = self._word(start, end), self._word(*starting[at])
            if left.whole and right.whole and left.high == right.low == at:
                yield self._cut(at, left, right, 0.0)

    def _cut(self, at: int, left: _Word, right: _Word, similarity: float) -> Suggestion:
        by = right if self._target.blank[left.end - 1] else left
        word = self._before.rfind(1, 0, at), self._before.find(1, at)
        frequency = self._frequency(*word)
        return Suggestion("insert", at, at, (by.start, by.end), similarity, frequency)

    def _joins(self) -> Iterator[Suggestion]:
        """Where the characters of one target word are in several source words."""
        for start, end in self._spans:
            images = [image for image in self._image[start:end] if image != UNLINKED]
            if not images or self._before.find(1, min(images) + 1, max(images) + 1) < 0:
                continue
            word = self._word(start, end)
            if self._before.find(1, word.low + 1, word.high) < 0:
                continue
            edges = [
                self._before.rfind(1, 0, word.low + 1),
                *(k for k in range(word.low + 1, word.high) if self._before[k]),
                self._before.find(1, word.high),
            ]
            rarest = min(self._frequency(*piece) for piece in pairwise(edges))
            by = word.start, word.end
            yield Suggestion("remove", word.low, word.high, by, word.similarity, rarest)

    def _frequency(self, start: int, end: int) -> float:
        return self._lexicon[self._text[self._source.starts[start] : self._source.ends[end - 1]]]

    def _word(self, start: int, end: int) -> _Word:
        images = [image for image in self._image[start:end] if image != UNLINKED]
        if not images:
            return _Word(start, end, 0, 0, False, 0.0)
        low, high = min(images), max(images) + 1
        if high - low != len(images):
            return _Word(start, end, 0, 0, False, self._similarity(start, end))
        whole = len(images) == end - start
        return _Word(start, end, low, high, whole, self._similarity(start, end))

    def _similarity(self, start: int, end: int) -> float:
        least = 1.0
        for j in range(start, end):
            i = self._image[j]
            if i == UNLINKED:
                return 0.0
            a, b = self._source.keys[i], self._target.keys[j]
            if a != b:
                least = min(least, self._alike(a, b) if len(a) == len(b) == 1 else 0.0)
        return least
