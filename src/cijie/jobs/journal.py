"""The journal of a run: its input, its progress and its outputs.

It lets a stopped run resume and marks a finished run as finished. It holds
digests of the input, the settings and the outputs, and one of itself.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import IO, TYPE_CHECKING

import orjson

from cijie.checking import checked
from cijie.errors import FormatError, counted
from cijie.evaluation.counts import Coverage, Sums
from cijie.files.names import StrPath

if TYPE_CHECKING:
    from typing_extensions import Buffer

JOURNAL = ".journal.json"
"""The extension of a journal; its name begins with that of the output."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Extent:
    """The beginning of an input or output: its length, in pairs or bytes, and its SHA-256."""

    size: int = 0
    sha256: str = sha256().hexdigest()


class Measure:
    """The extent of a growing file.

    >>> measure = Measure()
    >>> measure.update(b"12")
    >>> measure.extent.size, measure.extent.sha256[:8]
    (2, '6b51d431')
    """

    def __init__(self) -> None:
        self._size = 0
        self._digest = sha256()

    def update(self, piece: Buffer) -> None:
        """Add the next bytes."""
        self._size += len(memoryview(piece))
        self._digest.update(piece)

    @property
    def extent(self) -> Extent:
        """The extent so far."""
        return Extent(self._size, self._digest.hexdigest())


def measured(stream: IO[bytes], most: int | None = None) -> Measure:
    """Measure the rest of a file, or its next `most` bytes."""
    measure = Measure()
    while piece := stream.read(_BLOCK if most is None else min(most, _BLOCK)):
        measure.update(piece)
        most = None if most is None else most - len(piece)
    return measure


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


def _digest(values: object) -> str:
    return sha256(orjson.dumps(values, option=orjson.OPT_SORT_KEYS)).hexdigest()
