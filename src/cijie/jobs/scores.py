"""Scoring files of gold and systems: whole, or part by part, with statistics that add up."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cijie.corpora.reading import ReadOptions, read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import CijieError, UsageError, located
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.sentences import common_ids
from cijie.files.opening import StrPath, is_many, is_url, matching, named_files
from cijie.jobs.executors import in_order
from cijie.jobs.parts import BESIDE
from cijie.recovery.sentence import Sentence


@dataclass(frozen=True, slots=True)
class ScoredPart:
    """A part of gold and the same part of each system.

    Args:
        gold: the file with gold.
        systems: the files of the systems.
    """

    gold: str
    systems: tuple[str, ...]

    def __str__(self) -> str:
        return self.gold


def evaluate_files(
    gold: StrPath,
    systems: StrPath | Sequence[StrPath] | Mapping[str, StrPath],
    *,
    pairs: StrPath | None = None,
    intersection: bool = False,
    any_target: bool = False,
    trials: int = 10_000,
    seed: int = 0,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    options: ReadOptions | None = None,
) -> Comparison:
    """Score files of systems against a file of gold, and compare the systems, as `cijie evaluate`
    does.

    Args:
        gold: the file with gold; or its parts, as a pattern, a URL, or a folder for the `*.jsonl`
            in it.
        systems: the files or parts of one system or several, by the names of the systems or else
            called after the files.
        pairs: a file with the texts of records that have none, and with the ids of plain lines.
        intersection: whether to score only the sentences that gold and all systems have; else one
            of gold that a system lacks is an error.
        any_target: whether systems may have other targets than those that gold was made with.
        trials: how many random trials each significance test makes.
        seed: seeds them.
        workers: how many processes share the parts.
        progress: called with the number of parts that are scored and of all parts.
        options: reading options of gold and systems; by default name and content say
            what they are.

    Raises:
        CijieError: files that cannot be read or do not fit, no sentence to score.
        UsageError: standard input with several parts, no trials, a negative seed.
    """
    named = {name: os.fspath(path) for name, path in named_files(systems).items()}
    parts = scored_parts(os.fspath(gold), named)
    score = partial(
        score_part,
        systems=list(named),
        pairs=() if pairs is None else tuple(sentences_of(read(pairs, "pairs"))),
        intersection=intersection,
        any_target=any_target,
        options=options,
    )
    total = Comparison(trials=trials, seed=seed)
    scored = in_order(score, parts, workers=min(workers, len(parts)))
    for done, (_, found) in enumerate(scored, start=1):
        total += found
        if progress is not None:
            progress(done, len(parts))
    if not total.sentences:
        raise CijieError("no sentence to score")
    return total


def scored_parts(gold: str, systems: Mapping[str, str]) -> list[ScoredPart]:
    """Match the parts of gold and systems by the names of their files.

    Each argument is a file, a pattern or a URL, or a folder for the `*.jsonl` in it; what
    `cijie recover` writes beside its output is left out. Where each stands for one file, the names
    do not matter.

    Args:
        gold: a file, a pattern, a URL, or a folder for the `*.jsonl` in it.
        systems: likewise, by the name of the system.

    Raises:
        CijieError: gold or a system lacks a part, no such files, or two with one name.
        UsageError: standard input where there are several parts.
    """
    found = [_files(path) for path in (gold, *systems.values())]
    if all(len(files) == 1 for files in found):
        found = [{"": path} for files in found for path in files.values()]
    elif "-" in (gold, *systems.values()):
        raise UsageError("standard input cannot be read as parts")
    parts = []
    for stem in sorted(set().union(*found)):
        for name, files in zip(("gold", *systems), found, strict=True):
            if stem not in files:
                path = next(others[stem] for others in found if stem in others)
                raise CijieError(
                    f"{name} lacks this part; name the parts that all have, with a pattern",
                    path=path,
                )
        first, *others = [files[stem] for files in found]
        parts.append(ScoredPart(first, tuple(others)))
    return parts


def score_part(
    part: ScoredPart,
    systems: Sequence[str],
    *,
    pairs: Sequence[Sentence] = (),
    intersection: bool = False,
    any_target: bool = False,
    options: ReadOptions | None = None,
) -> Comparison:
    """Read and score a part; count the sentences that are left out.

    Args:
        part: the files.
        systems: the names of the systems.
        pairs: texts and ids, as `read_to_compare` takes them.
        intersection: whether to score only the sentences that gold and all systems have.
        any_target, options: as `read_to_compare` takes them.

    Raises:
        CijieError: as `read_to_compare` and `compare`.
    """
    with located(path=str(part)):
        gold, files = read_to_compare(
            part.gold, part.systems, pairs, any_target=any_target, options=options
        )
        # A system may be called gold: an error names its file, and says which one is gold.
        by_path = dict(zip(part.systems, files, strict=True))
        owner = "gold, which is the first file,"
        common_ids(gold, by_path, intersection=intersection, owner=owner)
        by_name = dict(zip(systems, files, strict=True))
        return compare(gold, by_name, intersection=intersection)


def _files(path: str) -> dict[str, str]:
    """Return the files that an argument stands for, by name without extensions."""
    if Path(path).is_dir():
        return matching(str(Path(path, "*.jsonl")), BESIDE)
    return matching(path, BESIDE) if is_url(path) or is_many(path) else {path: path}
