"""Character alignment: anchors (P1), residual links (P2)."""

from cijie.alignment.anchors import anchors
from cijie.alignment.links import Alignment, Block, Kind, Link

__all__ = ["Alignment", "Block", "Kind", "Link", "anchors"]
