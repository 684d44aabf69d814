from collections.abc import Iterator
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import CijieError
from cijie.jobs.batches import Batch, Extent, batches, passed
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

from strategies import texts


def numbered(count: int) -> list[Sentence]:
    return [Sentence(str(k), f"第{k}", f"第{k}个") for k in range(count)]


@given(st.integers(0, 12), st.integers(1, 5))
def test_batches_hold_all_pairs_in_order(count: int, size: int) -> None:
    cut = list(batches(numbered(count), size))
    assert [pair for batch in cut for pair in batch.records] == numbered(count)
    assert all(len(batch.records) == size for batch in cut[:-1])
    assert [batch.end.size for batch in cut] == [*range(size, count, size), *[count] * bool(count)]


def reading(kinds: list[bool]) -> Iterator[Sentence | CijieError]:
    """Pairs; where a kind is false, a record that cannot be read."""
    for line, good in enumerate(kinds):
        if good:
            yield Sentence(str(line), f"第{line}", "")
        else:
            yield CijieError("bad", line=line)


@given(st.lists(st.booleans(), max_size=12), st.integers(1, 5), st.integers(1, 5))
def test_a_run_goes_on_from_the_end_of_any_batch(kinds: list[bool], size: int, other: int) -> None:
    def ids(some: Iterator[Batch]) -> list[str]:
        return [
            record.id if isinstance(record, Sentence) else f"line {record.line}"
            for batch in some
            for record in batch.records
        ]

    whole = [str(k) if good else f"line {k}" for k, good in enumerate(kinds)]
    assert ids(batches(reading(kinds), size)) == whole
    ends = [batch.end for batch in batches(reading(kinds), size, digest=sha256())]
    for end in ends:
        records = reading(kinds)
        digest = passed(records, end)
        left = list(batches(records, other, before=end.size, digest=digest))
        assert ids(iter(left)) == whole[end.size :]
        assert not left or left[-1].end == ends[-1]


def test_other_records_than_those_that_a_run_began_with_are_an_error() -> None:
    *_, last = batches(numbered(5), 2, digest=sha256())
    changed = [*numbered(4), Sentence("4", "第四", "第4个")]
    for pairs in (changed, numbered(4), [Sentence("x", "", "")]):
        with pytest.raises(CijieError, match="first 5 records differ from those"):
            passed(iter(pairs), last.end)
    with pytest.raises(CijieError, match="first 2 records"):
        passed(iter(numbered(5)), Extent(2, "0" * 64))


def end(pair: Sentence) -> Extent:
    return next(batches([pair], 1, digest=sha256())).end


@given(st.lists(st.tuples(texts, texts, texts), min_size=2, max_size=2))
def test_pairs_that_differ_have_different_digests(pairs: list[tuple[str, str, str]]) -> None:
    first, second = (Sentence(*pair) for pair in pairs)
    assert (end(first) == end(second)) == (first == second)


def test_what_is_recovered_from_is_in_the_digest() -> None:
    cut = Segmentation.from_tokens("甲乙", ["甲", "乙"])
    whole = Segmentation.from_tokens("甲乙", ["甲乙"])
    pairs = [
        Sentence(
            "1",
            "甲乙",
            ("甲乙",),
            initial=initial,
            target_segmentations=() if target is None else (target,),
        )
        for initial, target in ((None, None), (cut, None), (None, cut), (cut, cut), (whole, cut))
    ]
    pairs += [
        Sentence("1甲", "乙", "甲乙"),
        Sentence("1", "甲", "乙甲乙"),
        Sentence("1", "甲\0乙", ""),
    ]
    pairs += [Sentence("1", "甲", "\0乙"), Sentence("1", "\ud800", "")]
    assert len({end(pair).sha256 for pair in pairs}) == len(pairs)
