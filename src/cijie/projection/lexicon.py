"""Frequencies of strings as words, and a segmenter's habits of segmenting them."""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from math import log
from zlib import crc32

import numpy as np

from cijie.errors import FormatError
from cijie.shipped import Shipped

LONGEST = 4
"""The maximum length of counted strings, in characters."""
_HAN = re.compile("[\u3400-\u9fff\U00020000-\U000323af]+")


@dataclass(frozen=True, slots=True)
class Lexicon(Shipped):
    """log10(1 + frequency) of words in a large body of text, by the CRC-32 of the word.

    No words are stored. About 1 in 40,000 unknown strings is mistaken for a known word.

    >>> lexicon = Lexicon.builtin()
    >>> lexicon["不要"] > lexicon["旅团"] == 0
    True
    """

    name: str
    levels: Mapping[int, float] = field(repr=False, compare=False)

    @classmethod
    def builtin(cls) -> Lexicon:
        """Return the word list shipped with cijie; see `scripts/build_lexicon.py`."""
        data = (resources.files(__package__) / "data" / "words-1.npz").read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            keys = archive["keys"].tolist()
            levels = (archive["levels"] / archive["steps"][0]).tolist()
        name = f"words-1/{hashlib.sha256(data).hexdigest()[:8]}"
        return cls(name, dict(zip(keys, levels, strict=True)))._as_builtin()

    def __getitem__(self, word: str) -> float:
        """Return the level of a word; 0 if it is unknown."""
        return self.levels.get(crc32(word.encode("utf-8", "surrogatepass")), 0.0)


@dataclass(frozen=True, slots=True)
class Habits(Shipped):
    """Counts of how a segmenter segmented strings of Han characters in a body of text.

    Counts are stored by the CRC-32 of the string; the strings are not. For a string of two to
    four characters, they are its occurrences as one word and as several whole words in a row. For
    a single character, they are its occurrences as a word and as part of a longer one.

    Args:
        segmenter: the name of the segmenter.
        texts: the number of texts counted.
        counts: both counts, by checksum.

    >>> habits = count_habits([["我们", "不", "会", "去"], ["不会", "吧"], ["不", "会"]], "mine")
    >>> habits["不会"], habits["会"], habits["团"]
    ((1, 2), (2, 1), (0, 0))
    """

    segmenter: str
    texts: int
    counts: Mapping[int, tuple[int, int]] = field(repr=False)

    @classmethod
    def builtin(cls) -> Habits:
        """Return the habits of wapic shipped with cijie; see `scripts/build_habits.py`."""
        content = (resources.files(__package__) / "data/habits-1.npz").read_bytes()
        return cls.from_bytes(content)._as_builtin()

    @classmethod
    def from_bytes(cls, content: bytes) -> Habits:
        """Read the output of `to_bytes`.

        Raises:
            FormatError: `content` is not a file of habits.
        """
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as archive:
                keys, one, several = (archive[x].tolist() for x in ("keys", "one", "several"))
                about = json.loads(archive["about"].tobytes())
                counts = dict(zip(keys, zip(one, several, strict=True), strict=True))
                return cls(str(about["segmenter"]), int(about["texts"]), counts)
        except Exception as error:  # anything that NumPy, zipfile and zlib raise
            raise FormatError(f"not a file of habits: {error}") from error

    def to_bytes(self) -> bytes:
        """Write the counts as bytes: the same bytes for the same counts, on every machine."""
        keys = sorted(self.counts)
        about = json.dumps({"segmenter": self.segmenter, "texts": self.texts}).encode()
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            keys=np.array(keys, dtype="<u4"),
            one=np.array([self.counts[key][0] for key in keys], dtype="<u4"),
            several=np.array([self.counts[key][1] for key in keys], dtype="<u4"),
            about=np.frombuffer(about, dtype="u1"),
        )
        return buffer.getvalue()

    @property
    def name(self) -> str:
        """The segmenter and a digest of the counts, as part of signatures."""
        digest = hashlib.sha256(repr(sorted(self.counts.items())).encode()).hexdigest()
        return f"{self.segmenter}/{digest[:8]}"

    def __getitem__(self, string: str) -> tuple[int, int]:
        """Return the number of times that the string was one word, and that it was not."""
        return self.counts.get(crc32(string.encode("utf-8", "surrogatepass")), (0, 0))

    def habit(self, string: str) -> float:
        """Return the log ratio of one-word to multi-word occurrences of a string; 0 if unseen."""
        one, several = self[string]
        return log((one + 1) / (several + 1))

    def freedom(self, char: str) -> float:
        """Return the log ratio of occurrences as a word to those inside one; 0 if unseen."""
        word, part = self[char]
        return log((word + 0.5) / (part + 0.5))


def count_habits(texts: Iterable[Sequence[str]], segmenter: str, *, fewest: int = 1) -> Habits:
    """Count how a segmenter segmented texts.

    Args:
        texts: the words of each text.
        segmenter: the name of the segmenter.
        fewest: the minimum number of occurrences for strings of two or more characters.
    """
    one: Counter[str] = Counter()
    several: Counter[str] = Counter()
    number = 0
    for number, words in enumerate(texts, start=1):  # noqa: B007
        for first, word in enumerate(words):
            if _HAN.fullmatch(word) is None:
                continue
            if len(word) > 1:
                several.update(word)
            if len(word) <= LONGEST:
                one[word] += 1
            string = word
            for following in words[first + 1 :]:
                string += following
                if len(string) > LONGEST or _HAN.fullmatch(following) is None:
                    break
                several[string] += 1
    counts: dict[int, tuple[int, int]] = {}
    for string in sorted(one.keys() | several.keys()):
        both = one[string], several[string]
        if len(string) == 1 or sum(both) >= fewest:
            key = crc32(string.encode())
            # Among the few strings with the same checksum, the most frequent one is kept.

            counts[key] = max(counts.get(key, (0, 0)), both, key=sum)
    return Habits(segmenter, number, counts)
