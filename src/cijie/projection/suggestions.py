"""Find the cuts and joins that the target suggests, with the data to weigh them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import compress, pairwise
from operator import ne
from typing import Literal, NamedTuple

from cijie.alignment.links import Alignment
from cijie.projection.boundaries import divided_words, extent, images_of, marks_of, runs_of
from cijie.text.segmentation import Segmentation, Span

Kind = Literal["insert", "remove"]

_RUN = re.compile("[0-9A-Za-z０-９Ａ-Ｚａ-ｚ]")


class Suggestion(NamedTuple):
    """A change of the source's words that the target suggests.

    Positions count characters.

    Args:
        kind: `"insert"` a boundary before `start` (equal to `end`), or `"remove"` the boundaries
            between `start` and `end`.
        start: the first source character.
        end: the source character after the last one.
        marks: the source's marks that would change.
        by: the span of the target word that suggests the change.
        word: that target word.
        whole: the source string in question: the word to cut, or the word that a join would form.
        pieces: the source words after the cut, or before the join.
        identical: whether the target has the same string there, segmented differently.
        likeness: the lowest similarity of linked characters in the target words concerned; 1 for
            identical characters, 0 for an unlinked one.
        nearer: for a cut, the `likeness` of the more similar of the two target words; 0 for a
            join.
        nearness: for an identical string, its nearness to a difference between the texts:
            1 / (1 + the number of characters in between), or 0 without a difference; 0 for any
            other string.
    """

    kind: Kind
    start: int
    end: int
    marks: tuple[int, ...]
    by: Span
    word: str
    whole: str
    pieces: tuple[str, ...]
    identical: bool
    likeness: float
    nearer: float = 0.0
    nearness: float = 0.0


def may_change(kind: Kind, left: str, right: str) -> bool:
    """Return whether a boundary between two characters may be inserted or removed at all.

    Nothing is changed inside a run of Latin letters and digits, or between a digit and the
    character that it counts. A punctuation mark is never joined to another character.

    Args:
        kind: `insert` or `remove`.
        left: the character before the boundary.
        right: the character after the boundary.

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

    The image is `[low, high)` if the linked characters are contiguous in the source; `whole` is
    true if all characters of the word are linked, `identical` if the source has the same word
    there. `likeness` is the lowest similarity of its linked characters, 0 if one is unlinked.
    """

    start: int
    end: int
    low: int
    high: int
    whole: bool
    identical: bool
    likeness: float


class Suggester:
    """The suggestions in one pair, from its marks, links and the similarity of linked characters.

    Args:
        source: the segmentation of the source.
        target: the segmentation of the target.
        alignment: the links.
        alike: returns the similarity of two different single characters.
        target_rules: whether the target's words are authoritative: changes that `may_change`
            forbids are suggested, too, and unlinked characters are cut off at the edge of a
            target word and joined to it inside.
        read: returns a word as the segmenter reads it; suggestions have words in that form.

    Attributes:
        before: the marks of the source.
        words: the marks of the target.
        characters: the characters of source and target.
        agreed: the target's marks between adjacent source characters in the same anchor run.

    Raises:
        AlignmentError: the alignment belongs to other texts.
    """

    def __init__(
        self,
        source: Segmentation,
        target: Segmentation,
        alignment: Alignment,
        alike: Callable[[str, str], float],
        *,
        target_rules: bool = False,
        read: Callable[[str], str] = str,
    ) -> None:
        self._texts = source.text, target.text
        self.before, self.words = marks_of(source), marks_of(target)
        self.characters = source.characters, target.characters
        self._anchors = runs_of(alignment, source, target, residuals=False)
        self.agreed = bytearray(len(self.before))
        for i, j, size in self._anchors:
            self.agreed[i + 1 : i + size] = self.words[j + 1 : j + size]
        self._runs = runs_of(alignment, source, target)
        self._images = images_of(self._runs, len(self.words) - 1)
        self._alike, self._target_rules, self._read = alike, target_rules, read

    def suggestions(self) -> Iterator[Suggestion]:
        """Yield the cuts, then the joins in target order."""
        # Most words agree, so a word's evidence is computed only where marks differ.
        cuts, joined = [], divided_words(self.words, self._runs)
        for i, j, size in self._runs:
            source, target = self.before[i + 1 : i + size], self.words[j + 1 : j + size]
            if source == target:
                continue
            for k in compress(range(1, size), map(ne, source, target)):
                if self.words[j + k]:
                    cuts.append((j + k, j + k, i + k))
                else:
                    joined[self.words.rfind(1, 0, j + k), self.words.find(1, j + k)] = None
        for (i, j, size), (at, start, _) in pairwise(sorted(self._runs)):
            end = j + size
            adjacent = i + size == at and end < start and not self.before[at]
            if adjacent and self.words[end] and self.words[start]:
                cuts.append((end, start, at))
        for end, start, at in cuts:
            left, right = self._word_to(end), self._word_from(start)
            # The images of words that do not meet in the target must be whole, and meet.
            if end == start or (left.whole and right.whole and left.high == right.low == at):
                yield from self._cut(at, left, right)
        if self._target_rules:
            yield from self._cuts_of_unlinked()
        for start, end in sorted(joined):
            low, high, _ = extent(self._images[start:end])
            if self.before.find(1, low + 1, high) >= 0:
                yield from self._join(self._word(start, end))

    def _cuts_of_unlinked(self) -> Iterator[Suggestion]:
        """Yield cuts between the image of a whole word and an unlinked character."""
        for i, j, size in sorted(self._runs):
            for at, edge, beside in ((i, j, i - 1), (i + size, j + size, i + size)):
                if self.before[at] or not self.words[edge] or beside in self._images:
                    continue
                word = self._word_from(edge) if at == i else self._word_to(edge)
                if word.whole and at in (word.low, word.high):
                    yield from self._cut(at, word, word)

    def _cut(self, at: int, left: _Word, right: _Word) -> Iterator[Suggestion]:
        """Yield the cut between two target words, if at least one is more than white space.

        Words that do not meet in the target are weaker evidence.
        """
        keys, blank = self.characters[0].keys, self.characters[1].blank
        by = right if blank[left.end - 1] else left
        if blank[by.end - 1]:
            return
        if not (self._target_rules or may_change("insert", keys[at - 1], keys[at])):
            return
        first, last = self.before.rfind(1, 0, at), self.before.find(1, at)
        alike, meet = (left.likeness, right.likeness), left.end == right.start
        identical = meet and left.identical and right.identical
        yield Suggestion(
            "insert",
            at,
            at,
            (at,),
            (by.start, by.end),
            self._text(1, by.start, by.end),
            self._text(0, first, last),
            (self._text(0, first, at), self._text(0, at, last)),
            identical,
            min(alike) if meet else 0.0,
            max(alike),
            self._nearness(first, last) if identical else 0.0,
        )

    def _join(self, word: _Word) -> Iterator[Suggestion]:
        """Yield the join, if the characters of one target word are in several source words."""
        inside = [k for k in range(word.low + 1, word.high) if self.before[k]]
        keys = self.characters[0].keys
        if not inside:
            return
        if not (
            self._target_rules or all(may_change("remove", keys[k - 1], keys[k]) for k in inside)
        ):
            return
        first, last = self.before.rfind(1, 0, word.low + 1), self.before.find(1, word.high)
        yield Suggestion(
            "remove",
            word.low,
            word.high,
            tuple(inside),
            (word.start, word.end),
            self._text(1, word.start, word.end),
            self._text(0, word.low, word.high),
            tuple(self._text(0, *piece) for piece in pairwise([first, *inside, last])),
            word.identical,
            word.likeness,
            nearness=self._nearness(word.low, word.high) if word.identical else 0.0,
        )

    def _text(self, side: int, start: int, end: int) -> str:
        split = self.characters[side]
        return self._read(self._texts[side][split.starts[start] : split.ends[end - 1]])

    def _nearness(self, low: int, high: int) -> float:
        """Return the nearness of source characters to a difference; see `Suggestion`."""
        m, n = len(self.before) - 1, len(self.words) - 1
        for i, j, size in self._anchors:
            if i <= low and high <= i + size:
                ends = (i + size, j + size) == (m, n)
                edges = [low - i] * bool(i or j) + [i + size - high] * (not ends)
                return 1 / (1 + min(edges)) if edges else 0.0
        return 1.0

    def _word_to(self, end: int) -> _Word:
        return self._word(self.words.rfind(1, 0, end), end)

    def _word_from(self, start: int) -> _Word:
        return self._word(start, self.words.find(1, start + 1))

    def _word(self, start: int, end: int) -> _Word:
        images = self._images[start:end]
        low, high, links = extent(images)
        if high - low != links and not (self._target_rules and self._has_room(low, high, links)):
            low = high = 0
        whole = 0 < links == end - start
        if not whole:
            return _Word(start, end, low, high, whole, identical=False, likeness=0.0)
        source, target = (side.keys for side in self.characters)
        likeness = 1.0
        for j, i in enumerate(images, start):
            a, b = source[i], target[j]
            if a != b:
                likeness = min(likeness, self._alike(a, b) if len(a) == len(b) == 1 else 0.0)
        identical = list(source[low:high]) == list(target[start:end])
        return _Word(start, end, low, high, whole, identical, likeness)

    def _has_room(self, low: int, high: int, links: int) -> bool:
        """Return whether the source characters between a word's linked ones are all unlinked."""
        within = sum(low <= image < high for image in self._images)
        return within == links and not any(self.characters[0].blank[low:high])
