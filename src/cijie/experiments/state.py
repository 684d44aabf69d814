"""Tuning that goes on where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import orjson

from cijie.errors import FormatError
from cijie.experiments.tuning import Grid
from cijie.files.lines import StrPath
from cijie.files.output import open_output
from cijie.similarity.candidates import Ints

_EVERY = 20  # weight vectors between two writes, so that a run that is killed loses little


def resumable(grid: Grid, path: StrPath) -> Iterator[Ints]:
    """The counts of `grid`, those in the file at `path` first; new ones are written to it.

    The file always is whole. It is written every few weight vectors, and when the iteration ends,
    for whatever reason.

    Raises:
        FormatError: the file is of a grid with another signature, or no such file at all.
    """
    signature = grid.signature
    done = _read(path, signature)
    yield from list(done)
    try:
        for counts in grid.counts(start=len(done)):
            done.append(counts)
            if len(done) % _EVERY == 0:
                _write(path, signature, done)
            yield counts
    finally:
        _write(path, signature, done)


def _read(path: StrPath, signature: str) -> list[Ints]:
    if not Path(path).exists():
        return []
    try:
        record = orjson.loads(Path(path).read_bytes())
        found = record["signature"]
        counts = [np.array(vector, dtype=np.intp) for vector in record["counts"]]
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        raise FormatError(f"not the state of a tuning run: {error}", path=path) from error
    if found != signature:
        raise FormatError(f"the state of another run: {found} instead of {signature}", path=path)
    return counts


def _write(path: StrPath, signature: str, counts: Sequence[Ints]) -> None:
    record = {"signature": signature, "counts": [vector.tolist() for vector in counts]}
    with open_output(path) as stream:
        stream.write(orjson.dumps(record))
