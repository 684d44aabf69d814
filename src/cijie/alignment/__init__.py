"""Character alignment: anchors (P1), residual links (P2)."""

from cijie.alignment.links import Alignment, AnchorRun, Kind, Link, anchors

__all__ = ["Alignment", "AnchorRun", "Kind", "Link", "anchors"]
