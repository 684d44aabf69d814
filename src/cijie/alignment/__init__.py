"""Character alignment: anchors (P1), residual links (P2)."""

from cijie.alignment.anchors import anchors
from cijie.alignment.links import Alignment, AnchorRun, Kind, Link

__all__ = ["Alignment", "AnchorRun", "Kind", "Link", "anchors"]
