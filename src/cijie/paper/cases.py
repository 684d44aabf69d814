"""Sentence pairs with gold, segmented once: what experiments run on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from cijie.errors import SegmentationError, located
from cijie.recovery.segmenting import segment_pairs
from cijie.recovery.sentence import Sentence
from cijie.segmenters import Segmenter
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class Case:
    """A source with its initial and its gold segmentation, and its segmented target.

    Raises:
        SegmentationError: the two segmentations of the source are not of the same text.
    """

    id: str
    initial: Segmentation
    target: Segmentation
    gold: Segmentation

    def __post_init__(self) -> None:
        if self.gold.text != self.initial.text:
            raise SegmentationError(
                f"gold is of another text: {self.gold.text!r} instead of {self.initial.text!r}",
                id=self.id,
            )

    @property
    def texts(self) -> tuple[str, str]:
        """Source and target."""
        return self.initial.text, self.target.text


def make_cases(
    pairs: Iterable[Sentence],
    gold: Mapping[str, Segmentation | list[str]],
    segmenter: Segmenter,
    *,
    skipped: Counter[str] | None = None,
) -> list[Case]:
    """Segment the pairs that have gold; segmentations that came with a pair are kept.

    Args:
        pairs: the pairs.
        gold: the gold segmentations of sources by id, or their words.
        segmenter: cuts sources and targets.
        skipped: counts pairs without gold, and gold without a pair.

    Raises:
        SegmentationError: gold is not a segmentation of its source.
    """
    skipped = Counter() if skipped is None else skipped
    chosen = []
    for pair in pairs:
        if pair.id in gold:
            chosen.append(pair)
        else:
            skipped["pairs without gold"] += 1
    if missing := len(gold) - len(chosen):
        skipped["gold sentences without a pair"] += missing
    return [
        Case(pair.id, pair.initial, pair.target_segmentation, _gold(pair.id, pair.source, gold))
        for pair in segment_pairs(segmenter, chosen)
    ]


def cases_digest(cases: Iterable[Case]) -> str:
    """The first 12 hexadecimal digits of a SHA-256 over all texts and segmentations."""
    digest = sha256()
    for case in cases:
        parts = (case.initial, case.target, case.gold)
        record = (case.id, *((part.text, part.boundaries) for part in parts))
        digest.update(repr(record).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def _gold(id: str, source: str, gold: Mapping[str, Segmentation | list[str]]) -> Segmentation:
    words = gold[id]
    if isinstance(words, Segmentation):
        return words
    with located(id=id):
        return Segmentation.from_tokens(source, words)
