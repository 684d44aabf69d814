"""One source with its target, or with all its targets, as every reader gives it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from cijie.alignment.anchors import MOST_CELLS
from cijie.errors import AlignmentError
from cijie.text.segmentation import Segmentation

NO_ERROR = "没有错误"
"""What MuCGEC and ChERRANT write in place of a target: the source has no error."""

NOT_ANNOTATABLE = "无法标注"
"""What they write in place of a target: the source could not be annotated."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A source sentence and its target.

    `initial` and `target_segmentation` are segmentations that came with them; a segmenter is asked
    only for what is None. `reference` is the number of the target among the source's corrections,
    from 1, if there is such a number. `target_rules` says that the target's words are of another
    origin than the source's, such as a treebank: P3 then cuts what both have as the target does.
    """

    id: str
    source: str
    target: str
    initial: Segmentation | None = None
    target_segmentation: Segmentation | None = None
    reference: int | None = None
    target_rules: bool = False

    @property
    def is_ruled(self) -> bool:
        """Whether the target rules: as it says, or because only the target came with words."""
        return self.target_rules or (self.initial is None and self.target_segmentation is not None)


@dataclass(frozen=True, slots=True)
class SegmentedPair(Pair):
    """A pair with the words of both sides."""

    initial: Segmentation
    target_segmentation: Segmentation


@dataclass(frozen=True, slots=True)
class Corrected:
    """A source sentence with all its targets; none of them if it could not be annotated.

    `initial` and `target_segmentation`, of the target that is nearest, are as in a `Pair`.
    """

    id: str
    source: str
    targets: tuple[str, ...]
    initial: Segmentation | None = None
    target_segmentation: Segmentation | None = None


def nearest(source: str, references: Sequence[str]) -> int:
    """The index of the reference with the smallest Levenshtein distance, the first of equals.

    Raises:
        AlignmentError: texts that are too long to be compared.

    >>> nearest("旅行困", ["去旅行的团", "旅行团", "旅行者"])
    1
    """
    if len(references) == 1:
        return 0
    longest = max(map(len, references))
    if len(source) * longest > MOST_CELLS:
        raise AlignmentError(
            f"texts of {len(source):,} and {longest:,} characters are too long to find the nearest "
            f"of {len(references)} references: {MOST_CELLS:,} pairs of characters at most"
        )
    distances = [Levenshtein.distance(source, reference) for reference in references]
    return distances.index(min(distances))
