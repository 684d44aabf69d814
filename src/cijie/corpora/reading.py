"""Reading sentences from files of any format.

The ending of a file says its format, else what it is read for. Content only refuses: see
`cijie.corpora.checks`.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

from cijie.choices import OnError
from cijie.corpora.checks import IdPolicy, Ids, LabelPolicy, Labels, check_blanks, check_first
from cijie.corpora.formats import FORMATS, M2, Format, format_named
from cijie.errors import CijieError, FormatError, UsageError, check_choice, located
from cijie.files.lines import lines_or_errors
from cijie.files.opening import (
    Source,
    is_many,
    is_read_once,
    name_of,
    open_source,
    stem_and_ending,
)
from cijie.recovery.records import sentence_of
from cijie.recovery.sentence import Field, Sentence, Status

Purpose = Literal["sentences", "pairs", "corrections", "words", "texts"]
"""The purpose of reading: everything; sources with one target each; sources with all their
corrections or a status; words; texts alone."""

Units: TypeAlias = Generator[tuple[int, int, Any], None, None]
"""The line and the number of each sentence, both from 1, and its raw content."""

_HEAD = 1 << 16  # characters of a line that are looked at for a header
_DEFAULTS: Mapping[Purpose, str] = {
    "pairs": "mucgec",
    "corrections": "mucgec",
    "words": "text",
    "texts": "lines",
}
_NEEDS: Mapping[Purpose, Field] = {"pairs": "target", "corrections": "target", "words": "words"}

SKIPPED: Mapping[Status, str] = {
    "no error": "rows without error",
    "not annotatable": "rows not annotatable",
    "no reference": "rows without a reference",
}
"""The names under which skipped sources without correction are counted."""

# What to do about records without a source, by what they have.
_HINTS = {
    "source_sha256": "convert --pairs FILE takes the texts",
    "sentence_annos": "docs/recipes.md has a script for YACLC",
    "operation": "docs/recipes.md has a script for FCGEC",
}


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Reading options; unset ones are inferred from the file's name and content.

    Args:
        format: the name of the format.
        encoding: that of formats of text; UTF-8 if None.
        columns: how the file calls `source`, `target` and so on, in formats that have names; in
            rows without a header, which columns they are, from 1.
        ids: what to do about an id that occurs again.
        labels: which texts in the place of a correction are labels, and none.
        keep_correct: whether a source without a correction is a pair of the source with itself.
        on_error: `"raise"` ends at the first error; `"keep"` gives errors of single sentences in
            the place of these.

    Raises:
        UsageError: an unknown encoding or policy.
    """

    format: str | None = None
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    ids: IdPolicy = "check"
    labels: LabelPolicy = "check"
    keep_correct: bool = False
    on_error: OnError = "raise"

    def __post_init__(self) -> None:
        check_choice("policy for ids", self.ids, IdPolicy)
        check_choice("policy for labels", self.labels, LabelPolicy)
        try:
            "".encode(self.encoding or "utf-8")
        except (LookupError, ValueError) as error:  # no such encoding, or no name of one
            raise UsageError(f"unknown encoding: {self.encoding}") from error

    @property
    def by_number(self) -> bool:
        """Whether the columns are numbers, as in rows without a header."""
        return bool(self.columns) and all(x.isdecimal() for x in self.columns.values())


