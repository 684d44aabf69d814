"""Word lists: words that a segmentation keeps whole wherever they occur.

User dictionaries work differently in each segmenter, and some segmenters have none. A pass over
the output defines the behaviour once, for all segmenters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import NamedTuple

from cijie.text.characters import characters
from cijie.text.segmentation import Segmentation


class Occurrence(NamedTuple):
    """A listed word found in a text, at the half-open code-point span `(start, end)`."""

    start: int
    end: int
    word: str


class WordList(Collection[str]):
    """Words that stay whole in every segmentation.

    Words of one character have no effect: they are whole anyway, and adding boundaries around each
    of them would break other words.

    Raises:
        TypeError: `words` is a single string, such as a path; to read a file, use
            `cijie.corpora.words.read_words`.

    >>> words = WordList(["旅行团", "旅行", "了"])
    >>> len(words), words.signature
    (2, 'words=2:c85bd54c')
    >>> print(words.keep_whole(Segmentation.from_tokens("旅行团长了", ["旅行", "团长", "了"])))
    旅行团 长 了
    """

    def __init__(self, words: Iterable[str]) -> None:
        if isinstance(words, str):
            raise TypeError(f"expected a list of words, got a string: {words!r}")
        self._words: dict[str, str] = {}
        lengths: dict[str, set[int]] = {}
        for word in words:
            if not isinstance(word, str):
                raise TypeError(f"words must be strings, not {word!r}")
            split = characters(word)
            if len(split) > 1:
                self._words.setdefault("".join(split.keys), word)
                lengths.setdefault(split.keys[0], set()).add(len(split))
        self._lengths = {first: sorted(several, reverse=True) for first, several in lengths.items()}

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words.values())

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and "".join(characters(word).keys) in self._words

    @property
    def signature(self) -> str:
        """The number of words and a prefix of the SHA-256 of the sorted words, one per line."""
        digest = sha256("\n".join(sorted(self)).encode("utf-8", "surrogatepass")).hexdigest()
        return f"words={len(self)}:{digest[:8]}"

    def occurrences(self, text: str) -> list[Occurrence]:
        """Find the occurrences of listed words: leftmost-longest, non-overlapping.

        Characters are compared the same way as for anchors: by whole grapheme clusters, ignoring
        zero-width characters around them. An occurrence does not begin or end in the middle of a
        number or of a word in Latin letters.

        >>> WordList(["旅行团", "团长", "AI"]).occurrences("旅行团长MAIN")
        [Occurrence(start=0, end=3, word='旅行团')]
        """
        split = characters(text)
        keys = split.keys
        found = []
        at = 0
        while at < len(keys):
            size = 1
            for length in self._lengths.get(keys[at], ()):
                end = at + length
                if end > len(keys) or _inside_run(keys, at) or _inside_run(keys, end):
                    continue
                if word := self._words.get("".join(keys[at:end])):
                    found.append(Occurrence(split.starts[at], split.ends[end - 1], word))
                    size = length
                    break
            at += size
        return found

    def keep_whole(self, segmentation: Segmentation) -> Segmentation:
        """Return the segmentation with every occurrence as one word and the rest unchanged."""
        return with_words(segmentation, self.occurrences(segmentation.text))


def _inside_run(keys: Sequence[str], at: int) -> bool:
    around = keys[at - 1 : at + 1] if at else ()
    return len(around) == 2 and all(key.isascii() and key.isalnum() for key in around)


def with_words(segmentation: Segmentation, found: Sequence[Occurrence]) -> Segmentation:
    """Return the segmentation with each occurrence as one word and the rest unchanged."""
    if not found:
        return segmentation
    text = segmentation.text
    edges = {edge for span in segmentation.spans for edge in span}
    for occurrence in found:
        edges.difference_update(range(occurrence.start + 1, occurrence.end))
        edges.update((occurrence.start, occurrence.end))
    cuts = sorted(edges | {0, len(text)})
    return Segmentation.from_tokens(text, [text[start:end] for start, end in pairwise(cuts)])
