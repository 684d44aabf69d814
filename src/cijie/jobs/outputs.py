"""The output files of a run: complete, or gone on with by their journal.

Until the output `out.jsonl` is complete, `out.jsonl.part` has what was written, and the journal
`out.jsonl.journal.json` says how much of it counts and what it was made from. The journal is
replaced as a whole, and only when what it speaks of is on the disk. So the two fit together
whenever a run is killed: what is in the one beyond what the other says is cut off. When the output
is complete the journal stays, so that the same run knows that nothing is left to do.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

from cijie.errors import CijieError
from cijie.files.names import StrPath
from cijie.files.output import behind_links, locked, open_output, take_mode
from cijie.jobs.journal import JOURNAL, Extent, Journal, Measure, Tally, measured

QUARANTINE = ".quarantine.jsonl"
"""How the name of the file with the records that were set apart ends; it begins with the output's.
There is such a file only if there are such records."""

_PART = ".part"
_SECONDS = 1.0  # between two checkpoints; a killed run has at most this much to do again


class Outputs:
    """The output and the quarantine of a run, with checkpoints now and then.

    Args:
        output, quarantine: the files.
        journal: how far the run has come, in the beginning.
        save: keeps a journal; None if nobody wants it.

    Attributes:
        journal: how far the run has come.
    """

    def __init__(
        self,
        output: File,
        quarantine: File,
        journal: Journal,
        save: Callable[[Journal], None] | None = None,
    ) -> None:
        self.journal = journal
        self._files = output, quarantine
        self._save = save
        self._next = time.monotonic()

    def write(self, output: bytes, quarantine: bytes, end: Extent, tally: Tally) -> None:
        """Write what a batch gives that ends at `end`."""
        for file, piece in zip(self._files, (output, quarantine), strict=True):
            file.write(piece)
        # All at once: a signal may end the run between any two lines, and what is saved then must
        # speak of whole batches.
        self.journal = replace(
            self.journal,
            input=end,
            tally=self.journal.tally + tally,
            outputs=tuple([file.extent for file in self._files]),
        )
        if time.monotonic() >= self._next:
            self.save()
            self._next = time.monotonic() + _SECONDS

    def save(self, *, complete: bool = False) -> None:
        """Save the journal, after what it speaks of."""
        if self._save is not None:
            for file in self._files:
                file.sync()
            self.journal = replace(self.journal, complete=complete)
            self._save(self.journal)


class File:
    """A file to write, opened when there is something to write, and measured if that is wanted."""

    def __init__(self, open: Callable[[], IO[bytes]], measure: Measure | None = None) -> None:
        self._open = open
        self._measure = measure
        self._stream: IO[bytes] | None = None

    @property
    def is_open(self) -> bool:
        return self._stream is not None

    @property
    def extent(self) -> Extent:
        """What is in it, as far as it is measured."""
        return Extent() if self._measure is None else self._measure.extent

    def opened(self) -> IO[bytes]:
        if self._stream is None:
            self._stream = self._open()
        return self._stream

    def write(self, piece: bytes) -> None:
        if piece:
            self.opened().write(piece)
            if self._measure is not None:
                self._measure.update(piece)

    def sync(self) -> None:
        """See to it that what has been written is on the disk."""
        if self._stream is not None:
            self._stream.flush()
            os.fsync(self._stream.fileno())


def is_regular(output: StrPath) -> bool:
    """Whether an output is a file, or will be one: no pipe, no device, not standard output."""
    path = Path(output)
    return os.fspath(output) != "-" and (not path.exists() or path.is_file())


def made_for(output: StrPath) -> list[Path]:
    """All files that a run may make, leave or remove for an output."""
    names = _names(output)
    last = [*names, _beside(names[0], JOURNAL)]
    return [*last, *(_beside(path, _PART) for path in last)]


@contextmanager
def at_once(output: StrPath) -> Iterator[Outputs]:
    """Files that appear under their names when all is done, and not at all if it is not.

    Raises:
        CijieError: another run writes them.
    """
    final, quarantine = _names(output)
    regular = is_regular(output)
    with ExitStack() as stack:
        if regular:
            stack.enter_context(locked(final))
        file = File(lambda: stack.enter_context(open_output(output)))
        apart = File(lambda: stack.enter_context(open_output(quarantine)))
        file.opened()
        yield Outputs(file, apart, Journal(""))
        if regular and not apart.is_open:
            quarantine.unlink(missing_ok=True)  # of a run before


@contextmanager
def resumable(output: StrPath, signature: str) -> Iterator[Outputs]:
    """Files that appear under their names when they are complete, and are gone on with if not.

    If they are complete, the journal that is given says so, and nothing can be written.

    Args:
        output: the file, no pipe or device.
        signature: everything that its content depends on but the input.

    Raises:
        CijieError: another run writes it, or what is there is not what this run has written.
    """
    names = _names(output)
    journal_path = _beside(names[0], JOURNAL)
    parts = [_beside(path, _PART) for path in names]

    def save(journal: Journal) -> None:
        # A fixed name, which the lock keeps for this run; what a killed one left is written over.
        part = _beside(journal_path, _PART)
        with part.open("wb") as stream:
            stream.write(journal.as_bytes())
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(journal_path)

    with locked(names[0]) as alone:
        if not alone:
            raise CijieError("no run can be resumed where files have no locks", path=output)
        journal = _read(journal_path, signature)
        if journal is not None and journal.complete:
            if names[0].exists() or parts[0].exists():
                for part, name, extent in zip(parts, names, journal.outputs, strict=True):
                    needed = name == names[0] or extent.size > 0
                    _settle(part, name, extent, journal=journal_path, needed=needed)
                yield Outputs(File(_nothing), File(_nothing), journal)
                return
            journal = None  # the output is gone
        if journal is None:
            if left := [part for part in parts if part.exists()]:
                raise CijieError("is in the way; no journal says how to go on", path=left[0])
            journal = Journal(signature, outputs=(Extent(), Extent()))
            save(journal)
        with ExitStack() as stack:
            files = [
                _followed(part, extent, journal_path, stack)
                for part, extent in zip(parts, journal.outputs, strict=True)
            ]
            files[0].opened()
            outputs = Outputs(files[0], files[1], journal, save)
            try:
                yield outputs
            except BaseException:
                with suppress(OSError):  # such as the one that ended the run
                    outputs.save()
                raise
            names[1].unlink(missing_ok=True)  # of a run before
            outputs.save(complete=True)
        for part, name in zip(parts, names, strict=True):
            _appear(part, name)


def _names(output: StrPath) -> tuple[Path, Path]:
    """The output, through a symbolic link, so that the link stays one, and the quarantine."""
    path = behind_links(output)
    return path, _beside(path, QUARANTINE)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(f"{path.name}{ending}")


def _read(path: Path, signature: str) -> Journal | None:
    try:
        journal = Journal.from_bytes(path.read_bytes(), path)
    except FileNotFoundError:
        return None
    if journal.signature != signature:
        raise CijieError(
            f"begun with {journal.signature}, not with {signature}; delete this file to begin "
            "again",
            path=path,
        )
    return journal


def _settle(part: Path, name: Path, extent: Extent, *, journal: Path, needed: bool) -> None:
    """See to it that a file that is complete is under its name.

    A run may have been killed before it saw to that. Any other file beside it stays where it is.
    """
    if (needed or name.exists()) and not _has(name, extent):
        if not _has(part, extent):
            raise _other_content(name, journal)
        _appear(part, name)


def _has(path: Path, extent: Extent) -> bool:
    """Whether there is a file with that content."""
    try:
        with path.open("rb") as stream:
            return measured(stream).extent == extent
    except FileNotFoundError:
        return False


def _other_content(path: Path, journal: Path) -> CijieError:
    return CijieError(
        f"{path} does not have what the run wrote; delete this file to begin again", path=journal
    )


def _followed(part: Path, extent: Extent, journal: Path, stack: ExitStack) -> File:
    """A file to write behind its first bytes; what is there beyond them goes."""
    if not extent.size:
        return File(lambda: stack.enter_context(part.open("wb")), Measure())
    if not part.exists():
        raise _other_content(part, journal)
    stream = stack.enter_context(part.open("r+b"))
    measure = measured(stream, extent.size)
    if measure.extent != extent:
        raise _other_content(part, journal)
    stream.seek(extent.size)
    stream.truncate()
    file = File(lambda: stream, measure)
    file.opened()
    return file


def _appear(part: Path, name: Path) -> None:
    if part.exists():
        take_mode(part, name)
        part.replace(name)


def _nothing() -> IO[bytes]:
    raise AssertionError("the output is complete")
