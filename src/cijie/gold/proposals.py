"""Propose segmentations for annotators to start from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cijie.batching import batched
from cijie.choices import Method
from cijie.corpora.segmentations import segmentation_of
from cijie.errors import CijieError, SegmentationError
from cijie.gold.annotation import Annotation
from cijie.gold.versions import Versions
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.segmenting import segment_pairs
from cijie.recovery.sentence import Sentence
from cijie.segmenters import Segmenter
from cijie.text.segmentation import Segmentation

_BATCH = 256


def propose(
    pairs: Iterable[Sentence],
    methods: Sequence[Method],
    segmenter: Segmenter,
    systems: Mapping[str, Mapping[str, Segmentation | list[str]]] | None = None,
) -> Iterator[Versions]:
    """Propose segmentations of the sources of `pairs`.

    Args:
        pairs: the sentences with their targets.
        methods: recovery methods, each with its defaults.
        segmenter: the segmenter for the targets, and for the sources in `methods`.
        systems: other segmentations of the same sources, by system name and sentence id.

    Raises:
        CijieError: a system lacks a sentence, or has another text for it.

    >>> from cijie.segmenters import load_segmenter
    >>> [made] = propose([Sentence("1", "旅行困", "旅行团")], ["direct"], load_segmenter(list))
    >>> made.as_record()["proposals"]
    {'direct': [(0, 1), (1, 2), (2, 3)]}
    """
    recoverers = {name: Recoverer(segmenter, name) for name in methods}
    for segmented in batched(segment_pairs(segmenter, pairs), _BATCH):
        recovered = {
            name: list(recoverer.recover_all(segmented)) for name, recoverer in recoverers.items()
        }
        for k, pair in enumerate(segmented):
            found: dict[str, Segmentation] = {
                name: recoveries[k].segmentation for name, recoveries in recovered.items()
            }
            for name, system in (systems or {}).items():
                found[name] = _version(pair, name, system)
            confidence = min((each[k].confidence for each in recovered.values()), default=1.0)
            yield Versions(pair, {name: Annotation(x) for name, x in found.items()}, confidence)


def _version(
    pair: Sentence, name: str, system: Mapping[str, Segmentation | list[str]]
) -> Segmentation:
    if pair.id not in system:
        raise CijieError(f"{name} does not have this sentence", id=pair.id)
    try:
        return segmentation_of(pair.source, system[pair.id])
    except SegmentationError as error:
        raise SegmentationError(f"{name}: {error.message}", id=pair.id) from error
