"""How sentences are written, to files of any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import IO

from cijie.batching import batched
from cijie.corpora.formats import Format
from cijie.recovery.sentence import Part, Sentence

_BATCH = 256
_LOOKED_AT = 1000  # sentences, to see what is known of them


def write(
    sentences: Iterable[Sentence],
    stream: IO[bytes],
    format: Format,
    parts: Iterable[Part] | None = None,
) -> None:
    """Write sentences.

    Args:
        sentences: the sentences.
        stream: the file.
        format: its format.
        parts: what is known of the sentences; by default what is known of the first 1,000.

    Raises:
        CijieError: a sentence that the format cannot express, or that lacks what it needs.
        UsageError: cijie does not write the format.
        MissingExtraError: a library is missing.
    """
    if parts is None:
        parts, sentences = parts_of(sentences)
    writer = format.writer(parts)
    with writer.into(stream) as sink:
        for batch in batched(sentences, _BATCH):
            sink.write(writer.pack([writer.row(sentence) for sentence in batch]))


def parts_of(sentences: Iterable[Sentence]) -> tuple[frozenset[Part], Iterator[Sentence]]:
    """What is known of the first 1,000 sentences, and all sentences."""
    rest = iter(sentences)
    first = list(islice(rest, _LOOKED_AT))
    return frozenset(part for each in first for part in each.parts), chain(first, rest)
