from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import CijieError
from cijie.jobs.batches import Place, batches
from cijie.recovery.pair import Pair


def numbered(count: int) -> list[Pair]:
    return [Pair(str(k), f"第{k}", f"第{k}个") for k in range(count)]


@given(st.integers(0, 12), st.integers(1, 5))
def test_batches_hold_all_pairs_in_order(count: int, size: int) -> None:
    cut = list(batches(numbered(count), size))
    assert [pair for batch in cut for pair in batch.pairs] == numbered(count)
    assert all(len(batch.pairs) == size for batch in cut[:-1])
    assert [batch.end.pairs for batch in cut] == [*range(size, count, size), *[count] * bool(count)]


@given(st.integers(0, 12), st.integers(1, 5), st.integers(1, 5))
def test_a_run_goes_on_from_the_end_of_any_batch(count: int, size: int, other: int) -> None:
    cut = list(batches(numbered(count), size))
    for k, batch in enumerate(cut):
        assert list(batches(numbered(count), size, start=batch.end)) == cut[k + 1 :]
        rest = [p for b in batches(numbered(count), other, start=batch.end) for p in b.pairs]
        assert rest == numbered(count)[batch.end.pairs :]


def test_other_pairs_than_those_that_a_run_began_with_are_an_error() -> None:
    *_, last = batches(numbered(5), 2)
    changed = [*numbered(4), Pair("4", "第四", "第4个")]
    for pairs in (changed, numbered(4), [Pair("x", "", "")]):
        with pytest.raises(CijieError, match="first 5 pairs are not those"):
            list(batches(pairs, 2, start=last.end))
    with pytest.raises(CijieError, match="first 2 pairs"):
        list(batches(numbered(5), 2, start=Place(2, "0" * 64)))


def test_texts_are_told_apart_by_where_they_end() -> None:
    ends = {
        next(batches([pair], 1)).end.digest
        for pair in (Pair("1", "甲", "乙"), Pair("1甲", "", "乙"), Pair("1", "甲乙", ""))
    }
    assert len(ends) == 3


def test_what_cannot_be_read_goes_with_the_batch_it_was_found_in() -> None:
    unread: list[CijieError] = []

    def reading() -> Iterator[Pair]:
        for pair in numbered(4):
            unread.append(CijieError("bad", line=int(pair.id)))
            yield pair
        unread.append(CijieError("bad", line=4))

    def lines(start: Place | None = None) -> list[list[int | None]]:
        return [
            [error.line for error in batch.unread]
            for batch in batches(reading(), 2, unread=unread, start=start)
        ]

    assert lines() == [[0, 1], [2, 3], [4]]
    first = next(batches(reading(), 2, unread=unread))
    unread.clear()
    assert lines(first.end) == [[2, 3], [4]]
