from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Mapping
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from cijie.similarity import phonology as module
from cijie.similarity.phonology import Phonology, Syllable

DEFINITIONS = ("pinyin-marks", "pinyin-numbers", "tone-aware")
# Mostly ideographs, with readings or without, and anything else, beyond the BMP too.
characters = st.one_of(
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
    st.characters(exclude_categories=["Cs"]),
)


@pytest.fixture(scope="module")
def sound() -> Phonology:
    return Phonology("tone-aware")


@pytest.fixture(scope="module")
def marks() -> Phonology:
    return Phonology("pinyin-marks")


@pytest.fixture(scope="module")
def numbers() -> Phonology:
    return Phonology("pinyin-numbers")


@pytest.mark.parametrize(
    ("pair", "with_marks", "with_numbers"),
    [
        ("妈麻", 1 / 2, 2 / 3),  # mā má, ma1 ma2
        ("妈八", 1 / 2, 2 / 3),  # mā bā, ma1 ba1
        ("女努", 1 / 2, 2 / 3),  # nǚ nǔ, nü3 nu3
        ("履旅", 1, 1),
        ("在再", 1, 1),
        ("是四", 2 / 3, 3 / 4),  # shì sì, shi4 si4
        ("妈马", 1 / 2, 2 / 3),
        ("吗妈", 1 / 2, 2 / 3),  # ma mā, ma5 ma1: the neutral tone is one more tone
        ("啊爱", 0, 1 / 3),  # a ài, a5 ai4
    ],
)
def test_pinyin(
    marks: Phonology, numbers: Phonology, pair: str, with_marks: float, with_numbers: float
) -> None:
    assert marks.similarity(*pair) == pytest.approx(with_marks)
    assert numbers.similarity(*pair) == pytest.approx(with_numbers)


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        ("妈麻", 0.91),  # another tone
        ("妈八", 0.45 / 0.85),  # another initial
        ("马麻", 0.955),  # second and third tone
        ("妈吗", 0.94),  # neutral tone
        ("女努", (0.4 + 0.45 * 0.7) / 0.85),
        ("履旅", 1),
        ("是四", (0.4 * 0.8 + 0.45) / 0.85),
        ("那辣", (0.4 * 0.7 + 0.45) / 0.85),
        ("金京", (0.4 + 0.45 * 0.8) / 0.85),
        ("的地", 0.8),  # 地 is read de5, but not first
        ("鸟水", 0),
    ],
)
def test_tone_aware(sound: Phonology, pair: str, expected: float) -> None:
    assert sound.similarity(*pair) == pytest.approx(expected)


def test_only_tone_aware_tells_tones_from_initials(
    marks: Phonology, numbers: Phonology, sound: Phonology
) -> None:
    for paper in (marks, numbers):
        assert paper.similarity("妈", "麻") == paper.similarity("妈", "八")
    assert sound.similarity("妈", "麻") > 0.9
    assert sound.similarity("妈", "八") < 0.6


@pytest.mark.parametrize(
    ("char", "first"),
    [("女", "nü3"), ("旅", "lü3"), ("略", "lüe4"), ("的", "de5"), ("儿", "er2"), ("一", "yi1")],
)
def test_first_reading(sound: Phonology, char: str, first: str) -> None:
    assert sound.readings(char)[0] == first


@pytest.mark.parametrize("spelling", ["lü3", "lv3", "lyu3", "lu:3"])
def test_spellings_of_umlaut(spelling: str) -> None:
    assert Syllable.parse(spelling) == Syllable("lü3", "l", "ü", "3")


@pytest.mark.parametrize(
    ("spelling", "initial", "final", "tone"),
    [
        ("yi1", "", "i", "1"),
        ("wu2", "", "u", "2"),
        ("yu3", "", "ü", "3"),
        ("ju4", "j", "ü", "4"),
        ("a", "", "a", "5"),
        ("you3", "", "iou", "3"),
        ("liu4", "l", "iou", "4"),
        ("zhun3", "zh", "uen", "3"),
        ("er2", "", "er", "2"),
        ("ng2", "", "ng", "2"),
        ("hm5", "", "hm", "5"),
    ],
)
def test_fields_of_a_syllable(spelling: str, initial: str, final: str, tone: str) -> None:
    assert Syllable.parse(spelling)[1:] == (initial, final, tone)


