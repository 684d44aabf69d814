"""Input in many parts: each is recovered separately, and finished parts are skipped."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from cijie.corpora.formats import Format
from cijie.corpora.reading import ReadOptions, Sentences
from cijie.errors import CijieError, SegmenterError, located
from cijie.files.opening import filesystem_of, matching
from cijie.files.output import behind_links, locked
from cijie.jobs.batches import (
    JOURNAL,
    QUARANTINE,
    BatchRecoverer,
    Extent,
    Tally,
    batches,
    names_for,
    write,
)
from cijie.jobs.journal import (
    Journal,
    extent_of,
    read_journal,
    write_journal,
)

BESIDE = (QUARANTINE, JOURNAL)
"""The extensions of the files beside the output of a part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the input, and what becomes of it, as fsspec URLs or paths.

    Its journal is written last: a part that has one is finished.

    Args:
        input: pairs, in the format that the name says; `.gz` and the like are unpacked.
        output: what they become.
    """

    input: str
    output: str

    def __str__(self) -> str:
        return self.input


def parts(pattern: str, folder: str, format: Format) -> list[Part]:
    """Return the parts that match a pattern such as `in/*.parquet` or `s3://bucket/*.jsonl`,
    sorted.

    Args:
        pattern: the pattern.
        folder: where their output goes.
        format: what that is.

    Raises:
        CijieError: no file matches, two have the same name, or one is in the output folder.
    """
    root = _real(folder)
    found = []
    for stem, url in matching(pattern).items():
        if root in (_real(url.rpartition("/")[0]), _real(url).rpartition("/")[0]):
            raise CijieError(
                "the output folder holds the input; write to another folder", path=folder
            )
        found.append(Part(url, f"{root}/{stem}{format.endings[0]}"))
    return found


def _is_local(filesystem: Any) -> bool:
    from fsspec.implementations.local import LocalFileSystem

    return isinstance(filesystem, LocalFileSystem)


def _real(url: str) -> str:
    """Return a URL, or a local path without symbolic links."""
    filesystem, path = filesystem_of(url)
    real = behind_links(path) if _is_local(filesystem) else filesystem.unstrip_protocol(path)
    return str(real).rstrip("/")


@contextmanager
def alone_in(folder: str) -> Iterator[str]:
    """Make the folder and lock it for one run; yield the run's name.

    All temporary files of a run have its name, so that those which killed workers leave can be
    removed at its end. Only a local folder has a lock; there, those of killed runs are, too.

    Raises:
        CijieError: another run writes to the folder.
    """
    filesystem, path = filesystem_of(folder)
    filesystem.makedirs(path, exist_ok=True)
    run = secrets.token_hex(8)
    with locked(Path(path)) if _is_local(filesystem) else nullcontext(False) as alone:
        runs = "[0-9a-f]{16}" if alone else run
        try:
            yield run
        finally:
            for left in filesystem.ls(path, detail=False):
                if re.fullmatch(rf"\..*\.{runs}-[0-9a-f]{{16}}\.part", PurePosixPath(left).name):
                    filesystem.rm(left)


def finished(part: Part, signature: str) -> Journal | None:
    """Return the journal of a part if the part is finished and its output is there.

    Raises:
        CijieError: it was made from another input or with another signature, or its output is not
            what was written.
    """
    names = names_for(part.output)
    journal = read_journal(names, signature)
    if journal is not None and extent_of(part.input) != journal.input:
        message = f"made from another {part.input}; delete this file to do it again"
        raise CijieError(message, path=names[2])
    return journal


def signature_of(work: BatchRecoverer, options: ReadOptions) -> str:
    """Return everything that the output of a part depends on, except the bytes of the part."""
    usual = ReadOptions(on_error=options.on_error)  # which is part of the other signature
    options = replace(options, columns=dict(sorted(options.columns.items())))
    return work.signature if options == usual else f"{work.signature}|{options}"


def unfinished(all_parts: Sequence[Part], signature: str) -> tuple[list[Part], Tally]:
    """Return the unfinished parts, and the counts of the others.

    Raises:
        CijieError: see `finished`.
    """
    with ThreadPoolExecutor() as pool:  # most of the time goes into digests
        journals = list(pool.map(partial(finished, signature=signature), all_parts))
    left = [part for part, journal in zip(all_parts, journals, strict=True) if journal is None]
    return left, sum((journal.tally for journal in journals if journal), Tally())


def recover_part(part: Part, *, work: BatchRecoverer, source: Sentences, run: str) -> Journal:
    """Recover a part and write its files atomically.

    What is there is written over, so that a part may be done twice, even at the same time.

    Args:
        part: the part.
        work: what to do with a batch.
        source: how the part is read.
        run: the name of the run, for temporary files.

    Raises:
        CijieError, SegmenterError: a record that cannot be read or recovered, with its place,
            unless such records are kept apart.
    """
    extent, names = extent_of(part.input) or Extent(), names_for(part.output)
    pairs = Sentences(part.input, source.purpose, source.options)
    worked = map(work, batches(pairs, work.recoverer.batch_size))
    try:
        with located(path=part.input):
            tally, _ = write(work, worked, names[0], names[1], run)
    except SegmenterError as error:
        raise SegmenterError(f"{part.input}: {error}") from error
    return write_journal(names, signature_of(work, source.options), extent, tally, run)
