"""Contested regions: where systems differ from one another, and which of them is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cijie.evaluation.patterns import outcome_pattern
from cijie.evaluation.regions import differing_regions
from cijie.text.segmentation import Segmentation, Span


@dataclass(frozen=True, slots=True)
class ContestedRegion:
    """A stretch of text that the systems begin and end alike, but do not all cut alike.

    Args:
        span: half-open code-point offsets of the region.
        right: for each system, whether its tokens in the region are exactly gold's.
    """

    span: Span
    right: tuple[bool, ...]

    @property
    def pattern(self) -> str:
        """The outcome pattern of the systems here, such as `bgg`."""
        return outcome_pattern(self.right)


def contested_regions(gold: Segmentation, systems: Sequence[Segmentation]) -> list[ContestedRegion]:
    """The smallest regions that the systems do not cut alike, in text order.

    What all systems do alike, right or wrong, is in none of them. All must be segmentations of the
    same text.

    >>> text = "我参加了旅行团"
    >>> gold, *systems = [Segmentation.from_tokens(text, words.split()) for words in
    ...     ("我 参加 了 旅行团", "我 参 加 了 旅行 团", "我 参 加 了 旅行团")]
    >>> contested_regions(gold, systems)
    [ContestedRegion(span=(4, 7), right=(False, True))]
    """
    spans = [span for span, _ in differing_regions(*systems)]
    if not spans:
        return []
    wanted = set(gold.spans)
    tokens = [system.spans for system in systems]
    return [
        ContestedRegion(
            (start, end),
            tuple(
                all(span in wanted for span in having if start <= span[0] < end)
                for having in tokens
            ),
        )
        for start, end in spans
    ]
