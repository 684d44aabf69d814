"""Phonetic similarity of two characters in Mandarin, by three definitions.

`pinyin-marks` is the paper's (Wang et al.): 1 - Levenshtein distance / longer length, over the
pinyin of each character's first reading with tone marks (`mā`, `nǚ`, `de`). A vowel with its mark
is one letter, as in Unicode. `pinyin-numbers` is the same over pinyin with tone numbers (`ma1`,
`nü3`, `de5`). In both, a tone, an initial and any other letter have the same weight.

`tone-aware` compares initial, final and tone separately, and knows which ones learners confuse:
(.4 I + .45 F) / .85 · (.85 + .15 T), where I, F and T are 1 for identical parts, 0 (I, F) or .4 (T)
for different ones, and in between for the confusions listed below. Readings other than a
character's first one are weighted by .8: a shared rare reading is weak evidence.

Readings are looked up character by character, never by word. A character without a reading (a
letter, a sign, a rare ideograph) is similar only to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from itertools import chain
from sys import maxunicode
from threading import Lock
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from cijie.choices import Definition
from cijie.errors import check_choice
from cijie.similarity.features import CharacterSimilarity

Grid = NDArray[np.float64]

INITIAL, FINAL, TONE = 0.4, 0.45, 0.15
"""Weights of the parts of a syllable."""


class Syllable(NamedTuple):
    """A syllable: `spelling` with the tone number, and its parts without zero initials.

    >>> Syllable.parse("yuan2"), Syllable.parse("lv4")
    (Syllable(spelling='yuan2', initial='', final='üan', tone='2'),
     Syllable(spelling='lü4', initial='l', final='ü', tone='4'))
    """

    spelling: str
    initial: str
    final: str
    tone: str

    @classmethod
    def parse(cls, spelling: str) -> Syllable:
        """Parse numbered pinyin; ü may be spelt `v`, `u:` or, after l and n, `yu`."""
        from pypinyin.contrib.tone_convert import to_finals, to_initials

        spelling = spelling.replace("v", "ü").replace("u:", "ü")
        if spelling.startswith(("lyu", "nyu")):
            spelling = spelling.replace("yu", "ü", 1)
        letters = spelling.rstrip("012345")
        tone = spelling[len(letters) :] or "5"
        final = to_finals(letters, strict=True, v_to_u=True)
        if not final:  # interjections such as "ng"
            return cls(spelling, "", letters, tone)
        return cls(spelling, to_initials(letters, strict=True), final, tone)

    @property
    def marked(self) -> str:
        """The spelling with a tone mark instead of the number.

        >>> Syllable.parse("lv4").marked, Syllable.parse("de5").marked
        ('lǜ', 'de')
        """
        from pypinyin.contrib.tone_convert import to_tone

        marked: str = to_tone(self.spelling)
        return marked


def readings_of(code: int) -> tuple[Syllable, ...]:
    """Return the readings of a code point, in order; none for a number beyond Unicode.

    >>> [syllable.spelling for syllable in readings_of(ord("女"))][0], readings_of(ord("A"))
    ('nü3', ())
    """
    if code > maxunicode:  # the number of a cluster of several code points
        return ()
    from pypinyin import Style, pinyin  # takes most of a second

    readings = pinyin(
        chr(code),
        style=Style.TONE3,
        heteronym=True,
        errors="ignore",
        neutral_tone_with_five=True,
        v_to_u=True,
    )
    return tuple(map(Syllable.parse, readings[0])) if readings else ()


def spelt_alike(
    spelling: Literal["spelling", "marked"], some: Sequence[Syllable], others: Sequence[Syllable]
) -> Grid:
    """Return 1 - Levenshtein distance / longer length of spellings; one row per item of `some`.

    Args:
        spelling: with a tone number (`spelling`) or a tone mark (`marked`).
        some: the syllables to compare, one row each.
        others: the syllables to compare them with, one column each.
    """
    spelt = ([getattr(syllable, spelling) for syllable in side] for side in (some, others))
    grid: Grid = cdist(*spelt, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    return grid


# For each part of a syllable: groups of confusable values, and their similarity.
_LIKENESSES: Mapping[str, Mapping[str, float]] = {
    "initial": {
        "z/zh c/ch s/sh": 0.8,  # retroflex or not
        "n/l": 0.7,
        "r/l f/h": 0.6,
        "b/p d/t g/k j/q z/c zh/ch": 0.6,  # aspirated or not
        "j/zh q/ch x/sh j/z q/c x/s": 0.5,  # palatal or not
        "zh/c z/ch": 0.5,
    },
    "final": {
        "an/ang en/eng in/ing ian/iang uan/uang uen/ueng uen/ong": 0.8,  # -n or -ng
        "u/ü uan/üan uen/ün uo/o ü/i üe/ie üan/ian ün/in": 0.7,  # rounding
        "an/ian ang/iang ao/iao ou/iou a/ia e/ie an/uan ang/uang en/uen": 0.5,  # lost medial
        "a/ua ai/uai ei/uei ong/iong e/uo e/o ou/uo ong/eng": 0.5,
        "en/in eng/ing ei/ai ie/ei": 0.4,
    },
    "tone": {"2/3": 0.7, "1/5 2/5 3/5 4/5": 0.6},
}
_CONFUSED: Mapping[str, Mapping[frozenset[str], float]] = {
    part: {
        frozenset(pair.split("/")): likeness
        for pairs, likeness in listed.items()
        for pair in pairs.split()
    }
    for part, listed in _LIKENESSES.items()
}
# The similarity of values that are neither identical nor confusable.
_DIFFERENT: Mapping[str, float] = {"initial": 0.0, "final": 0.0, "tone": 0.4}


def heard_alike(some: Sequence[Syllable], others: Sequence[Syllable]) -> Grid:
    """Return the `tone-aware` similarity of syllables; one row per item of `some`."""
    grids: dict[str, Grid] = {}
    for part, different in _DIFFERENT.items():
        (left, rows), (right, columns) = (
            np.unique([getattr(syllable, part) for syllable in side], return_inverse=True)
            for side in (some, others)
        )
        confused = _CONFUSED[part]
        table = [
            [1.0 if a == b else confused.get(frozenset((a, b)), different) for b in right.tolist()]
            for a in left.tolist()
        ]
        grids[part] = np.array(table)[np.ix_(rows, columns)]
    segments = (INITIAL * grids["initial"] + FINAL * grids["final"]) / (INITIAL + FINAL)
    return segments * (1 - TONE + TONE * grids["tone"])


_GRIDS: Mapping[Definition, Callable[[Sequence[Syllable], Sequence[Syllable]], Grid]] = {
    "pinyin-marks": partial(spelt_alike, "marked"),
    "pinyin-numbers": partial(spelt_alike, "spelling"),
    "tone-aware": heard_alike,
}
OTHER_READING = 0.8
"""The weight of readings other than the first one."""


class Phonology(CharacterSimilarity):
    """Phonetic similarity in [0, 1], symmetric; computed values are cached in the instance.

    There are millions of pairs of characters but few syllables, so the cache is a table of the
    similarities of all pairs of syllables. Number 0 is no syllable, similar to none.

    Args:
        definition: `pinyin-marks`, `pinyin-numbers` or `tone-aware`; see the module.

    Raises:
        UsageError: the definition is unknown.

    >>> for definition in ("pinyin-marks", "pinyin-numbers", "tone-aware"):
    ...     sound = Phonology(definition)
    ...     print([round(sound.similarity("妈", other), 2) for other in "妈麻八A"])
    [1.0, 0.5, 0.5, 0.0]
    [1.0, 0.67, 0.67, 0.0]
    [1.0, 0.91, 0.53, 0.0]
    """

    def __init__(self, definition: Definition = "tone-aware") -> None:
        check_choice("definition", definition, Definition)
        self.definition = definition
        self.name = f"{definition}/pypinyin-{version('pypinyin')}"
        self._lock = Lock()
        self._syllables: dict[Syllable, int] = {}
        self._alike = np.zeros((1, 1))
        # The row of each code point; the readings of a row are _flat[start : start + count].
        self._row = np.zeros(maxunicode + 2, dtype=np.int32)
        self._flat, self._start, self._count = np.zeros((3, 1), dtype=np.int32)

    def __reduce__(self) -> tuple[type[Phonology], tuple[Definition]]:
        return Phonology, (self.definition,)  # what is cached is looked up anew

    def similarities(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Return the similarities of two equally shaped arrays of code points, by element.

        Different characters without a reading, or beyond Unicode's range, have 0.

        >>> a, b = (np.array([ord(c) for c in text], np.uint32) for text in ("女3", "努3"))
        >>> Phonology("pinyin-numbers").similarities(a, b).round(2)
        array([0.67, 1.  ])
        """
        codes = np.minimum(np.stack((np.ravel(a), np.ravel(b))), maxunicode + 1)
        if not self._row[codes].all():
            with self._lock:
                self._learn(codes)
        left, right = self._row[codes]
        flat, start, count = self._flat, self._start, self._count
        values: NDArray[np.float64] = self._alike[flat[start[left]], flat[start[right]]]
        both = count[left] * count[right]
        several = np.flatnonzero(both > 1)
        if len(several):
            # Each reading of one with each reading of the other, the two first readings first.
            left, right, both = left[several], right[several], both[several]
            ends = np.cumsum(both)
            nth = np.arange(ends[-1]) - np.repeat(ends - both, both)
            i, j = np.divmod(nth, np.repeat(count[right], both))
            some, others = np.repeat(start[left], both) + i, np.repeat(start[right], both) + j
            scores = self._alike[flat[some], flat[others]]
            scores[nth > 0] *= OTHER_READING
            values[several] = np.maximum.reduceat(scores, ends - both)
        values = values.reshape(np.shape(a))
        values[a == b] = 1.0
        return values

    def readings(self, char: str) -> tuple[str, ...]:
        """Return the readings of a character as numbered pinyin, in order; empty if it has none.

        >>> Phonology().readings("女")[0], Phonology().readings("A")
        ('nü3', ())
        """
        return tuple(syllable.spelling for syllable in readings_of(ord(char)))

    def _learn(self, codes: NDArray[np.uint32]) -> None:
        codes = np.unique(codes[self._row[codes] == 0])
        readings = [readings_of(code) for code in codes.tolist()]
        if self.definition != "tone-aware":
            readings = [found[:1] for found in readings]
        known = len(self._syllables)
        numbers = [
            [self._syllables.setdefault(one, 1 + len(self._syllables)) for one in found] or [0]
            for found in readings
        ]
        if new := list(self._syllables)[known:]:
            grown = np.zeros((1 + len(self._syllables),) * 2)
            grown[: known + 1, : known + 1] = self._alike
            grid = _GRIDS[self.definition]
            grown[known + 1 :, 1:] = grid(new, list(self._syllables))
            grown[1:, known + 1 :] = grown[known + 1 :, 1:].T
            self._alike = grown
        count = np.array([len(found) for found in numbers], dtype=np.int32)
        start = len(self._flat) + np.cumsum(count, dtype=np.int32) - count
        flat = np.fromiter(chain.from_iterable(numbers), dtype=np.int32)
        self._flat = np.append(self._flat, flat)
        self._start, self._count = np.append(self._start, start), np.append(self._count, count)
        # Last, because other threads may be reading.
        self._row[codes] = np.arange(len(codes)) + len(self._count) - len(codes)
