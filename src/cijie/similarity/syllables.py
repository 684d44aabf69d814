"""Syllables of Mandarin, and how much two of them sound alike; see `cijie.similarity.phonology`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sys import maxunicode
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

Grid = NDArray[np.float64]

INITIAL, FINAL, TONE = 0.4, 0.45, 0.15
"""Weights of the parts of a syllable."""


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
    """The readings of a character by its code point, the first one first; none of a number beyond.

    >>> [syllable.spelling for syllable in readings_of(ord("女"))][0], readings_of(ord("A"))
    ('nü3', ())
    """
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


def spelt_alike(
    spelling: Literal["spelling", "marked"], some: Sequence[Syllable], others: Sequence[Syllable]
) -> Grid:
    """1 - Levenshtein distance / longer length, in that spelling; a row for each of `some`."""
    spelt = ([getattr(syllable, spelling) for syllable in side] for side in (some, others))
    grid: Grid = cdist(*spelt, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    return grid


def heard_alike(some: Sequence[Syllable], others: Sequence[Syllable]) -> Grid:
    """(.4 I + .45 F) / .85 · (.85 + .15 T), likeness of the parts, a row for each of `some`."""
    initial = _parts_alike(some, others, "initial", INITIALS)
    final = _parts_alike(some, others, "final", FINALS)
    tone = _parts_alike(some, others, "tone", TONES, default=0.4)
    segments = (INITIAL * initial + FINAL * final) / (INITIAL + FINAL)
    grid: Grid = segments * (1 - TONE + TONE * tone)
    return grid


def _parts_alike(
    some: Sequence[Syllable],
    others: Sequence[Syllable],
    part: str,
    confusions: Mapping[frozenset[str], float],
    default: float = 0.0,
) -> Grid:
    """1 for equal parts, the likeness of those that are confused, `default` for all others."""
    (left, rows), (right, columns) = (
        np.unique([getattr(syllable, part) for syllable in side], return_inverse=True)
        for side in (some, others)
    )
    table = [
        [1.0 if a == b else confusions.get(frozenset((a, b)), default) for b in right.tolist()]
        for a in left.tolist()
    ]
    grid: Grid = np.array(table)[np.ix_(rows, columns)]
    return grid


def _confusions(listed: Mapping[str, float]) -> dict[frozenset[str], float]:
    return {
        frozenset(pair.split("/")): likeness
        for pairs, likeness in listed.items()
        for pair in pairs.split()
    }


INITIALS = _confusions(
    {
        "z/zh c/ch s/sh": 0.8,  # retroflex or not
        "n/l": 0.7,
        "r/l f/h": 0.6,
        "b/p d/t g/k j/q z/c zh/ch": 0.6,  # aspirated or not
        "j/zh q/ch x/sh j/z q/c x/s": 0.5,  # palatal or not
        "zh/c z/ch": 0.5,
    }
)
FINALS = _confusions(
    {
        "an/ang en/eng in/ing ian/iang uan/uang uen/ueng uen/ong": 0.8,  # -n or -ng
        "u/ü uan/üan uen/ün uo/o ü/i üe/ie üan/ian ün/in": 0.7,  # how rounded
        "an/ian ang/iang ao/iao ou/iou a/ia e/ie an/uan ang/uang en/uen": 0.5,  # medial lost
        "a/ua ai/uai ei/uei ong/iong e/uo e/o ou/uo ong/eng": 0.5,
        "en/in eng/ing ei/ai ie/ei": 0.4,
    }
)
TONES = _confusions({"2/3": 0.7, "1/5 2/5 3/5 4/5": 0.6})
