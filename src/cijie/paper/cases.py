"""Prepare sentence pairs with gold, segmented once, for experiments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256

from cijie.evaluation.sentences import Segmented, of_one_text
from cijie.recovery.recovery import Recovery
from cijie.recovery.segmenting import segment_pairs
from cijie.recovery.sentence import Sentence
from cijie.segmenters import Segmenter


def make_cases(
    pairs: Iterable[Sentence],
    gold: Mapping[str, Segmented],
    segmenter: Segmenter,
    *,
    skipped: Counter[str] | None = None,
) -> list[Recovery]:
    """Segment the pairs that have gold; keep segmentations that a pair already has.

    Args:
        pairs: the pairs.
        gold: the gold segmentations of sources, or their words, by id.
        segmenter: the segmenter of sources and targets.
        skipped: counts pairs without gold, and gold without a pair.

    Returns:
        Pairs with the words of both sides, not yet linked; `segmentation` is the gold one.

    Raises:
        SegmentationError: gold is not a segmentation of its source.
    """
    given = list(pairs)
    chosen = [pair for pair in given if pair.id in gold]
    if skipped is not None:
        skipped += Counter(
            {
                "pairs without gold": len(given) - len(chosen),
                "gold sentences without a pair": len(gold) - len(chosen),
            }
        )
    cases = []
    for pair in segment_pairs(segmenter, chosen):
        names, both = ("the pair", "gold"), (pair.initial, gold[pair.id])
        cases.append(replace(pair, segmentation=of_one_text(pair.id, names, both)[1]))
    return cases


def digest_of(pairs: Iterable[Recovery], *, gold: bool) -> str:
    """Return the first 12 hexadecimal digits of a SHA-256 over texts and segmentations."""
    digest = sha256()
    for pair in pairs:
        parts = [pair.initial, pair.target_segmentation, *([pair.segmentation] if gold else [])]
        record = (pair.id, *((part.text, part.boundaries) for part in parts))
        digest.update(repr(record).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
