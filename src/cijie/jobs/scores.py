"""Systems that were run in parts: each is scored by itself, and its statistics are added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cijie.corpora.segmentations import SegmentationFile, read_segmentations, read_to_compare
from cijie.errors import CijieError
from cijie.evaluation.coverage import Coverage
from cijie.evaluation.sentences import common_ids
from cijie.evaluation.statistics import Statistics, statistics_of
from cijie.files.urls import is_pattern, matching
from cijie.jobs.parts import BESIDE
from cijie.recovery.pair import Pair
from cijie.text.segmentation import Segmentation


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """A part of gold and the same part of the systems.

    Args:
        gold: the file with gold, None if there is none.
        systems: the files of the systems by name, None where one has no such part.
    """

    gold: str | None
    systems: Mapping[str, str | None]

    @property
    def files(self) -> list[str]:
        """All that there are, gold first."""
        return [file for file in (self.gold, *self.systems.values()) if file is not None]

    def __str__(self) -> str:
        return self.files[0]


def scored_parts(
    gold: str, systems: Mapping[str, str], *, intersection: bool = False
) -> list[ScoredPart]:
    """Match the parts of gold and systems by the names of their files.

    Each argument is a file, a pattern or a URL, or a folder for the `*.jsonl` in it; what
    `cijie recover` writes beside its output is left out. Where each stands for one file, the names
    do not matter.

    Raises:
        CijieError: a system lacks a part of gold (unless `intersection` is set), no such files, or
            two with one name.
        MissingExtraError: a pattern or a URL, and fsspec is not installed.
    """
    found = [_files(path) for path in (gold, *systems.values())]
    if all(len(files) == 1 for files in found):
        found = [{"": path} for files in found for path in files.values()]
    reference, *others = found
    if not intersection:
        for name, files in zip(systems, others, strict=True):
            if missing := [path for stem, path in reference.items() if stem not in files]:
                raise CijieError(f"{name} has no part of this name, but gold has", path=missing[0])
    return [
        ScoredPart(
            reference.get(stem),
            {name: files.get(stem) for name, files in zip(systems, others, strict=True)},
        )
        for stem in sorted(set().union(*found))
    ]


def score_part(
    part: ScoredPart, *, pairs: Sequence[Pair] = (), intersection: bool = False
) -> Statistics:
    """Read a part and score it; sentences that are left out are counted.

    Args:
        part: the files. Where one is missing, all sentences of the others are left out.
        pairs: texts and ids, as `read_to_compare` takes them.
        intersection: whether to score only the sentences that gold and all systems have.

    Raises:
        CijieError: as `read_to_compare` and `compare`.
    """
    try:
        if part.gold is None or None in part.systems.values():
            return statistics_of(
                _sentences(part.gold),
                {name: _sentences(path) for name, path in part.systems.items()},
                intersection=True,
            )
        gold, files = read_to_compare(part.gold, list(filter(None, part.systems.values())), pairs)
        systems = dict(zip(part.systems, files, strict=True))
        found = statistics_of(gold, systems, intersection=intersection)
        ids = common_ids(gold, systems, intersection=intersection)
        return replace(found, coverage=link_coverage(systems, ids))
    except CijieError as error:
        raise type(error)(
            error.message, path=error.path or str(part), line=error.line, id=error.id
        ) from error


def link_coverage(
    systems: Mapping[str, SegmentationFile], ids: Sequence[str]
) -> dict[str, Coverage]:
    """How much of those sentences each system has linked, in records that have links.

    Raises:
        FormatError: links that are not those of an alignment of source and target.
    """
    return {
        name: sum(map(Coverage.of, file.alignments(ids)), Coverage())
        for name, file in systems.items()
    }


def _files(path: str) -> dict[str, str]:
    """The files that an argument stands for, by name without endings."""
    if Path(path).is_dir():
        return matching(str(Path(path, "*.jsonl")), BESIDE)
    return matching(path, BESIDE) if is_pattern(path) else {path: path}


def _sentences(path: str | None) -> Mapping[str, Segmentation | list[str]]:
    return {} if path is None else read_segmentations(path)
