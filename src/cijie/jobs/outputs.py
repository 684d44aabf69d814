"""The output files of a run: complete, or resumed by their journal.

Until the output `out.jsonl` is complete, `out.jsonl.part` has what was written, and the journal
`out.jsonl.journal.json` says how much of it counts and what it was made from. The journal is
replaced as a whole, and only when what it speaks of is on the disk. So the two fit together
whenever a run is killed: anything beyond the journal's extent is truncated. When the output
is complete the journal stays, so that the same run knows that nothing is left to do.

Each batch of a compressed output is compressed by itself. A format that is written as a whole, such
as Parquet, has its packed batches in the part, each after its length; they are joined at the end.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

from cijie.corpora.base import Sink, Writer
from cijie.errors import CijieError
from cijie.files.opening import StrPath, is_url, packing
from cijie.files.output import behind_links, locked, open_output, take_mode
from cijie.jobs.journal import (
    JOURNAL,
    Extent,
    Journal,
    Measured,
    Tally,
    extent_of,
    is_kept,
    other_content,
    read_journal,
)

QUARANTINE = ".quarantine.jsonl"
"""The extension of the quarantine file; its name begins with that of the output.
There is such a file only if there are such records."""

_PART = ".part"
_SECONDS = 1.0  # between two checkpoints; a killed run has at most this much to do again
_LENGTH = 8  # bytes of the length of a packed batch


class Outputs:
    """The output and the quarantine of a run, with regular checkpoints.

    Args:
        output, quarantine: the files.
        journal: how far the run has come, in the beginning.
        path: where the journal is kept, if it is.
        sink: what batches are written to; by default the output.

    Attributes:
        journal: how far the run has come.
    """

    def __init__(
        self,
        output: Measured,
        quarantine: Measured,
        journal: Journal,
        path: Path | None = None,
        sink: Sink | None = None,
    ) -> None:
        self.output = output
        self.quarantine = quarantine
        self.journal = journal
        self._path = path
        self._sink = sink or output
        self._next = time.monotonic()

    def into(self, writer: Writer) -> AbstractContextManager[Sink]:
        """Open the output for the packed batches of a writer."""
        if isinstance(self._sink, _Pieces):
            return nullcontext(self._sink)
        return writer.into(self._sink, begun=self.output.extent.size > 0)

    def add(self, end: Extent, tally: Tally, quarantine: bytes) -> None:
        """Record a batch that ends at `end`, after its output has been written.

        Args:
            end: where the output ends.
            tally: counts of the batch.
            quarantine: its bad records, as lines.
        """
        self.quarantine.write(quarantine)
        # All at once: a signal may end the run between any two lines, and what is saved then must
        # speak of whole batches.
        self.journal = replace(
            self.journal, input=end, tally=self.journal.tally + tally, outputs=self._extents()
        )
        if time.monotonic() >= self._next:
            self.save()
            self._next = time.monotonic() + _SECONDS

    def save(self) -> None:
        """Save the journal, after the outputs that it describes."""
        if self._path is not None:
            for file in (self.output, self.quarantine):
                file.sync()
            _save(self.journal, self._path)

    def completed(self) -> Journal:
        """Return the journal of the complete run."""
        return replace(self.journal, outputs=self._extents(), complete=True)

    def _extents(self) -> tuple[Extent, ...]:
        return self.output.extent, self.quarantine.extent


class _Members:
    """Compresses each batch by itself if the name of the file says so."""

    def __init__(self, file: Measured, name: str) -> None:
        self._file: IO[bytes] = file  # type: ignore[assignment]
        self._name = name

    def write(self, packed: bytes, *, empty: bool = False) -> None:
        if packed or empty:
            with packing(self._file, self._name) as stream:
                stream.write(packed)


class _Pieces:
    """Keeps packed batches, each after its length."""

    def __init__(self, file: Measured) -> None:
        self._file = file

    def write(self, packed: bytes) -> None:
        self._file.write(len(packed).to_bytes(_LENGTH, "big") + packed)


def is_regular(output: StrPath) -> bool:
    """Return whether an output is or will be a regular file: no pipe, no device, not standard
    output.
    """
    path = Path(output)
    return os.fspath(output) != "-" and (not path.exists() or path.is_file())


def names_for(output: StrPath) -> tuple[str, str, str]:
    """Return the names of output, quarantine and journal.

    Symbolic links are resolved, so that they stay links.
    """
    name = os.fspath(output)
    name = name if is_url(name) else str(behind_links(name))
    return name, name + QUARANTINE, name + JOURNAL


def made_for(output: StrPath) -> list[Path]:
    """Return all files that a run may create, keep or remove for an output."""
    return [Path(name + end) for name in names_for(output) for end in ("", _PART)]


@contextmanager
def at_once(output: StrPath, run: str = "") -> Iterator[Outputs]:
    """Open files that appear under their names only when the whole run is done.

    Args:
        output: the file, or its URL.
        run: the name of the run that has locked the folder; otherwise the file is locked.

    Raises:
        CijieError: another run writes them.
    """
    apart: IO[bytes] = io.BytesIO()  # beside pipes and devices nothing is set apart
    with ExitStack() as stack:
        if is_regular(output):
            final, quarantine, _ = names_for(output)
            if not (run or is_url(final)):
                stack.enter_context(locked(Path(final)))
            apart = stack.enter_context(open_output(quarantine, empty=False, run=run))
        stream = stack.enter_context(open_output(output, run=run))
        yield Outputs(Measured(stream), Measured(apart), Journal(""))


@contextmanager
def resumable(output: StrPath, signature: str, joins: Writer | None = None) -> Iterator[Outputs]:
    """Open files that appear under their names when complete, and are resumed otherwise.

    If they are complete, the journal that is given says so, and nothing can be written.

    Args:
        output: the file, no pipe or device.
        signature: everything that its content depends on but the input.
        joins: the writer of a format that is written as a whole.

    Raises:
        CijieError: another run writes it, or the existing files are not those of this run.
    """
    *names, journal_path = map(Path, names_for(output))
    parts = [Path(f"{name}{_PART}") for name in names]
    with locked(names[0]) as alone:
        if not alone:
            raise CijieError("cannot resume: files have no locks here", path=output)
        journal = _begun(names, parts, journal_path, signature)
        if journal.complete:
            if joins is not None:
                parts[0].unlink(missing_ok=True)
            yield Outputs(Measured(io.BytesIO()), Measured(io.BytesIO()), journal)
            return
        _save(journal, journal_path)
        with ExitStack() as stack:
            file, quarantine = (
                stack.enter_context(_followed(part, extent, journal_path))
                for part, extent in zip(parts, journal.outputs, strict=True)
            )
            sink = _Members(file, str(output)) if joins is None else _Pieces(file)
            outputs = Outputs(file, quarantine, journal, journal_path, sink)
            try:
                yield outputs
            except BaseException:
                with suppress(OSError):  # such as the one that ended the run
                    outputs.save()
                raise
            if isinstance(sink, _Members) and not file.extent.size:
                sink.write(b"", empty=True)  # compressed, too, nothing is a file
            outputs.save()
        journal = outputs.completed()
        if not quarantine.extent.size:
            for path in (parts[1], names[1]):  # the latter of a run before
                path.unlink(missing_ok=True)
        if joins is not None:
            _join(parts[0], names[0], str(output), joins)
            journal = replace(journal, outputs=(extent_of(names[0]) or Extent(), quarantine.extent))
        _save(journal, journal_path)
        if joins is not None:
            parts[0].unlink()
        for part, name in zip(parts, names, strict=True):
            _appear(part, name)


def _save(journal: Journal, path: Path) -> None:
    # A fixed name, which the lock keeps for this run; what a killed one left is written over.
    part = Path(f"{path}{_PART}")
    with part.open("wb") as stream:
        stream.write(journal.as_bytes())
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(path)


def _begun(
    names: Sequence[Path], parts: Sequence[Path], journal_path: Path, signature: str
) -> Journal:
    """Return the journal of a run that is complete, to be resumed, or new."""
    journal = read_journal(journal_path, signature)
    if journal is not None and journal.complete:
        # It may have been killed before they appeared; any other file stays where it is.
        for part, name, extent in zip(parts, names, journal.outputs, strict=True):
            if extent_of(name) != extent == extent_of(part):
                _appear(part, name)
        if is_kept(journal, journal_path, names):
            return journal
    if journal is not None and not journal.complete:
        return journal
    if left := [part for part in parts if part.exists()]:
        raise CijieError(
            "leftover output without a journal: cannot resume; delete it to begin again",
            path=left[0],
        )
    return Journal(signature, outputs=(Extent(), Extent()))


@contextmanager
def _followed(part: Path, extent: Extent, journal: Path) -> Iterator[Measured]:
    """Open a file for writing after its first bytes; the rest is truncated."""
    if extent.size and not part.exists():
        raise other_content(part, journal)
    with part.open("r+b" if extent.size else "wb") as stream:
        file = Measured(stream)
        if extent.size:
            if file.pass_over(extent.size).extent != extent:
                raise other_content(part, journal)
            stream.seek(extent.size)
            stream.truncate()
        yield file


def _join(part: Path, name: Path, given: str, writer: Writer) -> None:
    """Write the packed batches of a part to a file, compressed if the given name says so."""
    joined = Path(f"{name}.joined{_PART}")  # a fixed name, as that of the journal's part
    with (
        part.open("rb") as pieces,
        joined.open("wb") as file,
        packing(file, given) as stream,
        writer.into(stream) as sink,
    ):
        while length := pieces.read(_LENGTH):
            sink.write(pieces.read(int.from_bytes(length, "big")))
    _appear(joined, name)


def _appear(part: Path, name: Path) -> None:
    if part.exists():
        take_mode(part, name)
        part.replace(name)
