"""Writing sentences to files of any format, and converting files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import IO, Literal

from cijie.batching import batched
from cijie.corpora.formats import Format, Trait, format_to_write
from cijie.corpora.reading import ReadOptions, Sentences, read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import FormatError
from cijie.files.opening import StrPath
from cijie.files.output import open_output
from cijie.recovery.sentence import Field, Sentence

_LOOKED_AT = 1000  # sentences whose fields are looked at


def write(
    sentences: Iterable[Sentence],
    stream: IO[bytes],
    format: Format,
    fields: Iterable[Field] | None = None,
) -> None:
    """Write sentences.

    Args:
        sentences: the sentences.
        stream: the file.
        format: its format.
        fields: the fields to write; by default those of the first 1,000 sentences.

    Raises:
        CijieError: a sentence that the format cannot express, or that lacks what it needs.
        UsageError: cijie does not write the format.
        MissingExtraError: a library is missing.
    """
    if fields is None:
        fields, sentences = fields_of(sentences)
    writer = format.writer(fields)
    with writer.into(stream) as sink:
        for batch in batched(sentences):
            sink.write(writer.pack([writer.row(sentence) for sentence in batch]))


def fields_of(sentences: Iterable[Sentence]) -> tuple[frozenset[Field], Iterator[Sentence]]:
    """Return the known fields of the first 1,000 sentences, and all sentences."""
    rest = iter(sentences)
    first = list(islice(rest, _LOOKED_AT))
    return frozenset(field for each in first for field in each.fields), chain(first, rest)


@dataclass(frozen=True, slots=True)
class Converted:
    """The result of a conversion.

    Attributes:
        count: how many sentences were written.
        source: the format that was read.
        target: the format that was written.
        lost: the fields that the format cannot hold.
        skipped: counts of skipped sentences, by reason.
    """

    count: int
    source: Format
    target: Format
    lost: list[Trait]
    skipped: Mapping[str, int]


def convert_file(
    source: StrPath,
    target: StrPath,
    *,
    side: Literal["both", "source", "target"] = "both",
    pairs: Sentences | None = None,
    options: ReadOptions | None = None,
    format: str | None = None,
    watch: Callable[[Iterator[Sentence]], Iterable[Sentence]] = iter,
) -> Converted:
    """Convert a file of sentences to another format, as `cijie convert` does.

    Args:
        source: the file.
        target: the file to write; `-` is standard output.
        side: whether the sources alone are written, or the targets alone.
        pairs: the pairs whose words are in the file, as in gold without texts.
        options: reading options; duplicate ids are kept.
        format: the format to write; by default what the name of the file says.
        watch: is given the sentences, to show how many they are, and gives them back.

    Raises:
        CijieError: a malformed file, or a sentence that the format cannot hold.
        UsageError: formats that are unknown, or that cijie does not read or write.
    """
    sentences = read(source, "sentences", replace(options or ReadOptions(), ids="any"))
    reads, writes = sentences.format, format_to_write(os.fspath(target), format=format)
    count = 0
    held: set[Trait] = set()

    def taken() -> Iterator[Sentence]:
        nonlocal count
        found = sentences_of(sentences) if pairs is None else _joined(source, pairs, options)
        for sentence in watch(found):
            count += 1
            if sentence.id != str(count):
                held.add("ids")
            if side == "both":
                yield sentence
            else:
                yield sentence.of_target() if side == "target" else sentence.of_source()

    fields, known = fields_of(taken())
    writes.writer(fields)  # else there is no file to begin with
    with open_output(target) as stream:
        write(known, stream, writes, fields)
    lost = [field for field in [*held, *sorted(fields)] if field not in writes.holds]
    return Converted(count, reads, writes, lost, sentences.skipped)


def _joined(path: StrPath, pairs: Sentences, options: ReadOptions | None) -> Iterator[Sentence]:
    """Yield the pairs with their words from a file, in its order."""
    known = {pair.id: pair for pair in sentences_of(pairs)}
    words, _ = read_to_compare(path, (), known.values(), options=options)
    for id in words:
        line, _ = words.lines[id]
        if id not in known:
            raise FormatError("none of the pairs has this id", path=path, line=line, id=id)
        yield replace(known[id], segmentation=words.of_text(id, known[id].source))
