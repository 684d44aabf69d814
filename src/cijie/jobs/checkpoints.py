"""Output that a run which was stopped, however that happened, goes on with.

Until the output `out.jsonl` is complete, `out.jsonl.part` has what was written, and the journal
`out.jsonl.part.json` says how much of it counts and what it was made from. The journal is replaced
as a whole, and only when what it speaks of is on the disk. So the two fit together whenever a run
is killed: what is in the one beyond what the other says is cut off.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from glob import escape
from pathlib import Path
from typing import IO, Any

import orjson

from cijie.errors import CijieError, FormatError, counted
from cijie.files.lines import StrPath
from cijie.files.output import open_output, take_mode
from cijie.jobs.batches import Place
from cijie.jobs.work import Tally

_SECONDS = 1.0  # between two checkpoints; a killed run has at most this much to do again


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a run has come.

    Attributes:
        signature: everything that the output depends on but the input.
        place: how much of the input has been worked on.
        sizes: how many bytes of each output file belong to it.
        tally: the counts so far.
        complete: whether that is all.
    """

    signature: str
    sizes: tuple[int, ...]
    place: Place = field(default_factory=Place)
    tally: Tally = field(default_factory=Tally)
    complete: bool = False

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Checkpoint:
        """The inverse of `as_dict`.

        Raises:
            KeyError, TypeError, ValueError: other values.
        """
        place = Place(**values["place"])
        for number in (*values["sizes"], place.pairs):
            if not isinstance(number, int) or number < 0:
                raise ValueError(f"not a size: {number!r}")
        return cls(
            str(values["signature"]),
            tuple(values["sizes"]),
            place,
            Tally.from_dict(values["tally"]),
            bool(values["complete"]),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


class Outputs:
    """The output files of a run, with checkpoints now and then.

    Args:
        streams: the files, open for writing, at the place where writing goes on.
        checkpoint: how far the run has come.
        journal: where checkpoints are written, if they are.
    """

    def __init__(
        self, streams: Sequence[IO[bytes]], checkpoint: Checkpoint, journal: Path | None
    ) -> None:
        self._streams = streams
        self._checkpoint = checkpoint
        self._journal = journal
        self._next = time.monotonic()

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return self._checkpoint.complete

    @property
    def place(self) -> Place:
        """How far in the input the run has come."""
        return self._checkpoint.place

    @property
    def tally(self) -> Tally:
        """The counts so far."""
        return self._checkpoint.tally

    def write(self, pieces: Sequence[bytes], place: Place, tally: Tally) -> None:
        """Write to each file what a batch gives, that ends at `place`."""
        for stream, piece in zip(self._streams, pieces, strict=True):
            stream.write(piece)
        before = self._checkpoint
        sizes = tuple(size + len(piece) for size, piece in zip(before.sizes, pieces, strict=True))
        self._checkpoint = Checkpoint(before.signature, sizes, place, before.tally + tally)
        if time.monotonic() >= self._next:
            self.save()
            self._next = time.monotonic() + _SECONDS

    def save(self, *, complete: bool = False) -> None:
        """Write a checkpoint, after what it speaks of."""
        if self._journal is None:
            return
        for stream in self._streams:
            stream.flush()
            os.fsync(stream.fileno())
        with open_output(self._journal) as stream:
            values = replace(self._checkpoint, complete=complete).as_dict()
            stream.write(orjson.dumps(values, option=orjson.OPT_INDENT_2))
            stream.flush()
            os.fsync(stream.fileno())


@contextmanager
def at_once(paths: Sequence[StrPath]) -> Iterator[Outputs]:
    """Files that appear under their names when all is done, and not at all if it is not."""
    with ExitStack() as stack:
        streams = [stack.enter_context(open_output(path)) for path in paths]
        yield Outputs(streams, Checkpoint("", (0,) * len(streams)), None)


@contextmanager
def resumable(paths: Sequence[StrPath], signature: str) -> Iterator[Outputs]:
    """Files that appear under their names when they are complete, and are gone on with if not.

    Args:
        paths: the files; the first one gives the journal its name.
        signature: everything that their contents depend on but the input.

    Raises:
        CijieError: what is there was begun with another signature.
        FormatError: a journal that cannot be read, or says more than the files have.
    """
    finals = [Path(path).resolve() for path in paths]
    parts = [path.with_name(f"{path.name}.part") for path in finals]
    journal = parts[0].with_name(f"{parts[0].name}.json")
    for left in journal.parent.glob(f".{escape(journal.name)}.*.part"):
        left.unlink()  # by a run that was killed while it wrote the journal
    checkpoint = _read(journal, len(finals)) or Checkpoint(signature, (0,) * len(finals))
    if checkpoint.signature != signature:
        raise CijieError(
            f"begun with {checkpoint.signature}, not with {signature}; delete this file to begin "
            "again",
            path=journal,
        )
    if not checkpoint.complete:
        with ExitStack() as stack:
            streams = [
                stack.enter_context(_open_at(part, size, journal))
                for part, size in zip(parts, checkpoint.sizes, strict=True)
            ]
            outputs = Outputs(streams, checkpoint, journal)
            outputs.save()
            complete = False
            try:
                yield outputs
                complete = True
            finally:
                outputs.save(complete=complete)
    else:
        yield Outputs([], checkpoint, journal)
    for part, final in zip(parts, finals, strict=True):
        if part.exists():  # else a run was killed between this and the next one
            take_mode(part, final)
            part.replace(final)
    journal.unlink()


def _read(journal: Path, files: int) -> Checkpoint | None:
    try:
        checkpoint = Checkpoint.from_dict(orjson.loads(journal.read_bytes()))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(f"not a journal of cijie: {error}", path=journal) from error
    if len(checkpoint.sizes) != files:
        begun = counted(len(checkpoint.sizes), "files")
        raise CijieError(f"begun with {begun}, not {files}", path=journal)
    return checkpoint


def _open_at(part: Path, size: int, journal: Path) -> IO[bytes]:
    """Open a file for writing behind its first `size` bytes; what is there beyond them goes."""
    stream = part.open("r+b" if part.exists() else "w+b")
    found = stream.seek(0, os.SEEK_END)
    if found < size:
        stream.close()
        raise FormatError(f"{part} has {found:,} bytes, not {size:,}", path=journal)
    stream.truncate(size)
    stream.seek(size)
    return stream
