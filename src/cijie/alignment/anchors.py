"""P1: link the largest possible number of identical characters in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel, Postfix, Prefix

from cijie.alignment.links import Alignment, AnchorRun, maximal
from cijie.errors import AlignmentError
from cijie.text.characters import Characters, characters, is_plain

MOST_CELLS = 1 << 33
"""The maximum number of character pairs of two texts: RapidFuzz keeps one bit per pair, 1 GiB."""


def anchors(source: str, target: str) -> Alignment:
    """Link identical characters of `source` and `target` by a longest common subsequence.

    The number of links is the maximum for links that keep the order (a Levenshtein alignment in
    which a substitution costs a deletion and an insertion). Among the alignments that reach it,
    one is chosen by this rule: link the common prefix, then the common suffix of the texts. In
    the rest, from the end backwards, leave a source character unlinked if that loses no link,
    else leave a target character unlinked if that loses no link, else link the two. Anchors
    therefore lie as early as possible.

    Characters are grapheme clusters: all code points of a cluster are linked, or none.

    The time is O(m · n).

    Raises:
        AlignmentError: the texts are too long: between their common prefix and suffix there are
            more than `MOST_CELLS` pairs of characters, about 90,000 characters on each side.

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


def common_blocks(
    source: str | Sequence[int], target: str | Sequence[int]
) -> tuple[AnchorRun, ...]:
    """Return a longest common subsequence of two sequences as blocks, by the rule of `anchors`.

    Raises:
        AlignmentError: the sequences are too long.
    """
    if len(source) * len(target) > MOST_CELLS:
        _check_size(source, target)
    matches = Indel.editops(source, target).as_matching_blocks()
    return tuple([(match.a, match.b, match.size) for match in matches if match.size])


def _check_size(source: str | Sequence[int], target: str | Sequence[int]) -> None:
    # RapidFuzz strips the common prefix, then the common suffix of the rest.
    before = Prefix.similarity(source, target)
    after = Postfix.similarity(source[before:], target[before:])
    m, n = (len(side) - before - after for side in (source, target))
    if m * n > MOST_CELLS:
        raise AlignmentError(
            f"texts that differ over {m:,} and {n:,} characters cannot be aligned: "
            f"{m * n:,} pairs of characters, at most {MOST_CELLS:,}"
        )


def _numbered(source: Characters, target: Characters) -> tuple[list[int], list[int]]:
    # RapidFuzz compares elements that are not single characters by their hashes. Hashes of strings
    # differ from process to process; hashes of numbers do not.
    numbers: dict[str, int] = {}
    left, right = (
        [numbers.setdefault(key, len(numbers)) for key in side.keys] for side in (source, target)
    )
    return left, right
