"""Files of pairs of whatever format: a source with its target, or with all its references."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from cijie.corpora.jsonl import read_jsonl
from cijie.corpora.mucgec import read_mucgec
from cijie.corpora.parallel import read_parallel
from cijie.errors import CijieError
from cijie.files.ids import IdPolicy
from cijie.files.lines import StrPath
from cijie.recovery.pair import Pair

PairFormat = Literal["mucgec", "parallel", "jsonl"]


@dataclass(frozen=True, slots=True)
class PairFile:
    """A file of pairs, or two files of lines.

    Args:
        path: the file, or that of the sources; `-` is standard input.
        targets: the file of the targets, line by line.
        format: `"mucgec"`, `"jsonl"` or `"parallel"` (two files). By default what `targets` and
            the name of the file say, `"mucgec"` for other names than `*.jsonl` and `*.ndjson`.
        ids: what to do about an id that occurs again.
        keep_correct: whether a row of MuCGEC without error is a pair of the source with itself.

    Raises:
        ValueError: settings that do not go together.
    """

    path: StrPath
    targets: StrPath | None = None
    format: PairFormat | None = None
    ids: IdPolicy = "check"
    keep_correct: bool = False

    def __post_init__(self) -> None:
        if self.format is None:
            jsonl = Path(self.path).suffix in {".jsonl", ".ndjson"}
            told: PairFormat = "parallel" if self.targets else "jsonl" if jsonl else "mucgec"
            object.__setattr__(self, "format", told)
        elif self.format not in get_args(PairFormat):
            known = ", ".join(get_args(PairFormat))
            raise ValueError(f"no format of pairs is {self.format!r}: one of {known}")
        if (self.format == "parallel") != (self.targets is not None):
            raise ValueError("a second file goes with the format parallel, and it with that")
        if self.keep_correct and self.format != "mucgec":
            raise ValueError("rows without error are in files of the format mucgec alone")

    @property
    def paths(self) -> list[StrPath]:
        """The files."""
        return [self.path] if self.targets is None else [self.path, self.targets]

    def read(
        self, skipped: Counter[str] | None = None, unread: list[CijieError] | None = None
    ) -> Iterator[Pair]:
        """Read the pairs.

        Args:
            skipped: counts what is no pair, by reason.
            unread: takes errors of single records, instead of their being raised. Lines of two
                files belong together, so that a line which cannot be read is an error there.

        Raises:
            CijieError: what is no such file.
        """
        if self.targets is not None:
            return read_parallel(self.path, self.targets)
        if self.format == "jsonl":
            return read_jsonl(self.path, ids=self.ids, unread=unread)
        return read_mucgec(
            self.path,
            ids=self.ids,
            keep_correct=self.keep_correct,
            skipped=skipped,
            unread=unread,
        )

    def __str__(self) -> str:
        return os.fspath(self.path)
