"""The journal of a run: its input, its progress and its outputs.

It lets a stopped run resume and marks a finished run as finished. It holds
digests of the input, the settings and the outputs, and one of itself.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import IO, TYPE_CHECKING

import orjson

from cijie.checking import checked
from cijie.errors import CijieError, FormatError, counted
from cijie.evaluation.counts import Coverage, Sums
from cijie.files.opening import StrPath, open_stored

if TYPE_CHECKING:
    from typing_extensions import Buffer, Self

JOURNAL = ".journal.json"
"""The extension of a journal; its name begins with that of the output."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Extent:
    """The beginning of an input or output: its length, in pairs or bytes, and its SHA-256."""

    size: int = 0
    sha256: str = sha256().hexdigest()


class Measured(io.RawIOBase):
    """A file that is measured as it is written.

    >>> file = Measured(io.BytesIO())
    >>> file.write(b"12")
    2
    >>> file.extent.size, file.extent.sha256[:8]
    (2, '6b51d431')
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._size = 0
        self._digest = sha256()

    @property
    def extent(self) -> Extent:
        """The extent so far."""
        return Extent(self._size, self._digest.hexdigest())

    def writable(self) -> bool:
        return True

    def write(self, piece: Buffer) -> int:
        self._stream.write(piece)
        return self._add(piece)

    def pass_over(self, most: int | None = None) -> Self:
        """Read and measure the rest of the file, or its next `most` bytes."""
        while piece := self._stream.read(_BLOCK if most is None else min(most, _BLOCK)):
            self._add(piece)
            most = None if most is None else most - len(piece)
        return self

    def sync(self) -> None:
        """Flush the file to disk."""
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _add(self, piece: Buffer) -> int:
        self._digest.update(piece)
        size = len(memoryview(piece))
        self._size += size
        return size


@dataclass(frozen=True, slots=True)
class Tally(Sums):
    """Counts over the pairs of a run; `+` adds them, in any grouping.

    Attributes:
        coverage: of the pairs that were recovered.
        inserted, removed: boundaries.
        changed: pairs with a change.
        quarantined: records that could not be read or recovered.
    """

    coverage: Coverage = field(default_factory=Coverage)
    inserted: int = 0
    removed: int = 0
    changed: int = 0
    quarantined: int = 0

    @property
    def records(self) -> int:
        """The number of records, failed ones included."""
        return self.coverage.pairs + self.quarantined

    def __str__(self) -> str:
        return (
            f"{self.coverage}\n{counted(self.inserted, 'boundaries')} inserted and "
            f"{self.removed:,} removed, in {counted(self.changed, 'pairs')}"
        )


@dataclass(frozen=True, slots=True)
class Journal:
    """The progress of a run.

    Attributes:
        signature: everything that the output depends on but the input.
        input: how much of the input has been worked on.
        outputs: what belongs to it of each output file.
        tally: the counts so far.
        complete: whether that is all.
    """

    signature: str
    input: Extent = field(default_factory=Extent)
    outputs: tuple[Extent, ...] = ()
    tally: Tally = field(default_factory=Tally)
    complete: bool = False

    def as_bytes(self) -> bytes:
        """Serialise the journal."""
        values = asdict(self)
        whole = {"run": values, "sha256": _digest(values)}
        return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_bytes(cls, content: bytes, path: StrPath) -> Journal:
        """Parse the result of `as_bytes`.

        Raises:
            FormatError: other content, or damaged; `path` is named.
        """
        try:
            whole = orjson.loads(content)
            values, digest = whole["run"], whole["sha256"]
            if digest != _digest(values):
                raise ValueError("its content does not match its checksum")
            return checked(values, cls)
        except (FormatError, ValueError, TypeError, KeyError) as error:
            raise FormatError(f"not a journal of cijie: {error}", path=path) from error


def extent_of(path: StrPath) -> Extent | None:
    """Measure all stored bytes of a file, by its path or URL; return None if there is none."""
    try:
        with open_stored(path) as stream:
            return Measured(stream).pass_over().extent
    except FileNotFoundError:
        return None


def read_journal(path: StrPath, signature: str) -> Journal | None:
    """Read the journal of a run, by its path or URL; return None if there is none.

    Raises:
        FormatError: it is damaged.
        CijieError: it is that of a run with another signature.
    """
    try:
        with open_stored(path) as stream:
            journal = Journal.from_bytes(stream.read(), path)
    except FileNotFoundError:
        return None
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


def is_kept(journal: Journal, path: StrPath, outputs: Sequence[StrPath]) -> bool:
    """Return whether the first output of a complete run is there, and the others are as it left
    them.

    Args:
        journal: the run.
        path: where its journal is.
        outputs: the output files.

    Raises:
        CijieError: a file is not what was written.
    """
    for output, extent in zip(outputs, journal.outputs, strict=True):
        found = extent_of(output)
        if found is None and output == outputs[0]:
            return False
        if (found or Extent()) != extent:
            raise other_content(output, path)
    return True


def other_content(output: StrPath, journal: StrPath) -> CijieError:
    """Return the error for an output that is not what its journal says."""
    message = f"{output} does not match the journal; delete the journal to begin again"
    return CijieError(message, path=journal)


def _digest(values: object) -> str:
    return sha256(orjson.dumps(values, option=orjson.OPT_SORT_KEYS)).hexdigest()
