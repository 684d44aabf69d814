"""The output files of a run: complete, or resumed by their journal.

Until the output `out.jsonl` is complete, `out.jsonl.part` has what was written, and the journal
`out.jsonl.journal.json` says how much of it counts and what it was made from. The journal is
replaced as a whole, and only when what it speaks of is on the disk. So the two fit together
whenever a run is killed: anything beyond the journal's extent is truncated. When the output
is complete the journal stays, so that the same run knows that nothing is left to do.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cijie.errors import CijieError
from cijie.files.names import StrPath
from cijie.files.output import behind_links, locked, open_output, take_mode
from cijie.jobs.journal import JOURNAL, Extent, Journal, Measure, Tally, measured

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

QUARANTINE = ".quarantine.jsonl"
"""The extension of the quarantine file; its name begins with that of the output.
There is such a file only if there are such records."""

_PART = ".part"
_SECONDS = 1.0  # between two checkpoints; a killed run has at most this much to do again


class File(io.RawIOBase):
    """An output file that is opened on the first write.

    Args:
        made: opens it, and closes it at the end of `stack`.
        stack: closes the files when the run ends.
        measure: its extent so far; None if it is not measured.
    """

    def __init__(
        self,
        made: AbstractContextManager[Any],
        stack: ExitStack,
        measure: Measure | None = None,
    ) -> None:
        self._open: Callable[[], IO[bytes]] = partial(stack.enter_context, made)
        self._measure = measure
        self.stream: IO[bytes] | None = None

    @property
    def extent(self) -> Extent:
        """Its extent, as far as it is measured."""
        return Extent() if self._measure is None else self._measure.extent

    def opened(self) -> Self:
        """Open the file, unless it is open; return it."""
        if self.stream is None:
            self.stream = self._open()
        return self

    def writable(self) -> bool:
        return True

    def write(self, piece: Buffer) -> int:
        stream = self.stream or self._open()
        self.stream = stream
        stream.write(piece)
        if self._measure is not None:
            self._measure.update(piece)
        return len(memoryview(piece))

    def sync(self) -> None:
        """Flush the file to disk."""
        if self.stream is not None:
            self.stream.flush()
            os.fsync(self.stream.fileno())


class Outputs:
    """The output and the quarantine of a run, with regular checkpoints.

    Args:
        output, quarantine: the files.
        journal: how far the run has come, in the beginning.
        save: keeps a journal; None to keep none.

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
        self.output = output
        self.quarantine = quarantine
        self.journal = journal
        self._save = save
        self._next = time.monotonic()

    def add(self, end: Extent, tally: Tally, quarantine: bytes) -> None:
        """Record a batch that ends at `end`, after its output has been written.

        Args:
            end: where the output ends.
            tally: counts of the batch.
            quarantine: its bad records, as lines.
        """
        if quarantine:
            self.quarantine.write(quarantine)
        # All at once: a signal may end the run between any two lines, and what is saved then must
        # speak of whole batches.
        self.journal = replace(
            self.journal, input=end, tally=self.journal.tally + tally, outputs=self._extents()
        )
        if self._save is not None and time.monotonic() >= self._next:
            self.save()
            self._next = time.monotonic() + _SECONDS

    def save(self) -> None:
        """Save the journal, after the outputs that it describes."""
        if self._save is not None:
            for file in (self.output, self.quarantine):
                file.sync()
            self._save(self.journal)

    def complete(self) -> Journal:
        """Return the journal of the complete run, after saving it."""
        self.journal = replace(self.journal, outputs=self._extents(), complete=True)
        self.save()
        return self.journal

    def _extents(self) -> tuple[Extent, ...]:
        return self.output.extent, self.quarantine.extent


def is_regular(output: StrPath) -> bool:
    """Return whether an output is or will be a regular file: no pipe, no device, not standard
    output.
    """
    path = Path(output)
    return os.fspath(output) != "-" and (not path.exists() or path.is_file())


def made_for(output: StrPath) -> list[Path]:
    """Return all files that a run may create, keep or remove for an output."""
    path = behind_links(output)
    last = ["", QUARANTINE, JOURNAL]
    return [path.with_name(path.name + x) for x in (*last, *(end + _PART for end in last))]


@contextmanager
def at_once(output: StrPath) -> Iterator[Outputs]:
    """Open files that appear under their names only when the whole run is done.

    Raises:
        CijieError: another run writes them.
    """
    final, quarantine = _names(output)
    regular = is_regular(output)
    with ExitStack() as stack:
        if regular:
            stack.enter_context(locked(final))
        file = File(open_output(output), stack).opened()
        apart = File(open_output(quarantine), stack)
        yield Outputs(file, apart, Journal(""))
        if regular and apart.stream is None:
            quarantine.unlink(missing_ok=True)  # of a run before


