"""Options for reading sentences: the files and their contents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import click

from cijie.choices import FormatName
from cijie.cli.options.base import argument, option, options, refuse
from cijie.cli.options.paths import READ_FILE_OR_STDIN
from cijie.errors import unknown
from cijie.files.opening import is_many

if TYPE_CHECKING:
    from cijie.corpora.reading import Purpose, ReadOptions, Sentences

_COLUMNS = (
    *("id", "source", "target", "references", "source_tokens", "target_tokens", "words", "spans"),
    *("initial_spans", "target_spans", "status"),
)


def _columns(text: str) -> Mapping[str, str]:
    """Parse the names of a file's columns, by cijie's names for them."""
    columns = {}
    for part in text.split(","):
        name, equals, theirs = part.partition("=")
        if not equals or not theirs:
            raise click.BadParameter(f"expected NAME=COLUMN,NAME=COLUMN, got {text!r}")
        if name not in _COLUMNS:
            raise click.BadParameter(unknown("column", name, _COLUMNS))
        if name in columns:
            raise click.BadParameter(f"{name} is given twice: {text!r}")
        columns[name] = theirs
    return columns


@options("Input")
class Reading:
    """Options for reading a file of sentences.

    Attributes:
        format: Format of the input; `cijie convert --help` lists them.  [default: from its name,
            else what the command usually reads]
        encoding: The encoding of the input, such as gb18030 or utf-16.  [default: utf-8]
        columns: The names of the columns or keys for id, source, target and so on; of rows without
            a header, their numbers from 1.
        labels: Which texts in the place of a correction say that there is none: known ones such as
            没有错误 (others that look so are refused), known ones alone, or none.
    """

    format: FormatName | None = option(None, "--from", metavar="FORMAT")
    encoding: str | None = option(None, rare=True)
    columns: Mapping[str, str] | None = option(
        None, metavar="NAME=COLUMN,…", type=_columns, rare=True
    )
    labels: Literal["check", "known", "none"] = option("check", rare=True)

    def options(self, **more: Any) -> ReadOptions:
        """Return the reading options of the library, with further ones."""
        from cijie.corpora.reading import ReadOptions

        given = {"columns": self.columns or {}, "labels": self.labels, **more}
        return ReadOptions(self.format, self.encoding, **given)

    def read(self, source: str | tuple[str, ...], purpose: Purpose, **more: Any) -> Sentences:
        """Read the sentences of a file, or of parallel files of lines.

        An error about the format is raised before anything is done; many parts have each its own.
        """
        from cijie.corpora.reading import read

        sentences = read(source, purpose, self.options(**more))
        if isinstance(source, tuple) or not is_many(source):
            _ = sentences.format
        return sentences


READING = ("format", "encoding", "columns", "labels")
"""The names of the options of `Reading`."""


@options("Input")
class PairOptions(Reading):
    """Pairs: a file of them, or two parallel files of lines.

    Attributes:
        orig: Sources, one per line (instead of PAIRS, with --cor).
        cor: Targets, one per line.
        ids: Duplicate ids: check refuses them, unique renames them, any keeps them.
        keep_correct: Also read sources without a correction; their target is the source.
    """

    pairs: str | None = argument(None, type=READ_FILE_OR_STDIN)
    orig: str | None = option(None, "-orig --orig", type=READ_FILE_OR_STDIN, rare=True)
    cor: str | None = option(None, "-cor --cor", type=READ_FILE_OR_STDIN, rare=True)
    ids: Literal["check", "unique", "any"] = option("check", rare=True)
    keep_correct: bool = option(False, rare=True)

    def __post_init__(self) -> None:
        if (self.orig is None) != (self.cor is None):
            raise click.UsageError("--orig and --cor must be given together")
        if (self.pairs is None) == (self.orig is None):
            raise click.UsageError("give either PAIRS or --orig and --cor")
        if self.orig is not None:
            refuse(["ids", "columns"], "on lines of two files")

    def sentences(self, **more: Any) -> Sentences:
        """Read the pairs, with further reading options."""
        source = str(self.pairs) if self.orig is None else (self.orig, str(self.cor))
        return self.read(source, "pairs", ids=self.ids, keep_correct=self.keep_correct, **more)
