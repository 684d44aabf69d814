"""Files of pairs of whatever format, as something that can be passed on before it is read."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from cijie.corpora.formats import check_encoding, format_named
from cijie.corpora.parallel import read_parallel
from cijie.corpora.reading import read_pairs
from cijie.errors import CijieError, UsageError
from cijie.files.ids import IdPolicy
from cijie.files.lines import StrPath
from cijie.recovery.pair import Pair


@dataclass(frozen=True, slots=True)
class PairFile:
    """A file of pairs, or two files of lines.

    Args:
        path: the file, or that of the sources; `-` is standard input.
        targets: the file of the targets, line by line.
        format: the name of the format, by default what the file's name or content says.
        ids: what to do about an id that occurs again.
        keep_correct: whether a source without error is a pair of the source with itself.
        encoding: that of formats of text; UTF-8 if None.
        columns: how the file calls `source`, `target` and so on, in formats that have names.

    Raises:
        UsageError: settings that do not go together.
    """

    path: StrPath
    targets: StrPath | None = None
    format: str | None = None
    ids: IdPolicy = "check"
    keep_correct: bool = False
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.encoding is not None:
            check_encoding(self.encoding)
        if self.format is not None:
            format_named(self.format).reader(encoding=self.encoding, columns=self.columns)
        if self.targets is not None and (self.format or self.columns or self.keep_correct):
            raise UsageError("two files of lines have no format, no columns, and no status")

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
            return read_parallel(self.path, self.targets, encoding=self.encoding)
        return read_pairs(
            self.path,
            self.format,
            ids=self.ids,
            keep_correct=self.keep_correct,
            encoding=self.encoding,
            columns=self.columns,
            skipped=skipped,
            unread=unread,
        )

    def __str__(self) -> str:
        return os.fspath(self.path)
