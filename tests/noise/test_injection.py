from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import CijieError
from cijie.noise.injection import GLYPH_ALIKE, SOUND_ALIKE, Alike, Noise, Pool
from cijie.noise.randomness import RandomStream
from cijie.similarity.features import CodePoints, Floats
from cijie.similarity.glyph import GlyphTable
from cijie.similarity.phonology import Phonology


class Fixed(RandomStream):
    """Gives a chosen number, and remembers what it was to be below."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.limit = 0

    def below(self, n: int) -> int:
        self.limit = n
        return self.number


@given(st.text("我们去旅行", max_size=12), st.sampled_from(["", "我", "们", "行", "世"]))
def test_each_occurrence_but_one_characters_is_drawn_by_one_number(text: str, but: str) -> None:
    pool = Pool.of([text], "test")
    expected = Counter(char for char in text if char != but)
    if not expected:
        with pytest.raises(CijieError, match="no character other than"):
            pool.draw(Fixed(), but=but)
        return
    stream = Fixed()
    pool.draw(stream, but=but)
    assert stream.limit == expected.total()
    drawn = Counter(pool.draw(Fixed(number), but=but) for number in range(stream.limit))
    assert drawn == expected


def test_a_pool_is_of_characters_and_has_no_white_space() -> None:
    pool = Pool.of(["👩\u200d🏫 e\u0301", "好\u3000好\u200b"], "test")
    assert pool.counts == (("e\u0301", 1), ("好", 2), ("👩\u200d🏫", 1))


def test_similar_substitutes_look_or_sound_like_the_right_character() -> None:
    pool = Pool.of(["团困因旅行铝吕的得地他她我们去参加了，。"], "test")
    noise = Noise.similar(pool)
    stream = RandomStream("test")
    glyphs, sounds = GlyphTable.builtin(), Phonology("tone-aware")
    # 团 has only look-alikes here, 旅 only 吕 and 铝, which sound like it.
    for _ in range(20):
        assert glyphs.similarity("团", noise.substitution("团", stream)) >= GLYPH_ALIKE
        assert sounds.similarity("旅", noise.substitution("旅", stream)) >= SOUND_ALIKE
        assert noise.substitution("他", stream) != "他"


def test_a_coin_decides_between_shape_and_sound() -> None:
    class Like:
        """Only one character is similar to others."""

        name = "like"

        def __init__(self, char: str) -> None:
            self.char = ord(char)

        def similarities(self, a: CodePoints, b: CodePoints) -> Floats:
            return (b == self.char).astype(np.float64)

    alike = {"glyph": Alike(Like("甲"), 1), "sound": Alike(Like("乙"), 1)}
    noise = Noise(Pool.of(["甲乙丙"], "test"), alike)
    stream = RandomStream("test")
    seen = Counter(noise.substitution("丙", stream) for _ in range(100))
    assert set(seen) == {"甲", "乙"}
    assert min(seen.values()) > 30
    assert {noise.substitution("甲", stream) for _ in range(20)} == {"乙"}


@pytest.mark.parametrize("char", ["，", "Ａ", "👩\u200d🏫", "e\u0301"])
def test_what_is_like_nothing_is_replaced_from_the_whole_pool(char: str) -> None:
    noise = Noise.similar(Pool.of(["我们去"], "test"))
    assert noise.substitution(char, RandomStream("test")) in "我们去"
