"""What the correction did to the characters of a source: where an error of a system may be from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from cijie.alignment import Alignment
from cijie.segmentation import Span

EditKind = Literal["missing", "redundant", "replaced", "moved"]


@dataclass(frozen=True, slots=True)
class CharacterEdit:
    """Source characters, in a half-open `span`, that became others; none where some are missing.

    `kind` is `"moved"` where characters that are redundant here are missing elsewhere, or the
    other way round.
    """

    span: Span
    kind: EditKind

    def touches(self, span: Span) -> bool:
        """Whether the edit is in a stretch of the source, or directly beside it."""
        return self.span[0] <= span[1] and span[0] <= self.span[1]


def character_edits(source: str, target: str, alignment: Alignment) -> list[CharacterEdit]:
    """The edits between the anchors of an alignment, ascending.

    >>> from cijie.alignment import anchors
    >>> def edits(*texts):
    ...     return [(x.span, x.kind) for x in character_edits(*texts, anchors(*texts))]
    >>> edits("我参加旅行困的了", "我参加过旅行团了")
    [((3, 3), 'missing'), ((5, 7), 'replaced')]
    >>> edits("么什", "什么")
    [((0, 0), 'moved'), ((1, 2), 'moved')]
    """
    gaps = list(_gaps(alignment))
    redundant = {source[i:end] for i, end, j, stop in gaps if j == stop}
    missing = {target[j:stop] for i, end, j, stop in gaps if i == end}
    edits = []
    for i, end, j, stop in gaps:
        kind: EditKind = "missing" if i == end else "redundant" if j == stop else "replaced"
        if kind != "replaced" and (source[i:end] or target[j:stop]) in redundant & missing:
            kind = "moved"
        edits.append(CharacterEdit((i, end), kind))
    return edits


def _gaps(alignment: Alignment) -> Iterator[tuple[int, int, int, int]]:
    """What lies between anchors: source start and end, target start and end."""
    ends = alignment.source_length, alignment.target_length, 0
    for (i, j, size), (end, stop, _) in pairwise([(0, 0, 0), *alignment.anchors, ends]):
        if i + size < end or j + size < stop:
            yield i + size, end, j + size, stop
