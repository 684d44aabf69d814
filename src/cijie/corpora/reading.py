"""Reading sentences from files of any format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from cijie.corpora.base import Found, InputFile, Purpose, ReadOptions, kept
from cijie.corpora.checks import Labels, id_checker
from cijie.corpora.formats import Format, format_of_lines, format_to_read
from cijie.corpora.plain import read_parallel
from cijie.errors import CijieError, FormatError, UsageError, located
from cijie.files.opening import Followed, Source, is_read_once, name_of
from cijie.recovery.sentence import Sentence, Status

__all__ = ["SKIPPED", "ReadOptions", "Sentences", "read", "sentences_of"]

SKIPPED: Mapping[Status, str] = {
    "no error": "rows without error",
    "not annotatable": "rows not annotatable",
    "no reference": "rows without a reference",
}
"""The names under which skipped sources without correction are counted."""


@dataclass(frozen=True)
class Sentences:
    """The sentences of a file, which is read on each iteration.

    Iterating gives sentences, and errors in the place of those that cannot be read if these are
    kept.

    Attributes:
        source: the file; or files of lines, of which line n of one belongs to line n of the others.
        purpose: what they are read for.
        options: reading options.
        skipped: counts of skipped sentences in the last iteration, by reason.
    """

    source: Source | tuple[Source, ...]
    purpose: Purpose = "sentences"
    options: ReadOptions = field(default_factory=ReadOptions)
    skipped: Counter[str] = field(default_factory=Counter, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.source, tuple) and self.options.columns:
            raise UsageError("files of lines take no names of columns")

    @cached_property
    def format(self) -> Format:
        """The format of the file.

        Raises:
            FormatError: neither name nor content says what it is, or it lacks what it is read for.
        """
        if isinstance(self.source, tuple):
            return format_of_lines(self.options.format)
        return format_to_read(self.source, self.path, self.purpose, self.options)

    @cached_property
    def paths(self) -> list[Source]:
        """The files."""
        return [*self.source] if isinstance(self.source, tuple) else [self.source]

    @cached_property
    def path(self) -> str:
        """The name of the file, or of the first one, in error messages."""
        return name_of(self.paths[0])

    @cached_property
    def reached(self) -> Followed:
        """How far the file, or the first one, has been read, if it can be read again."""
        return Followed(self.path)

    def __str__(self) -> str:
        return self.path

    def __iter__(self) -> Iterator[Sentence | CijieError]:
        return (found for _, found in self.numbered())

    def numbered(self) -> Iterator[Found]:
        """Yield the sentences, each with its first line or its row number.

        Raises:
            CijieError: a malformed file or sentence, or an id that occurs again, with its place.
        """
        self.skipped.clear()
        check_id, labels = id_checker(self.options.ids, self.path), Labels(self.options.labels)
        with located(path=self.path):
            for line, read in self._read():
                found: Sentence | CijieError | None = read
                if isinstance(read, Sentence):
                    try:
                        found = self._taken(read, check_id(read.id, line), labels)
                    except CijieError as error:
                        found = error.at(path=self.path, line=line, id=read.id)
                        error.record = kept(read.as_record())
                        if self.options.on_error == "raise":
                            raise
                if found is not None:
                    yield line, found

    def _read(self) -> Iterator[Found]:
        first, format = self.paths[0], self.format
        if not is_read_once(first):
            first = self.reached
        file = InputFile(first, self.path, format.name, self.purpose, self.options, self.skipped)
        if isinstance(self.source, tuple):
            return read_parallel(file, (first, *self.source[1:]))
        return format.read(file)

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
    options = options or ReadOptions()
    if isinstance(source, (list, tuple)):
        return Sentences(tuple(source), purpose, options)
    return Sentences(cast("Source", source), purpose, options)


def sentences_of(found: Iterable[Sentence | CijieError]) -> Iterator[Sentence]:
    """Yield the sentences; raise the first error in place of one.

    Raises:
        CijieError: an error in the place of one.
    """
    for each in found:
        if isinstance(each, CijieError):
            raise each
        yield each