@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize("char", ["A", "3", "。", "🙂", "\u200b", "\U0010ffff", " ", "兡"])
def test_without_a_reading(definition: str, char: str) -> None:
    phonology = Phonology(definition)
    assert phonology.similarity(char, "困") == 0
    assert phonology.similarity(char, char) == 1
    assert phonology.readings(char) == ()


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_numbers_beyond_unicode_and_surrogates(definition: str) -> None:
    a = np.array([0x110000, 0xD800, ord("困")], np.uint32)
    assert Phonology(definition).similarities(a, np.roll(a, 1)).tolist() == [0, 0, 0]
    assert Phonology(definition).similarities(a, a).tolist() == [1, 1, 1]


@given(st.lists(st.tuples(characters, characters), max_size=6))
def test_symmetric_and_in_range(
    sound: Phonology, marks: Phonology, numbers: Phonology, pairs: list[tuple[str, str]]
) -> None:
    a, b = (np.array([ord(pair[side]) for pair in pairs], np.uint32) for side in (0, 1))
    for phonology in (sound, marks, numbers):
        forth, back = phonology.similarities(a, b), phonology.similarities(b, a)
        assert np.array_equal(forth, back)
        assert np.all((forth >= 0) & (forth <= 1))
        assert np.all(phonology.similarities(a, a) == 1)
        # Neither batches nor what was asked before make a difference.
        fresh = Phonology(phonology.definition)
        assert forth.tolist() == [fresh.similarity(*pair) for pair in pairs]


SPELT = {"pinyin-marks": attrgetter("marked"), "pinyin-numbers": attrgetter("spelling")}


def by_definition(definition: str, a: str, b: str) -> float:
    """The definitions at the head of `cijie.similarity.phonology`, one reading after another."""
    if a == b:
        return 1.0

    def alike(x: str, y: str, confused: Mapping[frozenset[str], float], other: float) -> float:
        return 1.0 if x == y else confused.get(frozenset((x, y)), other)

    values = [0.0]
    for k, x in enumerate(module.readings_of(ord(a))):
        for n, y in enumerate(module.readings_of(ord(b))):
            if definition != "tone-aware":
                if k == n == 0:
                    spelt = SPELT[definition]
                    values.append(Levenshtein.normalized_similarity(spelt(x), spelt(y)))
                continue
            initial = alike(x.initial, y.initial, module._CONFUSED["initial"], 0)
            final = alike(x.final, y.final, module._CONFUSED["final"], 0)
            tone = alike(x.tone, y.tone, module._CONFUSED["tone"], 0.4)
            value = (0.4 * initial + 0.45 * final) / 0.85 * (0.85 + 0.15 * tone)
            values.append(value * (1 if k == n == 0 else 0.8))
    return max(values)


@given(st.lists(st.tuples(st.sampled_from("的地得困团女努行发长重了🙂兡"), characters)))
def test_similarities_are_those_of_the_definition(
    sound: Phonology, marks: Phonology, numbers: Phonology, pairs: list[tuple[str, str]]
) -> None:
    a, b = (np.array([ord(pair[side]) for pair in pairs], np.uint32) for side in (0, 1))
    for phonology in (sound, marks, numbers):
        expected = [by_definition(phonology.definition, *pair) for pair in pairs]
        assert phonology.similarities(a, b).tolist() == pytest.approx(expected, abs=1e-15)


def test_a_phonology_is_sent_to_another_process_without_what_it_knows(sound: Phonology) -> None:
    sound.similarity("困", "团")
    sent = pickle.dumps(sound)
    assert len(sent) < 1000
    assert pickle.loads(sent).similarity("困", "团") == sound.similarity("困", "团")


def test_shapes(sound: Phonology) -> None:
    empty = np.empty(0, np.uint32)
    assert sound.similarities(empty, empty).shape == (0,)
    square = np.array([[ord("妈"), ord("麻")], [ord("八"), ord("妈")]], np.uint32)
    assert sound.similarities(square, square.T).shape == (2, 2)


@pytest.mark.parametrize("bad", ["", "妈妈"])
def test_not_one_character(sound: Phonology, bad: str) -> None:
    with pytest.raises(ValueError, match="single character"):
        sound.similarity("妈", bad)


def test_unknown_definition() -> None:
    with pytest.raises(ValueError, match=r"'zhuyin'.*pinyin-marks, pinyin-numbers, tone-aware"):
        Phonology("zhuyin")


def test_name() -> None:
    assert Phonology("pinyin-marks").name.startswith("pinyin-marks/pypinyin-")
    assert Phonology().name.startswith("tone-aware/pypinyin-")


def test_pypinyin_is_imported_only_when_needed() -> None:
    code = (
        "import sys; from cijie.similarity.phonology import Phonology; Phonology().name; "
        "sys.exit('pypinyin' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
