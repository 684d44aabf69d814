"""P1: links between identical characters, in order, as many as there can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel, Postfix, Prefix

from cijie.alignment.links import Alignment, Block, maximal
from cijie.errors import AlignmentError
from cijie.text.characters import Characters, characters, is_plain

MOST_CELLS = 1 << 33
"""Pairs of characters up to which two texts are compared: RapidFuzz keeps a bit for each, 1 GiB."""


def anchors(source: str, target: str) -> Alignment:
    """Link identical characters of `source` and `target` by a longest common subsequence.

    The number of links is the largest possible for links that keep the order (a Levenshtein
    alignment in which a substitution costs a deletion and an insertion). Among the many that reach
    it, the choice is: the common prefix, then the common suffix of the texts; in what remains,
    from the end backwards, a source character is left unlinked whenever that loses no link, else a
    target character whenever that loses none, else the two are linked. Anchors so lie as early as
    they can.

    Characters are grapheme clusters: one is linked with all its code points or not at all.

    The time is O(m · n).

    Raises:
        AlignmentError: the texts are too long: between their common prefix and suffix, more than
            `MOST_CELLS` pairs of characters, some 90,000 characters on either side.

    >>> anchors("天天天见", "天天见").anchors
    ((0, 0, 2), (3, 2, 1))
    >>> anchors("我参加了旅行困", "我参加了旅行团").anchors
    ((0, 0, 6),)
    """
    m, n = len(source), len(target)
    if is_plain(source) and is_plain(target):
        return Alignment.unchecked(m, n, common_blocks(source, target))
    left, right = characters(source), characters(target)
    blocks = [
        (left.cores[i + k] + offset, right.cores[j + k] + offset, 1)
        for i, j, size in common_blocks(*_numbered(left, right))
        for k in range(size)
        for offset in range(len(left.keys[i + k]))
    ]
    return Alignment(m, n, tuple(maximal(blocks)))


@dataclass(frozen=True, slots=True)
class AnchorAligner:
    """P1: anchors alone."""

    signature: str = "method:p1"

    def align(self, texts: Sequence[tuple[str, str]]) -> list[Alignment]:
        """Align a batch of `(source, target)` pairs."""
        return [anchors(source, target) for source, target in texts]


def common_blocks(source: str | Sequence[int], target: str | Sequence[int]) -> tuple[Block, ...]:
    """A longest common subsequence of two sequences as blocks, by the rule of `anchors`.

    Raises:
        AlignmentError: the sequences are too long.
    """
    if len(source) * len(target) > MOST_CELLS:
        _check_size(source, target)
    matches = Indel.editops(source, target).as_matching_blocks()
    return tuple([(match.a, match.b, match.size) for match in matches if match.size])


def _check_size(source: str | Sequence[int], target: str | Sequence[int]) -> None:
    # RapidFuzz leaves out the common prefix, then the common suffix of the rest.
    before = Prefix.similarity(source, target)
    after = Postfix.similarity(source[before:], target[before:])
    m, n = (len(side) - before - after for side in (source, target))
    if m * n > MOST_CELLS:
        raise AlignmentError(
            f"texts that differ over {m:,} and {n:,} characters cannot be aligned: "
            f"{m * n:,} pairs of characters, at most {MOST_CELLS:,}"
        )


def _numbered(source: Characters, target: Characters) -> tuple[list[int], list[int]]:
    # RapidFuzz compares what is not a single character by its hash, and hashes of strings differ
    # from process to process; numbers do not.
    numbers: dict[str, int] = {}
    left, right = (
        [numbers.setdefault(key, len(numbers)) for key in side.keys] for side in (source, target)
    )
    return left, right
