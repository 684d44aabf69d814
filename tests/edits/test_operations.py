from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.edits import edits as module
from cijie.edits.edits import Operation, operations

WORDS = st.lists(st.sampled_from("abcd"), max_size=9)


def by_definition(source: list[str], target: list[str]) -> list[Operation]:
    """The definition word for word: every pair of beginnings, every reordering."""

    @cache
    def best(i: int, j: int) -> tuple[int, tuple[Operation, ...]]:
        if i == j == 0:
            return 0, ()
        if i and j and source[i - 1] == target[j - 1]:
            return best(i - 1, j - 1)
        ways = []  # the first of the cheapest is taken
        for size in range(1, min(i, j) + 1):
            before, after = source[i - size : i], target[j - size : j]
            if any(a == b for a, b in zip(before, after, strict=True)):
                break
            if Counter(before) == Counter(after):
                ways.append(("reorder", size, size, 2 * (size - 1)))
                break
        if i and j:
            ways.append(("substitute", 1, 1, 3))
        if i:
            ways.append(("delete", 1, 0, 2))
        if j:
            ways.append(("insert", 0, 1, 2))
        cost, kind, a, b = min(
            ((best(i - a, j - b)[0] + cost, kind, a, b) for kind, a, b, cost in ways),
            key=lambda way: way[0],
        )
        return cost, (*best(i - a, j - b)[1], Operation(kind, i - a, i, j - b, j))

    return list(best(len(source), len(target))[1])


@given(WORDS, WORDS, WORDS, WORDS)
def test_it_is_the_definition(
    begin: list[str], end: list[str], source: list[str], target: list[str]
) -> None:
    source, target = begin + source + end, begin + target + end
    assert operations(source, target) == by_definition(source, target)


@given(WORDS, WORDS)
def test_many_words_are_aligned_by_those_in_common(source: list[str], target: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_CELLS", -1)
        found = operations(source, target)
    assert {step.kind for step in found} <= {"delete", "insert"}
    words, at = [], 0
    for step in found:
        words += source[at : step.start] + target[step.target_start : step.target_end]
        at = step.end
    assert words + source[at:] == target
