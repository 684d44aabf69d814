"""Random numbers that are the same on every machine and in every version of everything."""

from __future__ import annotations

from hashlib import sha256

_BITS = 64
_BYTES = _BITS // 8


class RandomStream:
    """A stream of random numbers that is determined by its key: SHA-256 in counter mode.

    Block n = 0, 1, 2, … is the SHA-256 of `key#n` in UTF-8. It gives four numbers of 64 bits, from
    left to right, big-endian. That is all, so that the same numbers can be had in any language;
    what libraries draw from their generators changes from version to version.

    >>> stream = RandomStream("example")
    >>> [stream.below(10) for _ in range(12)]
    [7, 7, 2, 8, 6, 6, 7, 7, 7, 6, 8, 9]
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._blocks = 0
        self._left = b""

    def bits(self) -> int:
        """The next number of the stream, from 0 to 2**64 - 1."""
        if not self._left:
            self._left = sha256(f"{self._key}#{self._blocks}".encode()).digest()
            self._blocks += 1
        number, self._left = self._left[:_BYTES], self._left[_BYTES:]
        return int.from_bytes(number, "big")

    def below(self, n: int) -> int:
        """A number from 0 to `n` - 1, each as likely as any other.

        It is the next number of the stream modulo `n`; the last numbers of the range, in which some
        remainders would occur once more than others, are passed over.

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
        """`size` different numbers below `n`, in random order; all such lists are equally likely.

        It is the beginning of a Fisher-Yates shuffle, from the left.

        Raises:
            ValueError: there are fewer than `size` such numbers.
        """
        if not 0 <= size <= n:
            raise ValueError(f"there are not {size} different numbers below {n}")
        moved: dict[int, int] = {}  # what has been exchanged so far
        sample = []
        for place in range(size):
            other = place + self.below(n - place)
            sample.append(moved.get(other, other))
            moved[other] = moved.get(place, place)
        return sample
