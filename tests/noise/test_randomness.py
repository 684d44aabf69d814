"""The random stream: what it is made of, and that its numbers are fair."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.noise.randomness import RandomStream


class Given(RandomStream):
    """A stream of given numbers."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = iter(numbers)

    def bits(self) -> int:
        return next(self._numbers)


def test_the_numbers_are_sha256_in_counter_mode() -> None:
    stream = RandomStream("词界")
    blocks = b"".join(sha256(f"词界#{n}".encode()).digest() for n in range(2))
    expected = [int.from_bytes(blocks[k : k + 8], "big") for k in range(0, 64, 8)]
    assert [stream.bits() for _ in range(8)] == expected


def test_numbers_that_would_favour_some_remainders_are_passed_over() -> None:
    # 2**64 is 1 modulo 3 and modulo 5, so that the last number belongs to no full round.
    assert Given(2**64 - 1, 4).below(3) == 1
    assert Given(2**64 - 1, 9).below(5) == 4
    assert Given(2**64 - 2).below(5) == 4
    assert Given(2**64 - 1).below(2**64) == 2**64 - 1


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_there_is_no_number_below(n: int) -> None:
    with pytest.raises(ValueError, match="below"):
        RandomStream("").below(n)


@given(st.integers(0, 60), st.data())
def test_a_sample_has_no_number_twice(n: int, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, n))
    sample = RandomStream(str(n)).sample(n, size)
    assert len(set(sample)) == len(sample) == size
    assert set(sample) <= set(range(n))


def test_every_sample_is_drawn_by_one_choice_of_numbers() -> None:
    samples = Counter(
        tuple(Given(first, second).sample(4, 2)) for first in range(4) for second in range(3)
    )
    assert samples == Counter(permutations(range(4), 2))


@pytest.mark.parametrize(("n", "size"), [(3, 4), (3, -1)])
def test_a_sample_that_there_is_not(n: int, size: int) -> None:
    with pytest.raises(ValueError, match="different numbers"):
        RandomStream("").sample(n, size)
