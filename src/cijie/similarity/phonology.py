"""How much two characters sound alike in Mandarin, by three definitions.

`pinyin-marks` is the paper's (Wang et al.): 1 - Levenshtein distance / longer length, over the
pinyin of each character's first reading with tone marks (`mā`, `nǚ`, `de`). A vowel with its mark
is one letter, as Unicode has it. `pinyin-numbers` is the same over pinyin with tone numbers (`ma1`,
`nü3`, `de5`). A tone, an initial or any other letter weighs the same in both.

`tone-aware` compares initial, final and tone apart, and knows what learners confuse:
(.4 I + .45 F) / .85 · (.85 + .15 T), where I, F and T are 1 for what is equal, 0 (I, F) or .4 (T)
for what is not, and in between for the confusions listed below. Readings other than a character's
first count .8 as much: a rare reading in common is weak evidence.

Readings are looked up character by character, never in words. A character without a reading (a
letter, a sign, a rare ideograph) is like itself only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import chain
from sys import maxunicode
from threading import Lock
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from cijie.choices import Definition, unknown
from cijie.errors import UsageError
from cijie.similarity.candidates import code_point
from cijie.similarity.syllables import Grid, Syllable, heard_alike, readings_of, spelt_alike

_GRIDS: Mapping[Definition, Callable[[Sequence[Syllable], Sequence[Syllable]], Grid]] = {
    "pinyin-marks": partial(spelt_alike, "marked"),
    "pinyin-numbers": partial(spelt_alike, "spelling"),
    "tone-aware": heard_alike,
}
OTHER_READING = 0.8
"""What a reading other than the first one counts."""


@dataclass(frozen=True, slots=True)
class Phonology:
    """Similarity of sound in [0, 1], symmetric; what it has computed is kept with the instance.

    Args:
        definition: `pinyin-marks`, `pinyin-numbers` or `tone-aware`, see above.

    Raises:
        UsageError: an unknown definition.

    >>> for definition in ("pinyin-marks", "pinyin-numbers", "tone-aware"):
    ...     sound = Phonology(definition)
    ...     print([round(sound.similarity("妈", other), 2) for other in "妈麻八A"])
    [1.0, 0.5, 0.5, 0.0]
    [1.0, 0.67, 0.67, 0.0]
    [1.0, 0.91, 0.53, 0.0]
    """

    definition: Definition = "tone-aware"
    _readings: _Readings = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.definition not in get_args(Definition):
            raise UsageError(unknown("definition", self.definition, get_args(Definition)))
        object.__setattr__(self, "_readings", _Readings(self.definition))

    @property
    def name(self) -> str:
        """The definition and where readings are from, for the signature of a score."""
        return f"{self.definition}/pypinyin-{version('pypinyin')}"

    def similarities(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Similarity, element by element, of two equally shaped arrays of code points.

        >>> a, b = (np.array([ord(c) for c in text], np.uint32) for text in ("女3", "努3"))
        >>> Phonology("pinyin-numbers").similarities(a, b).round(2)
        array([0.67, 1.  ])
        """
        values = self._readings.similarities(np.ravel(a), np.ravel(b)).reshape(np.shape(a))
        values[a == b] = 1.0
        return values

    def similarity(self, a: str, b: str) -> float:
        """Similarity of two characters.

        Raises:
            UsageError: an argument that is not a single code point.
        """
        codes = np.array([[code_point(a)], [code_point(b)]], dtype=np.uint32)
        return float(self.similarities(*codes)[0])

    def readings(self, char: str) -> tuple[str, ...]:
        """The numbered pinyin of a character, the first reading first; empty if it has none.

        >>> Phonology().readings("女")[0], Phonology().readings("A")
        ('nü3', ())
        """
        return tuple(syllable.spelling for syllable in readings_of(ord(char)))


class _Readings:
    """The readings of the characters that were asked for, as numbers of syllables.

    There are millions of pairs of characters but few syllables, so what is kept is a table of every
    syllable with every other. Number 0 is no syllable, which is like nothing.
    """

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._lock = Lock()
        self._syllables: dict[Syllable, int] = {}
        self._alike = np.zeros((1, 1))
        # The row of each code point; those of a row are _flat[start : start + count].
        self._row = np.zeros(maxunicode + 2, dtype=np.int32)
        self._flat, self._start, self._count = np.zeros((3, 1), dtype=np.int32)

    def __reduce__(self) -> tuple[type[_Readings], tuple[Definition]]:
        return _Readings, (self._definition,)  # looked up anew

    def similarities(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Of code points, which may be equal or beyond Unicode's range: 0 without a reading."""
        left, right = self._rows(a), self._rows(b)
        flat, start, count = self._flat, self._start, self._count
        values: NDArray[np.float64] = self._alike[flat[start[left]], flat[start[right]]]
        both = count[left] * count[right]
        several = np.flatnonzero(both > 1)
        if len(several):
            # Every reading of the one with every reading of the other, the two first ones first.
            left, right, both = left[several], right[several], both[several]
            ends = np.cumsum(both)
            nth = np.arange(ends[-1]) - np.repeat(ends - both, both)
            i, j = np.divmod(nth, np.repeat(count[right], both))
            some, others = np.repeat(start[left], both) + i, np.repeat(start[right], both) + j
            alike = self._alike[flat[some], flat[others]]
            alike[nth > 0] *= OTHER_READING
            values[several] = np.maximum.reduceat(alike, ends - both)
        return values

    def _rows(self, codes: NDArray[np.uint32]) -> NDArray[np.int32]:
        codes = np.minimum(codes, maxunicode + 1)
        rows: NDArray[np.int32] = self._row[codes]
        if not rows.all():
            with self._lock:
                self._learn(codes[rows == 0])
            rows = self._row[codes]
        return rows

    def _learn(self, codes: NDArray[np.uint32]) -> None:
        codes = np.unique(codes)
        codes = codes[self._row[codes] == 0]
        readings = [readings_of(code) for code in codes.tolist()]
        if self._definition != "tone-aware":
            readings = [found[:1] for found in readings]
        known = len(self._syllables)
        numbers = [
            [self._syllables.setdefault(one, 1 + len(self._syllables)) for one in found] or [0]
            for found in readings
        ]
        if new := list(self._syllables)[known:]:
            grown = np.zeros((1 + len(self._syllables),) * 2)
            grown[: known + 1, : known + 1] = self._alike
            grid = _GRIDS[self._definition]
            grown[known + 1 :, 1:] = grid(new, list(self._syllables))
            grown[1:, known + 1 :] = grown[known + 1 :, 1:].T
            self._alike = grown
        count = np.array([len(found) for found in numbers], dtype=np.int32)
        start = len(self._flat) + np.cumsum(count, dtype=np.int32) - count
        flat = np.fromiter(chain.from_iterable(numbers), dtype=np.int32)
        self._flat = np.append(self._flat, flat)
        self._start, self._count = np.append(self._start, start), np.append(self._count, count)
        # Last, for other threads may be reading.
        self._row[codes] = np.arange(len(codes)) + len(self._count) - len(codes)
