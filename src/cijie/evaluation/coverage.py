"""How much of source and target is linked, and how many links break the order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from cijie.alignment.links import Alignment
from cijie.errors import counted
from cijie.evaluation.counts import Sums


@dataclass(frozen=True, slots=True)
class Coverage(Sums):
    """Counts over sentence pairs; they add up with `+`.

    Attributes:
        pairs: the number of pairs.
        source_characters: code points of all sources.
        target_characters: code points of all targets.
        anchors: the number of anchors.
        residuals: the number of residual links.
        crossings: residual links that cross an anchor.
        crossed_pairs: pairs with such a link.
        out_of_order: links that cross another link, of whatever kind.
        out_of_order_pairs: pairs with such a link.

    >>> from cijie.alignment import anchors
    >>> total = Coverage.of(anchors("旅行困", "旅行团")) + Coverage.of(anchors("好", "好的"))
    >>> total.pairs, total.source_coverage, total.target_coverage
    (2, 0.75, 0.6)
    """

    pairs: int = 0
    source_characters: int = 0
    target_characters: int = 0
    anchors: int = 0
    residuals: int = 0
    crossings: int = 0
    crossed_pairs: int = 0
    out_of_order: int = 0
    out_of_order_pairs: int = 0

    @classmethod
    def of(cls, alignment: Alignment) -> Coverage:
        """The counts of one pair."""
        return cls.total([alignment])

    @classmethod
    def total(cls, alignments: Sequence[Alignment]) -> Coverage:
        """The counts of many pairs."""
        out_of_order = [alignment.out_of_order for alignment in alignments]
        # Who crosses an anchor is out of order.
        crossings = [
            alignment.crossings
            for alignment, links in zip(alignments, out_of_order, strict=True)
            if links
        ]
        residuals = sum(len(alignment.residuals) for alignment in alignments)
        return cls(
            pairs=len(alignments),
            source_characters=sum(alignment.source_length for alignment in alignments),
            target_characters=sum(alignment.target_length for alignment in alignments),
            anchors=sum(map(len, alignments)) - residuals,
            residuals=residuals,
            crossings=sum(crossings),
            crossed_pairs=sum(map(bool, crossings)),
            out_of_order=sum(out_of_order),
            out_of_order_pairs=sum(map(bool, out_of_order)),
        )

    @property
    def links(self) -> int:
        """The number of links."""
        return self.anchors + self.residuals

    @property
    def source_coverage(self) -> float:
        """The share of source characters that are linked; 0 if there are none."""
        return self.links / self.source_characters if self.source_characters else 0.0

    @property
    def target_coverage(self) -> float:
        """The share of target characters that are linked; 0 if there are none."""
        return self.links / self.target_characters if self.target_characters else 0.0

    def as_dict(self) -> dict[str, float]:
        """The counts and the shares as plain values."""
        return {
            **asdict(self),
            "source_coverage": self.source_coverage,
            "target_coverage": self.target_coverage,
        }

    def __str__(self) -> str:
        sources = counted(self.source_characters, "source characters")
        targets = counted(self.target_characters, "target characters")
        links = counted(self.residuals, "residual links") if self.residuals else "no residual links"
        if self.crossings:
            pairs = counted(self.crossed_pairs, "pairs")
            links += f", {self.crossings:,} crossing an anchor, in {pairs}"
        elif self.residuals:
            links += ", none crossing an anchor"
        return (
            f"coverage {self.source_coverage:.2%} of {sources}, "
            f"{self.target_coverage:.2%} of {targets}; {links}"
        )
