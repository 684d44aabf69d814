"""What is kept of a run, so that it is resumed and not done again.

Until the output `out.jsonl` is complete, `out.jsonl.part` has the results of its batches, each
after a journal: one line that says where in the input the batch ends, and what follows it. Both
have digests. From the first batch on that is incomplete, as where the run was killed, or damaged,
all is done again. When all batches are there, they are written to the output. Then its journal,
`out.jsonl.journal.json`, says what it was made from, and the same run has nothing to do.

A part of an input in many parts has such a journal as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import IO

import orjson

from cijie.checking import checked
from cijie.errors import CijieError, FormatError
from cijie.files.opening import StrPath, open_stored
from cijie.files.output import locked, open_output
from cijie.jobs.batches import Extent, Names, RecoveredBatch, Tally

RUN = "resumed"
"""The name of resumed runs, for temporary files."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Journal:
    """What a run, or a batch of it, was made from, and what it has written.

    Attributes:
        signature: everything that the output depends on but the input.
        input: how much of the input has been worked on.
        outputs: the output and the quarantine.
        tally: the counts.
    """

    signature: str
    input: Extent = field(default_factory=Extent)
    outputs: tuple[Extent, ...] = (Extent(), Extent())
    tally: Tally = field(default_factory=Tally)

    def as_bytes(self) -> bytes:
        """Serialise the journal, as a line."""
        values = asdict(self)
        whole = {"run": values, "sha256": _digest(values)}
        return orjson.dumps(whole, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_bytes(cls, content: bytes, path: StrPath, signature: str) -> Journal:
        """Parse the result of `as_bytes`.

        Raises:
            FormatError: other content, or damaged; `path` is named.
            CijieError: the journal of a run with another signature.
        """
        try:
            whole = orjson.loads(content)
            values, digest = whole["run"], whole["sha256"]
            if digest != _digest(values):
                raise ValueError("its content does not match its checksum")
            journal = checked(values, cls)
        except (FormatError, ValueError, TypeError, KeyError) as error:
            raise FormatError(f"not a journal of cijie: {error}", path=path) from error
        if journal.signature != signature:
            theirs, ours = (each.split("|") for each in (journal.signature, signature))
            made, now = (
                "|".join(part for part in some if part not in others) or "less"
                for some, others in ((theirs, ours), (ours, theirs))
            )
            raise CijieError(
                f"made with {made}, not with {now}; write to another place, or delete this file to "
                "begin again",
                path=path,
            )
        return journal


def _digest(values: object) -> str:
    return sha256(orjson.dumps(values, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _extent(content: bytes) -> Extent:
    return Extent(len(content), sha256(content).hexdigest())


def extent_of(path: StrPath) -> Extent | None:
    """Measure all stored bytes of a file, by its path or URL; return None if there is none."""
    size, digest = 0, sha256()
    try:
        with open_stored(path) as stream:
            while piece := stream.read(_BLOCK):
                size += len(piece)
                digest.update(piece)
    except FileNotFoundError:
        return None
    return Extent(size, digest.hexdigest())


def write_journal(names: Names, signature: str, input: Extent, tally: Tally, run: str) -> Journal:
    """Write the journal of a complete run, and return it.

    Args:
        names: those of the files, as `names_for` gives them.
        signature, input, tally: as in the journal.
        run: the name of the run, for temporary files.
    """
    extents = tuple([extent_of(output) or Extent() for output in names[:2]])
    journal = Journal(signature, input, extents, tally)
    with open_output(names[2], run=run) as stream:
        stream.write(journal.as_bytes())
    return journal


def read_journal(names: Names, signature: str) -> Journal | None:
    """Read the journal of a complete run; return None if it or its output is not there.

    Args:
        names: those of the files, as `names_for` gives them.
        signature: that of the run.

    Raises:
        FormatError: the journal is damaged.
        CijieError: it is that of a run with another signature, or an output is not as the run left
            it.
    """
    path = names[2]
    try:
        with open_stored(path) as stream:
            journal = Journal.from_bytes(stream.read(), path, signature)
    except FileNotFoundError:
        return None
    for output, extent in zip(names[:2], journal.outputs, strict=True):
        found = extent_of(output)
        if found is None and output == names[0]:
            return None
        if (found or Extent()) != extent:
            message = f"{output} does not match the journal; delete the journal to begin again"
            raise CijieError(message, path=path)
    return journal


class Kept:
    """The batches that are kept of a run; iterating gives them.

    Args:
        file: where they are kept.
        path: what it is called.
        signature: that of the run.

    Attributes:
        input: how much of the input they are.
    """

    def __init__(self, file: IO[bytes], path: Path, signature: str) -> None:
        self._file = file
        self._path = path
        self._signature = signature
        self.input = Extent()
        size = 0
        # What is damaged or incomplete is done again.
        with suppress(FormatError):
            for done in self:
                self.input, size = done.end, file.tell()
        if not size and file.seek(0, os.SEEK_END):
            raise FormatError("not what a run of cijie keeps; delete it to begin again", path=path)
        file.seek(size)
        file.truncate()
        if not size:
            self.add(RecoveredBatch(Extent(), b"", b"", Tally()))

    def add(self, done: RecoveredBatch) -> None:
        """Keep a batch."""
        pieces = done.output, done.quarantine
        extents = tuple([_extent(piece) for piece in pieces])
        journal = Journal(self._signature, done.end, extents, done.tally)
        self._file.write(b"".join([journal.as_bytes(), *pieces]))
        self._file.flush()
        self.input = done.end

    def __iter__(self) -> Iterator[RecoveredBatch]:
        self._file.seek(0)
        while line := self._file.readline():
            journal = Journal.from_bytes(line, self._path, self._signature)
            pieces = [self._file.read(extent.size) for extent in journal.outputs]
            for piece, extent in zip(pieces, journal.outputs, strict=True):
                if _extent(piece) != extent:
                    raise FormatError("a batch does not match its journal", path=self._path)
            output, quarantine = pieces
            yield RecoveredBatch(journal.input, output, quarantine, journal.tally)


@contextmanager
def kept(names: Names, signature: str) -> Iterator[Kept | Journal]:
    """Open what is kept of a run, or give the journal of a complete one.

    It stays if an exception comes; otherwise it is removed.

    Args:
        names: those of the files, as `names_for` gives them.
        signature: that of the run.

    Raises:
        CijieError: another run writes the output, or the existing files are not those of this run.
    """
    output, *_, part = map(Path, names)
    with locked(output) as alone:
        if not alone:
            raise CijieError("cannot resume: files have no locks here", path=output)
        journal = read_journal(names, signature)
        if journal is not None and not part.exists():
            yield journal
            return
        for name in map(Path, names):  # of a run that was killed while it wrote them
            for left in name.parent.glob(f".{escape(name.name)}.{RUN}-*.part"):
                left.unlink()
        with part.open("r+b" if part.exists() else "w+b") as file:
            yield Kept(file, part, signature)
        part.unlink()