class Sentences:
    """The sentences of a file, which is read on each iteration.

    Iterating gives sentences, and errors in the place of those that cannot be read if these are
    kept.

    Args:
        source: the file; or files of lines, of which line n of one belongs to line n of the others.
        purpose: what they are read for.
        options: reading options.

    Attributes:
        paths: the files.
        path: the name of the file, or of the first one, in error messages.
        many: whether it is a pattern that stands for many files.
        purpose, options: as given.
        source: the file, or the first one: open, while it is read, if it lies on this machine.
        stream: that file, if it has been opened.
        skipped: counts of skipped sentences in the last iteration, by reason.

    Raises:
        UsageError: several files with names of columns.
    """

    def __init__(
        self,
        source: Source | Sequence[Source],
        purpose: Purpose = "sentences",
        options: ReadOptions | None = None,
    ) -> None:
        given = source if isinstance(source, (list, tuple)) else [source]
        self.paths: list[Source] = [*given]
        self.path = name_of(self.paths[0])
        self.many = is_many(self.path)
        self.purpose = purpose
        self.options = options or ReadOptions()
        self.skipped = Counter[str]()
        self.source = self.paths[0]
        self.stream: IO[bytes] | None = None
        if len(self.paths) > 1 and self.options.columns:
            raise UsageError("files of lines take no names of columns")

    @cached_property
    def format(self) -> Format:
        """The format of the file: the named one, else by its extension, else by its purpose.

        Without an ending that says it, a file of pairs has MuCGEC's rows, one of words is segmented
        text, and one of texts has lines; where columns are named it is a table. `*.tsv` is a table
        if its first line is a header, else rows.

        Raises:
            FormatError: neither ending nor purpose say it, or it lacks what the file is read for.
            UsageError: no such format, one that cijie does not read, or that has no encoding or no
                columns.
        """
        path, options = self.path, self.options
        if len(self.paths) > 1:
            return format_of_lines(options.format)
        name = options.format or _by_ending(self)
        if name is None:
            [line] = _begin(self)[:1] or [""]  # which refuses archives by name
            with located(path=path, line=1):
                check_first(line, "lines")
                check_blanks(line, "lines")
            message = (
                "unknown format: name it with --from NAME (rows of MuCGEC: mucgec, words: text)"
            )
            raise FormatError(message, path=path)
        found = format_named(name)
        if not found.reads:
            raise UsageError(f"cijie writes {found}, but does not read it")
        if options.encoding and not found.streams:
            raise UsageError(f"{found} takes no encoding: its files are not text")
        if options.columns and not found.named:
            if not (options.by_number and found.module == "rows"):
                message = f"{path}: {found} takes no names of columns; convert the file first"
                raise UsageError(message)
            if 0 in map(int, options.columns.values()):
                raise UsageError("the numbers of columns begin with 1, not with 0")
        needed = _NEEDS.get(self.purpose)
        if needed not in (None, *found.holds):
            message = f"expected {self.purpose}, but {found} ({found.what}) has no {needed}"
            if needed == "words" and "target" in found.holds:
                message += "; `cijie recover` finds those of pairs"
            raise FormatError(message, path=path)
        return found

    @property
    def share(self) -> float | None:
        """The share of the file, or of the first one, that has been read, if it is known."""
        if self.stream is None or self.stream.closed:
            return None if self.stream is None else 1.0
        size = os.fstat(self.stream.fileno()).st_size
        return min(self.stream.tell() / size, 1.0) if size else None

    def __str__(self) -> str:
        return self.path

    def __iter__(self) -> Iterator[Sentence | CijieError]:
        return (found for _, found in self.numbered())

    def numbered(self) -> Iterator[tuple[int, Sentence | CijieError]]:
        """Yield the sentences, each with its first line or its row number.

        Raises:
            CijieError: a malformed file or sentence, or an id that occurs again, with its place.
        """
        self.skipped.clear()
        check_id, labels = Ids(self.options.ids, self.path), Labels(self.options.labels)
        module, first = self.format.load(), self.paths[0]
        units = getattr(module, "units", Sentences.lines)
        self.source, self.stream = first, None
        with located(path=self.path), ExitStack() as stack:
            if not is_read_once(first) and os.path.isfile(name_of(first)):  # noqa: PTH113
                self.stream = stack.enter_context(open(name_of(first), "rb"))  # noqa: PTH123
                self.source = self.stream
            # An error that is kept for long would keep the file open.
            for line, number, content in stack.enter_context(closing(units(self))):
                id: str | None = None
                found: Sentence | CijieError | None
                try:
                    if isinstance(content, CijieError):
                        raise content
                    sentence: Sentence = module.sentence(content, str(number), self)
                    id = sentence.id
                    found = self._taken(sentence, check_id(id, line), labels)
                except CijieError as error:
                    found = error.at(path=self.path, line=line, id=id)
                    if error.record is None:
                        # A line unchanged, other content as JSON.
                        error.record = (
                            content
                            if isinstance(content, str)
                            else json.dumps(content, ensure_ascii=False, default=str)
                        )
                    if self.options.on_error == "raise":
                        raise
                if found is not None:
                    yield line, found

    def lines(self) -> Units:
        """Yield its lines, each with its number as the id; with `keep`, errors in place of bad
        lines. These are the units of formats that have no others.

        Lines that look like another format are refused, where nobody named this one.
        """
        look, format = self.options.format is None, self.format.name
        for line, text in lines_or_errors(self.source, encoding=self.options.encoding):
            found = text
            if look and isinstance(text, str):
                try:
                    if line == 1 and not self.options.columns:
                        check_first(text, format)
                    if " " in text or "\u3000" in text:  # seldom, and a call takes time
                        check_blanks(text, format)
                except FormatError as error:
                    if line == 1 or self.options.on_error == "raise":
                        raise error.at(line=line) from None
                    # One badly spaced line must not abort a long run.
                    error.record, found = text, error
            yield line, line, found

    def record(self, values: Mapping[str, Any], id: str) -> Sentence:
        """Build a sentence from plain values under the file's names.

        Raises:
            CijieError: values of another kind, or that do not fit each other.
        """
        if columns := self.options.columns:
            values = {**values, **{name: values.get(x) for name, x in columns.items()}}
        if "source" not in values:
            message = f"'source' is missing; this record has {', '.join(values) or 'nothing'}"
            hints = (hint for name, hint in _HINTS.items() if name in values)
            raise FormatError(f"{message}: {next(hints, '--columns source=NAME')}", id=id)
        return sentence_of(values, id, results=self.purpose == "sentences", skipped=self.skipped)

    def _taken(self, sentence: Sentence, id: str, labels: Labels) -> Sentence | None:
        """Prepare a sentence for its purpose; return None if it is left out."""
        if id != sentence.id:
            sentence = replace(sentence, id=id)
        sentence = labels(sentence, self.skipped)
        if self.purpose == "words":
            sentence.known_words()
        if self.purpose not in ("pairs", "corrections"):
            return sentence
        if sentence.status is None and not sentence.targets:
            hint = "; --columns target=NAME names its key or column" * self.format.named
            raise FormatError(f"'target' is missing{hint}")
        if self.purpose == "corrections":
            return sentence
        if sentence.status is None:
            # A record with names says which of several corrections it has, or does not know.
            return sentence.of_pair(sentence.reference or (None if self.format.named else 1))
        if self.options.keep_correct:
            return Sentence(id, sentence.source, (sentence.source,), initial=sentence.given)
        self.skipped[SKIPPED[sentence.status]] += 1
        return None


