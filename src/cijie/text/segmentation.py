"""Segmentations: a text and its word boundaries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from operator import lt

from cijie.errors import SegmentationError, describe
from cijie.text.characters import Characters, characters, is_plain

Span = tuple[int, int]
"""Half-open code-point offsets `(start, end)`."""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """A text divided into words; the text itself is never changed.

    Words are in text order and cover every character but white space, which belongs to no word. A
    word is therefore determined by its end: it begins at the first character after the end of the
    word before it.

    Args:
        text: the text, unchanged.
        boundaries: the code-point offset after each word, ascending; the last one is the end of
            the text (before any trailing white space).

    Attributes:
        is_plain: whether every code point of the text is a visible character on its own.

    Raises:
        SegmentationError: a boundary is out of order, out of range, after white space or inside a
            grapheme cluster, or a character follows the last boundary.

    >>> words = Segmentation("我参加了旅行团", (1, 3, 4, 7))
    >>> words.tokens
    ['我', '参加', '了', '旅行团']
    >>> words.spans
    [(0, 1), (1, 3), (3, 4), (4, 7)]
    >>> str(words)
    '我 参加 了 旅行团'
    """

    text: str
    boundaries: tuple[int, ...]
    is_plain: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ends, text = self.boundaries, self.text
        object.__setattr__(self, "is_plain", is_plain(text))
        if not all(map(lt, ends, ends[1:])):
            raise SegmentationError(f"boundaries are not ascending: {ends}")
        if self.is_plain:
            possible: Container[int] = range(1, len(text) + 1)
            last = len(text)
        else:
            possible = visible = _visible_ends(self.characters)
            last = max(visible, default=0)
        for end in ends[:1] if isinstance(possible, range) else ends:
            if end not in possible:
                raise SegmentationError(f"no word can end at offset {end} of {text!r}")
        if (ends[-1] if ends else 0) != last:
            raise SegmentationError(f"the last boundary is not {last}, where {text!r} ends: {ends}")

    @classmethod
    def from_tokens(
        cls, text: str, tokens: Iterable[str], *, cut_at_spaces: bool = False
    ) -> Segmentation:
        """Locate `tokens` in `text`; white space is the only difference allowed.

        White space at the edges of a token and between tokens is ignored. A token may contain
        white space only where the text has the same; with `cut_at_spaces` the token is split
        there. A boundary inside a grapheme cluster is dropped, so that the cluster stays whole.

        Args:
            text: the text.
            tokens: its words, in order.
            cut_at_spaces: whether white space inside a token separates words.

        Raises:
            SegmentationError: tokens and text differ; the message has the offset of the first
                difference, the expected character (of the text) and the one found (in the token).
            TypeError: `tokens` is a single string.

        >>> Segmentation.from_tokens("老师：\\u3000明天见", ["老师", "：", "明天", "见"]).spans
        [(0, 2), (2, 3), (4, 6), (6, 7)]
        >>> Segmentation.from_tokens("手机 15 8 元", ["手机", "158", "元"])
        Traceback (most recent call last):
        cijie.errors.SegmentationError: at offset 5: expected ' ' (U+0020), found '8' (U+0038) …
        """
        if isinstance(tokens, str):
            raise TypeError(f"expected a list of words, got a string: {tokens!r}")
        tokens = list(tokens)
        if "".join(tokens) == text and is_plain(text):
            return cls._plain(text, tuple(accumulate(map(len, filter(None, tokens)))))
        if cut_at_spaces:
            tokens = " ".join(tokens).split()
        blank = _blank_offsets(characters(text))
        spans: list[Span] = []
        at = 0
        for word in filter(None, map(str.strip, tokens)):
            while not text.startswith(word, at) and at in blank:
                at += 1
            if not text.startswith(word, at):
                raise _difference(text, at, word)
            spans.append((at, at + len(word)))
            at += len(word)
        return cls.from_spans(text, spans)

    @classmethod
    def from_spans(cls, text: str, spans: Iterable[Sequence[int]]) -> Segmentation:
        """Build a segmentation from half-open code-point spans, in order.

        Raises:
            SegmentationError: a span is out of range or order or overlaps another, or a character
                between two spans is not white space.

        >>> Segmentation.from_spans("我们 走", [(0, 2), (3, 4)]).tokens
        ['我们', '走']
        """
        spans = [(start, end) for start, end in spans]
        offsets = sorted({0, *(end for _, end in spans)})
        if offsets[-1] == len(text) and spans == list(pairwise(offsets)) and is_plain(text):
            return cls._plain(text, tuple(offsets[1:]))
        split = characters(text)
        blank = _blank_offsets(split)
        ends: list[int] = []
        before = 0
        for start, end in spans:
            if not before <= start < end <= len(text):
                raise SegmentationError(f"span {(start, end)} is out of range or order: {text!r}")
            while before < start and before in blank:
                before += 1
            if before < start:
                raise _uncovered(text, before)
            before = end
            # A span with white space at its edges denotes the word without it.
            if word := text[start:end].rstrip():
                ends.append(start + len(word))
        return cls(text, _snapped(text, split, ends, before))

    @classmethod
    def _plain(cls, text: str, boundaries: tuple[int, ...]) -> Segmentation:
        """Build a segmentation of a plain text from boundaries that need no check."""
        made = object.__new__(cls)
        object.__setattr__(made, "text", text)
        object.__setattr__(made, "boundaries", boundaries)
        object.__setattr__(made, "is_plain", True)
        return made

    @property
    def characters(self) -> Characters:
        """The characters of the text."""
        return characters(self.text)

    @property
    def spans(self) -> list[Span]:
        """The words as half-open code-point spans."""
        ends = self.boundaries
        if self.is_plain:
            return list(pairwise((0, *ends)))
        split = self.characters
        starts = split.visible(split.starts)
        return [(starts[bisect_left(starts, before)], end) for before, end in pairwise((0, *ends))]

    @property
    def tokens(self) -> list[str]:
        """The words as strings."""
        return [self.text[start:end] for start, end in self.spans]

    def __len__(self) -> int:
        """Return the number of words."""
        return len(self.boundaries)

    def __str__(self) -> str:
        """Return the words joined by single spaces."""
        return " ".join(self.tokens)


def _visible_ends(split: Characters) -> set[int]:
    return set(split.visible(split.ends))


def _blank_offsets(split: Characters) -> set[int]:
    return {
        offset
        for start, end, is_blank in zip(split.starts, split.ends, split.blank, strict=True)
        if is_blank
        for offset in range(start, end)
    }


def _snapped(text: str, split: Characters, ends: list[int], covered: int) -> tuple[int, ...]:
    """Move boundaries out of characters and blanks.

    A boundary inside a character moves to its end if it is past the start of the cluster, and is
    dropped otherwise. A boundary inside or after a blank moves to the start of the blank.
    """
    visible = _visible_ends(split)
    if covered < max(visible, default=0):
        raise _uncovered(text, covered)
    kept = set()
    for end in ends:
        inside = bisect_left(split.ends, end)
        if not split.blank[inside]:
            if end > split.cores[inside]:
                kept.add(split.ends[inside])
            continue
        while inside and split.blank[inside]:
            inside -= 1
        if not split.blank[inside]:
            kept.add(split.ends[inside])
    return tuple(sorted(kept))


def _difference(text: str, at: int, word: str) -> SegmentationError:
    where, found = next(
        (k, char) for k, char in enumerate(word, start=at) if text[k : k + 1] != char
    )
    return SegmentationError(
        f"at offset {where}: expected {describe(text[where : where + 1])}, "
        f"found {describe(found)} in token {word!r}"
    )


def _uncovered(text: str, at: int) -> SegmentationError:
    return SegmentationError(f"at offset {at}: {describe(text[at])} is in no token")
