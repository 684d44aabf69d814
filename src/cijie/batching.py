"""Group an iterable into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def batched(items: Iterable[Item], size: int = 256) -> Iterator[list[Item]]:
    """Yield lists of `size` items, lazily and in order; the last list may be shorter.

    >>> list(batched("我们去旅行", 2))
    [['我', '们'], ['去', '旅'], ['行']]
    """
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
