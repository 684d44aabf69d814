"""Segmenters behind one protocol; one adapter a file, imported when it is chosen."""

from cijie.segmenters.base import FunctionSegmenter, Segmenter
from cijie.segmenters.registry import Adapter, adapters, load_segmenter

__all__ = ["Adapter", "FunctionSegmenter", "Segmenter", "adapters", "load_segmenter"]
