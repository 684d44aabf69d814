"""Generate random numbers that are identical on every machine and in every version."""

from __future__ import annotations

from hashlib import sha256

_BITS = 64
_BYTES = _BITS // 8


class RandomStream:
    """A stream of random numbers determined by its key: SHA-256 in counter mode.

    Block n = 0, 1, 2, … is the SHA-256 of `key#n` in UTF-8. It yields four numbers of 64 bits, from
    left to right, big-endian. This is easy to reproduce in any language, whereas the generators of
    libraries change from version to version.

    >>> stream = RandomStream("example")
    >>> [stream.below(10) for _ in range(12)]
    [7, 7, 2, 8, 6, 6, 7, 7, 7, 6, 8, 9]
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._blocks = 0
        self._left = b""

    def bits(self) -> int:
        """Return the next number of the stream, from 0 to 2**64 - 1."""
        if not self._left:
            self._left = sha256(f"{self._key}#{self._blocks}".encode()).digest()
            self._blocks += 1
        number, self._left = self._left[:_BYTES], self._left[_BYTES:]
        return int.from_bytes(number, "big")

    def below(self, n: int) -> int:
        """Return a uniformly distributed number from 0 to `n` - 1.

        It is the next number of the stream modulo `n`. Numbers from the largest multiple of `n`
        upwards are skipped, because they would favour some remainders.

        Raises:
            ValueError: `n` is not from 1 to 2**64.
        """
        if not 1 <= n <= 1 << _BITS:
            raise ValueError(f"there are no random numbers below {n}")
        end = (1 << _BITS) // n * n
        number = self.bits()
        while number >= end:
            number = self.bits()
        return number % n

    def sample(self, n: int, size: int) -> list[int]:
        """Return `size` distinct numbers below `n`; all such lists are equally likely.

        This is the beginning of a Fisher-Yates shuffle, from the left.

        Raises:
            ValueError: `size` is negative or above `n`.
        """
        if not 0 <= size <= n:
            raise ValueError(f"there are not {size} different numbers below {n}")
        moved: dict[int, int] = {}  # the exchanges so far
        sample = []
        for place in range(size):
            other = place + self.below(n - place)
            sample.append(moved.get(other, other))
            moved[other] = moved.get(place, place)
        return sample
