from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cijie.errors import FormatError
from cijie.evaluation.counts import Coverage
from cijie.jobs.journal import Extent, Journal, Measured, Tally

JOURNAL = Journal(
    "cijie:0|…",
    Extent(3, "a" * 64),
    (Extent(7, "b" * 64), Extent()),
    Tally(Coverage(pairs=2), inserted=1, quarantined=1),
)


def test_a_journal_is_read_as_it_was_written() -> None:
    assert Journal.from_bytes(JOURNAL.as_bytes(), "x") == JOURNAL


def test_no_flipped_bit_is_believed() -> None:
    content = JOURNAL.as_bytes()
    refused = 0
    for k in range(len(content)):
        for bit in range(8):
            flipped = content[:k] + bytes([content[k] ^ 1 << bit]) + content[k + 1 :]
            try:
                # A blank for a line break is the same journal.
                assert Journal.from_bytes(flipped, "x") == JOURNAL
            except FormatError:
                refused += 1
    assert refused > 8 * 0.8 * len(content)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"run": {}, "sha256": ""}', b"\xff"])
def test_what_is_no_journal(content: bytes) -> None:
    with pytest.raises(FormatError, match="^x: not a journal of cijie: "):
        Journal.from_bytes(content, "x")


@given(st.binary(max_size=40), st.integers(0, 50))
def test_the_extent_of_a_beginning(content: bytes, most: int) -> None:
    stream = BytesIO(content)
    assert (
        Measured(stream).pass_over(most).extent
        == Measured(BytesIO(content[:most])).pass_over().extent
    )
    assert stream.read() == content[most:]
