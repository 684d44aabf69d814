"""Proposals: what annotators start from, and, made of their own versions, adjudicators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cijie.batching import batched
from cijie.choices import Method
from cijie.corpora.jsonl import parse_line, read_jsonl
from cijie.corpora.records import as_segmentation
from cijie.corpora.segmentations import segmentation_of
from cijie.errors import CijieError, FormatError, SegmentationError
from cijie.evaluation.regions import differing_regions
from cijie.files.lines import StrPath, read_lines
from cijie.recovery.pair import Pair
from cijie.recovery.recoverer import Recoverer
from cijie.segmenters import Segmenter
from cijie.text.segmentation import Segmentation, Span

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Proposals:
    """A sentence to be segmented, and what is proposed for it.

    Args:
        pair: the sentence with its target.
        versions: the segmentations proposed, by the name of the method, system or annotator.
        comments: what annotators said about it, by name.
        confidence: that of the least sure decision of the methods that say how sure they are.
    """

    pair: Pair
    versions: Mapping[str, Segmentation]
    comments: Mapping[str, str] = field(default_factory=dict)
    confidence: float = 1.0

    @property
    def regions(self) -> list[Span]:
        """Where the versions differ: half-open spans of the source between shared boundaries."""
        return [span for span, _ in differing_regions(*self.versions.values())]

    def as_record(self) -> dict[str, Any]:
        """What an annotator works from; it holds the texts.

        Raises:
            CijieError: the words of the target are not known.
        """
        pair = self.pair
        if pair.target_segmentation is None:
            raise CijieError("the words of the target are not known: propose first", id=pair.id)
        return {
            "id": pair.id,
            "source": pair.source,
            "target": pair.target,
            "reference": pair.reference,
            "target_spans": pair.target_segmentation.spans,
            "proposals": {name: version.spans for name, version in self.versions.items()},
        }

    def as_sheet_record(self) -> dict[str, Any]:
        """What an adjudicator works from; `comments` is there if there are any."""
        comments = {"comments": dict(self.comments)} if self.comments else {}
        return self.as_record() | {"regions": self.regions} | comments


def propose(
    pairs: Iterable[Pair],
    methods: Sequence[Method],
    segmenter: Segmenter,
    systems: Mapping[str, Mapping[str, Segmentation | list[str]]] | None = None,
) -> Iterator[Proposals]:
    """Propose segmentations of the sources of `pairs`.

    Args:
        pairs: the sentences with their targets.
        methods: recovery methods, each with its defaults.
        segmenter: segments the targets, and the sources for `methods`.
        systems: other segmentations of the same sources by id, by the name of the system.

    Raises:
        CijieError: a system lacks a sentence, or has another text for it.

    >>> from cijie.segmenters import load_segmenter
    >>> [made] = propose([Pair("1", "旅行困", "旅行团")], ["direct"], load_segmenter(list))
    >>> made.as_record()["proposals"]
    {'direct': [(0, 1), (1, 2), (2, 3)]}
    """
    direct = Recoverer(segmenter, "direct")
    recoverers = {name: Recoverer(segmenter, name) for name in methods}
    for batch in batched(pairs, _BATCH):
        # Every text is segmented once, whatever the number of methods.
        segmented = [
            replace(pair, initial=each.initial, target_segmentation=each.target_segmentation)
            for pair, each in zip(batch, direct.recover_all(batch), strict=True)
        ]
        recovered = {
            name: list(recoverer.recover_all(segmented)) for name, recoverer in recoverers.items()
        }
        for k, pair in enumerate(segmented):
            versions: dict[str, Segmentation] = {
                name: recoveries[k].segmentation for name, recoveries in recovered.items()
            }
            for name, system in (systems or {}).items():
                versions[name] = _version(pair, name, system)
            confidence = min((each[k].confidence for each in recovered.values()), default=1.0)
            yield Proposals(pair, versions, confidence=confidence)


def _version(pair: Pair, name: str, system: Mapping[str, Segmentation | list[str]]) -> Segmentation:
    if pair.id not in system:
        raise CijieError(f"{name} has no such sentence", id=pair.id)
    try:
        return segmentation_of(pair.source, system[pair.id])
    except SegmentationError as error:
        raise SegmentationError(f"{name}: {error.message}", id=pair.id) from error


def read_proposals(path: StrPath) -> dict[str, Proposals]:
    """Read proposals, or an adjudication sheet, by sentence. The file is read twice.

    Raises:
        FormatError: a line that is no such record, a repeated id, bytes that are not UTF-8.
        SegmentationError: words that are not those of their text.
    """
    read = {}
    for pair, (line, text) in zip(read_jsonl(path), read_lines(path), strict=True):
        versions = parse_line(text, path, line).get("proposals")
        if not isinstance(versions, dict) or not versions:
            message = f"'proposals' is not an object with segmentations: {versions!r}"
            raise FormatError(message, path=path, line=line, id=pair.id)
        try:
            read[pair.id] = Proposals(
                pair, {name: as_segmentation(pair.source, x) for name, x in versions.items()}
            )
        except SegmentationError as error:
            raise SegmentationError(error.message, path=path, line=line, id=pair.id) from error
    return read
