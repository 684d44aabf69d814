"""Recoveries whose words are given, so that no segmenter is asked."""

from __future__ import annotations

from cijie.alignment.links import Alignment
from cijie.projection.boundaries import project
from cijie.recovery.methods import Method
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery
from cijie.text.segmentation import Segmentation


def recovered(source: str, target: str, method: Method = "p3") -> Recovery:
    """The recovery of a source from a target, both as words joined by blanks."""
    return Recoverer(list, method).recover(
        source.replace(" ", ""),
        target.replace(" ", ""),
        source_tokens=source.split(),
        target_tokens=target.split(),
    )


def projected(initial: Segmentation, target: Segmentation, alignment: Alignment) -> Recovery:
    """The recovery by the paper's projection, along any links."""
    projection = project(initial, target, alignment)
    return Recovery(
        "",
        initial.text,
        (target.text,),
        initial=initial,
        target_segmentations=(target,),
        alignment=alignment,
        segmentation=projection.segmentation,
        changes=projection.changes,
    )


SUBSTITUTED = "我 参加 了 旅行 困", "我 参加 了 旅行团"
MOVED = "因为 下雨 我 昨天 没 去", "我 昨天 因为 下雨 没 去"
