from hashlib import sha256
from pathlib import Path

import pytest

from cijie.errors import CijieError, FormatError
from cijie.evaluation.counts import Coverage
from cijie.jobs.batches import Extent, Tally
from cijie.jobs.journal import Journal, extent_of

JOURNAL = Journal(
    "cijie:0|…",
    Extent(3, "a" * 64),
    (Extent(7, "b" * 64), Extent()),
    Tally(Coverage(pairs=2), inserted=1, quarantined=1),
)


def test_a_journal_is_read_as_it_was_written() -> None:
    assert Journal.from_bytes(JOURNAL.as_bytes(), "x", "cijie:0|…") == JOURNAL


def test_no_flipped_bit_is_believed() -> None:
    content = JOURNAL.as_bytes()
    refused = 0
    for k in range(len(content)):
        for bit in range(8):
            flipped = content[:k] + bytes([content[k] ^ 1 << bit]) + content[k + 1 :]
            try:
                # A blank for a line break is the same journal.
                assert Journal.from_bytes(flipped, "x", "cijie:0|…") == JOURNAL
            except CijieError:
                refused += 1
    assert refused > 8 * 0.8 * len(content)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b'{"run": {}, "sha256": ""}', b"\xff"])
def test_what_is_no_journal(content: bytes) -> None:
    with pytest.raises(FormatError, match="^x: not a journal of cijie: "):
        Journal.from_bytes(content, "x", "")


def test_a_file_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert extent_of(path) is None
    for content in (b"", b"12", bytes(3_000_000)):
        path.write_bytes(content)
        assert extent_of(path) == Extent(len(content), sha256(content).hexdigest())
