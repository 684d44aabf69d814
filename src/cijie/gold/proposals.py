"""Proposals: what annotators start from, and, made of their own versions, adjudicators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cijie.batching import batched
from cijie.choices import Method
from cijie.corpora.jsonl import read_objects
from cijie.corpora.reading import pair_of
from cijie.corpora.records import Record
from cijie.corpora.segmentations import segmentation_of
from cijie.errors import CijieError, FormatError, SegmentationError, located
from cijie.evaluation.regions import differing_regions
from cijie.files.lines import StrPath
from cijie.recovery.given import as_segmentation
from cijie.recovery.pair import Pair
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.segmenting import segment_pairs
from cijie.segmenters import Segmenter
from cijie.text.segmentation import Segmentation, Span

_BATCH = 256


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody said about a sentence.

    Args:
        flag: whether they want somebody else to look at it.
        comment: their comment, or nothing.
    """

    flag: bool = False
    comment: str = ""

    def __bool__(self) -> bool:
        return self.flag or bool(self.comment)


@dataclass(frozen=True, slots=True)
class Proposals:
    """A sentence to be segmented, and what is proposed for it.

    Args:
        pair: the sentence with its target.
        versions: the segmentations proposed, by the name of the method, system or annotator.
        remarks: what annotators said about it, by name.
        confidence: that of the least sure decision of the methods that say how sure they are.
    """

    pair: Pair
    versions: Mapping[str, Segmentation]
    remarks: Mapping[str, Remark] = field(default_factory=dict)
    confidence: float = 1.0

    @property
    def regions(self) -> list[Span]:
        """Where the versions differ: half-open spans of the source between shared boundaries."""
        return [span for span, _ in differing_regions(*self.versions.values())]

    @property
    def distinct(self) -> list[tuple[list[str], Segmentation]]:
        """The different versions, each with the names of those that it is of.

        >>> whole, cut = Segmentation("旅行困", (3,)), Segmentation("旅行困", (2, 3))
        >>> versions = {"direct": cut, "p1": cut, "p3": whole}
        >>> [names for names, _ in Proposals(Pair("1", "旅行困", "旅行团"), versions).distinct]
        [['direct', 'p1'], ['p3']]
        """
        names: dict[Segmentation, list[str]] = {}
        for name, version in self.versions.items():
            names.setdefault(version, []).append(name)
        return [(having, version) for version, having in names.items()]

    def start(self, start: str) -> Segmentation:
        """What annotation starts from.

        Args:
            start: `agreed`, the boundaries that all versions have; `none`, as few words as white
                space leaves; or the name of a version.

        Raises:
            CijieError: there is no proposal of that name.

        >>> whole, cut = Segmentation("旅行困", (3,)), Segmentation("旅行困", (2, 3))
        >>> proposals = Proposals(Pair("1", "旅行困", "旅行团"), {"direct": cut, "p3": whole})
        >>> [str(proposals.start(start)) for start in ("agreed", "none", "direct")]
        ['旅行困', '旅行困', '旅行 困']
        """
        if start in self.versions:
            return self.versions[start]
        text = self.pair.source
        if start == "agreed":
            ends = set.intersection(*(set(each.boundaries) for each in self.versions.values()))
            return Segmentation(text, tuple(sorted(ends)))
        if start == "none":
            return Segmentation.from_tokens(text, [text], cut_at_spaces=True)
        names = ", ".join(self.versions)
        raise CijieError(f"no proposal {start!r}: there are {names}", id=self.pair.id)

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
        """What an adjudicator works from: `comments` and `flags` are there if there are any."""
        return self.as_record() | {"regions": self.regions} | remarks_record(self.remarks)


def remarks_record(remarks: Mapping[str, Remark]) -> dict[str, Any]:
    """What was said, as records hold it: `comments` by name, and the names of who set `flags`.

    >>> remarks_record({"A": Remark(True, "困？"), "B": Remark()})
    {'comments': {'A': '困？'}, 'flags': ['A']}
    """
    comments = {name: remark.comment for name, remark in remarks.items() if remark.comment}
    flags = [name for name, remark in remarks.items() if remark.flag]
    return ({"comments": comments} if comments else {}) | ({"flags": flags} if flags else {})


def remarks_in(record: Mapping[str, Any]) -> dict[str, Remark]:
    """What was said, from a record.

    Raises:
        FormatError: `comments` that are no strings by name, or `flags` that are no names.
    """
    comments, flags = record.get("comments", {}), record.get("flags", [])
    if not isinstance(comments, dict) or not all(isinstance(x, str) for x in comments.values()):
        raise FormatError(f"'comments' are not strings by name: {comments!r}")
    if not isinstance(flags, list) or not all(isinstance(name, str) for name in flags):
        raise FormatError(f"'flags' is not a list of names: {flags!r}")
    return {
        name: Remark(name in flags, comments.get(name, ""))
        for name in dict.fromkeys([*comments, *flags])
    }


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
    recoverers = {name: Recoverer(segmenter, name) for name in methods}
    for segmented in batched(segment_pairs(segmenter, pairs), _BATCH):
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
    """Read proposals, or an adjudication sheet, by sentence.

    Raises:
        FormatError: a line that is no such record, a repeated id, bytes that are not UTF-8.
        SegmentationError: words that are not those of their text.
    """
    read = {}
    for line, id, record in read_objects(path):
        with located(path=path, line=line, id=id):
            pair = pair_of(Record.from_dict(record, id, pair=True))
            versions = record.get("proposals")
            if not isinstance(versions, dict) or not versions:
                raise FormatError(f"'proposals' is not an object with segmentations: {versions!r}")
            cut = {name: as_segmentation(pair.source, x) for name, x in versions.items()}
            read[id] = Proposals(pair, cut, remarks_in(record))
    return read
