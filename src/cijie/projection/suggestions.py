"""What the target suggests: cuts and joins, each with what is to be weighed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import compress, pairwise
from operator import ne
from typing import Literal, NamedTuple

from cijie.alignment.links import Alignment
from cijie.projection.marks import divided_words, extent, images_of, marks_of, runs_of
from cijie.text.characters import Characters
from cijie.text.segmentation import Segmentation, Span

Kind = Literal["insert", "remove"]

_RUN = re.compile("[0-9A-Za-z０-９Ａ-Ｚａ-ｚ]")


class Suggestion(NamedTuple):
    """A change of the source's words that the target suggests.

    Positions count characters.

    Args:
        kind: `"insert"` a boundary before `start` (which is `end`), or `"remove"` those between
            `start` and `end`.
        start, end: source characters.
        by: the target word that suggests it.
        word: that word.
        whole: the source string in question: the word to be cut, or what would be one word.
        pieces: the source words that it is to be made into, or made of.
        identical: whether the target has the same string there, cut in another way.
        similarity: that of the least similar character of the target words concerned to the one it
            is linked to; 1 for identical characters, 0 for an unlinked one.
        nearer: of a cut, the same for the more similar of the two target words; 0 for a join.
    """

    kind: Kind
    start: int
    end: int
    by: Span
    word: str
    whole: str
    pieces: tuple[str, ...]
    identical: bool
    similarity: float
    nearer: float = 0.0

    def marks(self, before: bytearray) -> list[int]:
        """The marks that following it would change."""
        if self.kind == "insert":
            return [self.start]
        return [k for k in range(self.start + 1, self.end) if before[k]]


def may_change(kind: Kind, left: str, right: str) -> bool:
    """Whether what stands between two characters may be cut or joined at all.

    Never changed is what is inside a run of Latin letters and digits, and between a digit and what
    it counts; never joined is a punctuation mark with a character.

    Args:
        kind: `insert` or `remove`.
        left, right: the characters on both sides.

    >>> may_change("insert", "2", "年"), may_change("remove", "，", "以")
    (False, False)
    >>> may_change("remove", "以", "及")
    True
    """
    if _RUN.match(left) and (_RUN.match(right) or (left.isdigit() and right.isalnum())):
        return False
    of_words = [char.isalnum() or char.isspace() for char in (left, right)]
    return kind == "insert" or of_words[0] == of_words[1]


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


class Suggester:
    """The evidence in one pair: marks, links and how alike linked characters are.

    Args:
        source, target: the segmentations.
        alignment: the links.
        alike: similarity of two different single characters.
        target_rules: whether the target's words hold: what `may_change` forbids is suggested too,
            and unlinked characters are cut off at the edge of a target's word and join it inside.

    Attributes:
        before, words: the marks of source and target.

    Raises:
        AlignmentError: the alignment is not one of these two texts.
    """

    def __init__(
        self,
        source: Segmentation,
        target: Segmentation,
        alignment: Alignment,
        alike: Callable[[str, str], float],
        *,
        target_rules: bool = False,
    ) -> None:
        self._segmented = source, target
        self.before, self.words = marks_of(source), marks_of(target)
        self._runs = runs_of(alignment, source, target)
        self._images = images_of(self._runs, len(self.words) - 1)
        self._alike, self._target_rules = alike, target_rules

    def suggestions(self) -> Iterator[Suggestion]:
        """The cuts, then the joins in target order."""
        # Most words agree. What a word's evidence is, is worked out only where marks differ.
        cuts, joined = [], divided_words(self.words, self._runs)
        for at, image in self._differing():
            if self.words[at]:
                cuts.append((at, image))
            else:
                joined[self.words.rfind(1, 0, at), self.words.find(1, at)] = None
        for at, image in cuts:
            left, right = self._word_to(at), self._word_from(at)
            yield from self._cut(image, left, right, meet=True)
        yield from self._cuts_at_gaps()
        if self._target_rules:
            yield from self._cuts_of_unlinked()
        for start, end in sorted(joined):
            low, high, _ = extent(self._images[start:end])
            if self.before.find(1, low + 1, high) >= 0:
                yield from self._join(self._word(start, end))

    def _differing(self) -> Iterator[tuple[int, int]]:
        """The target and source positions in runs where just one side has a mark."""
        for i, j, size in self._runs:
            source, target = self.before[i + 1 : i + size], self.words[j + 1 : j + size]
            if source != target:
                for k in compress(range(1, size), map(ne, source, target)):
                    yield j + k, i + k

    def _cuts_at_gaps(self) -> Iterator[Suggestion]:
        """Where two whole words meet in the source that do not meet in the target."""
        for (i, j, size), (at, start, _) in pairwise(sorted(self._runs)):
            end = j + size
            if i + size != at or end >= start or self.before[at]:
                continue
            if self.words[end] and self.words[start]:
                left, right = self._word_to(end), self._word_from(start)
                if left.whole and right.whole and left.high == right.low == at:
                    yield from self._cut(at, left, right, meet=False)

    def _cuts_of_unlinked(self) -> Iterator[Suggestion]:
        """Where a whole word has an unlinked character beside it."""
        for i, j, size in sorted(self._runs):
            for at, edge, beside in ((i, j, i - 1), (i + size, j + size, i + size)):
                if self.before[at] or not self.words[edge] or beside in self._images:
                    continue
                word = self._word_from(edge) if at == i else self._word_to(edge)
                if word.whole and at in (word.low, word.high):
                    yield from self._cut(at, word, word, meet=False)

    def _cut(self, at: int, left: _Word, right: _Word, *, meet: bool) -> Iterator[Suggestion]:
        """The cut between two target words, if at least one of them is more than white space.

        If they do not meet in the target, they say less.
        """
        blank = self.characters[1].blank
        by = right if blank[left.end - 1] else left
        if blank[by.end - 1] or not self._may_change("insert", at):
            return
        first, last = self.before.rfind(1, 0, at), self.before.find(1, at)
        alike = self._likeness(left), self._likeness(right)
        yield Suggestion(
            "insert",
            at,
            at,
            (by.start, by.end),
            self._text(1, by.start, by.end),
            self._text(0, first, last),
            (self._text(0, first, at), self._text(0, at, last)),
            meet and self._identical(left) and self._identical(right),
            min(alike) if meet else 0.0,
            max(alike),
        )

    def _join(self, word: _Word) -> Iterator[Suggestion]:
        """The join, if the characters of one target word are in several source words."""
        inside = [k for k in range(word.low + 1, word.high) if self.before[k]]
        if not inside or not all(self._may_change("remove", k) for k in inside):
            return
        first, last = self.before.rfind(1, 0, word.low + 1), self.before.find(1, word.high)
        yield Suggestion(
            "remove",
            word.low,
            word.high,
            (word.start, word.end),
            self._text(1, word.start, word.end),
            self._text(0, word.low, word.high),
            tuple(self._text(0, *piece) for piece in pairwise([first, *inside, last])),
            self._identical(word),
            self._likeness(word),
        )

    def _may_change(self, kind: Kind, at: int) -> bool:
        keys = self.characters[0].keys
        return self._target_rules or may_change(kind, keys[at - 1], keys[at])

    def _text(self, side: int, start: int, end: int) -> str:
        split = self.characters[side]
        return self._segmented[side].text[split.starts[start] : split.ends[end - 1]]

    def _identical(self, word: _Word) -> bool:
        """Whether the source has the word itself, its characters in their order."""
        source, target = self.characters
        return word.whole and list(source.keys[word.low : word.high]) == list(
            target.keys[word.start : word.end]
        )

    @cached_property
    def characters(self) -> tuple[Characters, Characters]:
        """Those of source and target."""
        source, target = self._segmented
        return source.characters, target.characters

    def _word_to(self, end: int) -> _Word:
        return self._word(self.words.rfind(1, 0, end), end)

    def _word_from(self, start: int) -> _Word:
        return self._word(start, self.words.find(1, start + 1))

    def _word(self, start: int, end: int) -> _Word:
        low, high, links = extent(self._images[start:end])
        if high - low != links and not (self._target_rules and self._has_room(low, high, links)):
            low = high = 0
        return _Word(start, end, low, high, whole=0 < links == end - start)

    def _has_room(self, low: int, high: int, links: int) -> bool:
        """Whether what stands between the linked characters of a word is linked to nothing."""
        within = sum(low <= image < high for image in self._images)
        return within == links and not any(self.characters[0].blank[low:high])

    def _likeness(self, word: _Word) -> float:
        """That of the least similar two linked characters of a word; 0 if one is unlinked."""
        if not word.whole:
            return 0.0
        source, target = self.characters
        least = 1.0
        for j in range(word.start, word.end):
            a, b = source.keys[self._images[j]], target.keys[j]
            if a != b:
                least = min(least, self._alike(a, b) if len(a) == len(b) == 1 else 0.0)
        return least