def read(
    source: Source | Sequence[Source],
    purpose: Purpose = "sentences",
    options: ReadOptions | None = None,
) -> Sentences:
    r"""Read sentences, from a file of any format.

    Args:
        source: a path or URL, `-` for standard input, or an open file; or several files of lines,
            of which the first has the sources, and the others their targets line by line.
        purpose: `"sentences"` for all that the file has; `"pairs"` for sources with a target, where
            one without a correction is left out and counted; `"corrections"` for sources with all
            their targets, or a `status` in their place; `"words"` for sources with
            their words; `"texts"` for the sources alone.
        options: reading options.

    Returns:
        The sentences, lazily; each time that they are iterated over, the file is read.

    Raises:
        UsageError: options that do not go together.
        CijieError: when they are iterated over, a malformed file or sentence, with its place.
        MissingExtraError: likewise, a library is missing.

    >>> from io import BytesIO
    >>> [pair] = read(BytesIO("1\t旅行困\t旅行团\n2\t好\t没有错误\n".encode()), "pairs")
    >>> pair.source, pair.target
    ('旅行困', '旅行团')
    """
    return Sentences(source, purpose, options)


def sentences_of(found: Iterable[Sentence | CijieError]) -> Iterator[Sentence]:
    """Yield the sentences; raise the first error in place of one.

    Raises:
        CijieError: an error in the place of one.
    """
    for each in found:
        if isinstance(each, CijieError):
            raise each
        yield each


def format_of_lines(name: str | None) -> Format:
    """Return the format of parallel files of lines.

    Raises:
        UsageError: it is that of one file.
    """
    found = format_named(name or "lines")
    if found.module != "plain" or not found.reads:
        raise UsageError(f"{found} is no format of lines side by side: lines, text")
    return found


def _by_ending(file: Sentences) -> str | None:
    """Return the format of a file's extension, else that of its purpose, or None."""
    source, options = file.paths[0], file.options
    _, ending = stem_and_ending(file.path)
    named = [x.name for x in FORMATS.values() if ending in x.endings and x.reads]
    if len(named) == 1:
        return named[0]
    if isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
        if next(Path(source).glob("chtb_*"), None) is None:
            raise FormatError("found no treebank file (chtb_…) in this folder", path=file.path)
        return "ctb"
    if ending == ".tsv" and not options.by_number:
        [header] = _begin(file)[:1] or [""]
        return "tsv" if options.columns.get("source", "source") in header.split("\t") else "mucgec"
    if ending in M2:
        return "cherrant" if re.match(r"T\d", "".join(_begin(file)[1:])) else "errant"
    if options.columns:  # which have names in a table alone
        return "mucgec" if options.by_number else "tsv"
    return _DEFAULTS.get(file.purpose)


def _begin(file: Sentences) -> list[str]:
    """Return the first two lines of a file that can be read again."""
    if is_read_once(file.paths[0]):
        return []
    encoding = file.options.encoding or "utf-8-sig"
    with open_source(file.paths[0]) as stream, suppress(UnicodeError):
        # What cannot be decoded is an error of the record, when it is read.
        text = io.TextIOWrapper(stream, encoding, errors="replace", newline="\n")
        return [text.readline(_HEAD).strip("\r\n\ufeff") for _ in range(2)]
    return []
