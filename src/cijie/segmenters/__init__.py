"""Segmenters behind one protocol; their libraries are imported when they are used."""

from cijie.segmenters.base import FunctionSegmenter, Segmenter
from cijie.segmenters.registry import (
    DEFAULT_VARIABLE,
    adapters,
    default_segmenter,
    load_segmenter,
)

__all__ = [
    "DEFAULT_VARIABLE",
    "FunctionSegmenter",
    "Segmenter",
    "adapters",
    "default_segmenter",
    "load_segmenter",
]