@contextmanager
def resumable(output: StrPath, signature: str) -> Iterator[Outputs]:
    """Open files that appear under their names when complete, and are resumed otherwise.

    If they are complete, the journal that is given says so, and nothing can be written.

    Args:
        output: the file, no pipe or device.
        signature: everything that its content depends on but the input.

    Raises:
        CijieError: another run writes it, or the existing files are not those of this run.
    """
    names = _names(output)
    journal_path = names[0].with_name(names[0].name + JOURNAL)
    parts = [name.with_name(name.name + _PART) for name in names]

    def save(journal: Journal) -> None:
        # A fixed name, which the lock keeps for this run; what a killed one left is written over.
        part = journal_path.with_name(journal_path.name + _PART)
        with part.open("wb") as stream:
            stream.write(journal.as_bytes())
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(journal_path)

    with locked(names[0]) as alone:
        if not alone:
            raise CijieError("cannot resume: files have no locks here", path=output)
        journal = _read(journal_path, signature)
        if journal is not None and journal.complete and (names[0].exists() or parts[0].exists()):
            for part, name, extent in zip(parts, names, journal.outputs, strict=True):
                needed = name == names[0] or extent.size > 0
                _settle(part, name, extent, journal=journal_path, needed=needed)
            with ExitStack() as nothing:
                yield Outputs(File(nullcontext(), nothing), File(nullcontext(), nothing), journal)
            return
        if journal is None or journal.complete:  # nothing to resume, or the output is gone
            if left := [part for part in parts if part.exists()]:
                raise CijieError(
                    "leftover output without a journal: cannot resume; delete it to begin again",
                    path=left[0],
                )
            journal = Journal(signature, outputs=(Extent(), Extent()))
            save(journal)
        with ExitStack() as stack:
            output_file, quarantine = (
                _followed(part, extent, journal_path, stack)
                for part, extent in zip(parts, journal.outputs, strict=True)
            )
            outputs = Outputs(output_file.opened(), quarantine, journal, save)
            try:
                yield outputs
            except BaseException:
                with suppress(OSError):  # such as the one that ended the run
                    outputs.save()
                raise
            names[1].unlink(missing_ok=True)  # of a run before
            outputs.complete()
        for part, name in zip(parts, names, strict=True):
            _appear(part, name)


def _names(output: StrPath) -> tuple[Path, Path]:
    """Return the names of output and quarantine; symbolic links are resolved, so that they stay
    links.
    """
    path = behind_links(output)
    return path, path.with_name(path.name + QUARANTINE)


def _read(path: Path, signature: str) -> Journal | None:
    try:
        journal = Journal.from_bytes(path.read_bytes(), path)
    except FileNotFoundError:
        return None
    if journal.signature != signature:
        raise CijieError(
            f"the run began with {journal.signature}, not with {signature}; delete this file to "
            "begin again",
            path=path,
        )
    return journal


def _settle(part: Path, name: Path, extent: Extent, *, journal: Path, needed: bool) -> None:
    """Make sure that a complete file is under its name.

    A run may have been killed before it saw to that. Any other file beside it stays where it is.
    """
    if (needed or name.exists()) and not _has(name, extent):
        if not _has(part, extent):
            raise _other_content(name, journal)
        _appear(part, name)


def _has(path: Path, extent: Extent) -> bool:
    """Return whether a file with that content exists."""
    try:
        with path.open("rb") as stream:
            return measured(stream).extent == extent
    except FileNotFoundError:
        return False


def _other_content(path: Path, journal: Path) -> CijieError:
    return CijieError(
        f"{path} does not match the journal; delete the journal to begin again", path=journal
    )


def _followed(part: Path, extent: Extent, journal: Path, stack: ExitStack) -> File:
    """Open a file for writing after its first bytes; the rest is truncated."""
    if not extent.size:
        return File(_emptied(part), stack, Measure())
    if not part.exists():
        raise _other_content(part, journal)
    stream = stack.enter_context(part.open("r+b"))
    measure = measured(stream, extent.size)
    if measure.extent != extent:
        raise _other_content(part, journal)
    stream.seek(extent.size)
    stream.truncate()
    return File(nullcontext(stream), stack, measure).opened()


@contextmanager
def _emptied(path: Path) -> Iterator[IO[bytes]]:
    """Empty the file when the context is entered."""
    with path.open("wb") as stream:
        yield stream


def _appear(part: Path, name: Path) -> None:
    if part.exists():
        take_mode(part, name)
        part.replace(name)
