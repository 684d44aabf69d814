"""How much two characters sound alike in Mandarin, by two definitions.

`pinyin` is the paper's (Wang et al.): 1 - Levenshtein distance / longer length, over the numbered
pinyin of each character's first reading (`ma1`, `nü3`, `de5`; pypinyin's `Style.TONE3` with the
neutral tone as 5). A tone, an initial or any other letter weighs the same in it.

`tone-aware` compares initial, final and tone apart, and knows what learners confuse:
(.4 I + .45 F) / .85 · (.85 + .15 T), where I, F and T are 1 for what is equal, 0 (I, F) or .4 (T)
for what is not, and in between for the confusions listed below. Readings other than a character's
first count .8 as much: a rare reading in common is weak evidence.

Readings are looked up character by character, never in words. A character without a reading (a
letter, a sign, a rare ideograph) is like itself only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import product
from sys import maxunicode
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from cijie.choices import Definition, unknown
from cijie.errors import describe

OTHER_READING = 0.8
"""What a reading other than the first one counts."""
INITIAL, FINAL, TONE = 0.4, 0.45, 0.15
"""Weights of the parts of a syllable."""

_MOST_CACHED = 1 << 20


class Syllable(NamedTuple):
    """A syllable: `spelling` with its tone's number, and its parts without zero initials.

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
        """Take apart numbered pinyin; ü may be spelt `v`, `u:` or, after l and n, `yu`."""
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


@dataclass(frozen=True, slots=True)
class Phonology:
    """Similarity of sound in [0, 1], symmetric; what it has computed is kept with the instance.

    Args:
        definition: `pinyin` or `tone-aware`, see above.

    Raises:
        ValueError: an unknown definition.

    >>> sound, paper = Phonology("tone-aware"), Phonology("pinyin")
    >>> [round(sound.similarity("妈", other), 2) for other in "妈麻八A"]
    [1.0, 0.91, 0.53, 0.0]
    >>> [round(paper.similarity("妈", other), 2) for other in "妈麻八A"]
    [1.0, 0.67, 0.67, 0.0]
    """

    definition: Definition = "tone-aware"
    _readings: dict[int, tuple[Syllable, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _pairs: dict[int, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.definition not in get_args(Definition):
            raise ValueError(unknown("definition", self.definition, get_args(Definition)))

    @property
    def name(self) -> str:
        """The definition and where readings are from, for the signature of a score."""
        return f"{self.definition}/pypinyin-{version('pypinyin')}"

    def similarities(self, a: NDArray[np.uint32], b: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Similarity, element by element, of two equally shaped arrays of code points.

        >>> a, b = (np.array([ord(c) for c in text], np.uint32) for text in ("女3", "努3"))
        >>> Phonology("pinyin").similarities(a, b).round(2)
        array([0.67, 1.  ])
        """
        a = np.asarray(a, dtype=np.uint64)
        b = np.asarray(b, dtype=np.uint64)
        keys = (np.minimum(a, b) << np.uint64(32)) | np.maximum(a, b)
        unique, inverse = np.unique(keys.ravel(), return_inverse=True)
        known = self._pairs
        if len(known) > _MOST_CACHED:
            known.clear()
        values = np.empty(len(unique))
        for place, key in enumerate(unique.tolist()):
            value = known.get(key)
            if value is None:
                value = known[key] = self._compute(key >> 32, key & 0xFFFFFFFF)
            values[place] = value
        return values[inverse].reshape(keys.shape)

    def similarity(self, a: str, b: str) -> float:
        """Similarity of two characters.

        Raises:
            ValueError: an argument that is not a single code point.
        """
        for char in (a, b):
            if len(char) != 1:
                raise ValueError(f"not a single character: {describe(char)}")
        codes = np.array([[ord(a)], [ord(b)]], dtype=np.uint32)
        return float(self.similarities(codes[0], codes[1])[0])

    def readings(self, char: str) -> tuple[str, ...]:
        """The numbered pinyin of a character, the first reading first; empty if it has none.

        >>> Phonology().readings("女")[0], Phonology().readings("A")
        ('nü3', ())
        """
        return tuple(syllable.spelling for syllable in self._read(ord(char)))

    def _compute(self, a: int, b: int) -> float:
        if a == b:
            return 1.0
        first, second = self._read(a), self._read(b)
        if not first or not second:
            return 0.0
        if self.definition == "pinyin":
            return Levenshtein.normalized_similarity(first[0].spelling, second[0].spelling)
        return max(
            _tone_aware(x, y) * (1.0 if x is first[0] and y is second[0] else OTHER_READING)
            for x, y in product(first, second)
        )

    def _read(self, code: int) -> tuple[Syllable, ...]:
        found = self._readings.get(code)
        if found is None:
            found = self._readings[code] = _look_up(code)
        return found


def _look_up(code: int) -> tuple[Syllable, ...]:
    if code > maxunicode:  # a number that stands for a cluster of several code points
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


def _tone_aware(a: Syllable, b: Syllable) -> float:
    initial = _likeness(a.initial, b.initial, _INITIALS)
    final = _likeness(a.final, b.final, _FINALS)
    tone = _likeness(a.tone, b.tone, _TONES, default=0.4)
    segments = (INITIAL * initial + FINAL * final) / (INITIAL + FINAL)
    return segments * (1 - TONE + TONE * tone)


def _likeness(
    a: str, b: str, confusions: Mapping[frozenset[str], float], default: float = 0.0
) -> float:
    return 1.0 if a == b else confusions.get(frozenset((a, b)), default)


def _confusions(listed: Mapping[str, float]) -> dict[frozenset[str], float]:
    return {
        frozenset(pair.split("/")): likeness
        for pairs, likeness in listed.items()
        for pair in pairs.split()
    }


_INITIALS = _confusions(
    {
        "z/zh c/ch s/sh": 0.8,  # retroflex or not
        "n/l": 0.7,
        "r/l f/h": 0.6,
        "b/p d/t g/k j/q z/c zh/ch": 0.6,  # aspirated or not
        "j/zh q/ch x/sh j/z q/c x/s": 0.5,  # palatal or not
        "zh/c z/ch": 0.5,
    }
)
_FINALS = _confusions(
    {
        "an/ang en/eng in/ing ian/iang uan/uang uen/ueng uen/ong": 0.8,  # -n or -ng
        "u/ü uan/üan uen/ün uo/o ü/i üe/ie üan/ian ün/in": 0.7,  # how rounded
        "an/ian ang/iang ao/iao ou/iou a/ia e/ie an/uan ang/uang en/uen": 0.5,  # medial lost
        "a/ua ai/uai ei/uei ong/iong e/uo e/o ou/uo ong/eng": 0.5,
        "en/in eng/ing ei/ai ie/ei": 0.4,
    }
)
_TONES = _confusions({"2/3": 0.7, "1/5 2/5 3/5 4/5": 0.6})
