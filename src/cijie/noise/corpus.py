"""Read the segmented corpora from which synthetic benchmarks are made."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path

from cijie.corpora.ctb import read_ctb
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import ReadOptions, read, sentences_of
from cijie.errors import CijieError, FormatError, UsageError, counted, printable
from cijie.files.names import StrPath
from cijie.recovery.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Corpus:
    """Segmented sentences, with the name and licence to pass on with them.

    Args:
        name: the name of the corpus.
        licence: the licence of the corpus; empty if not known.
        sentences: the sentences, with their words.

    Raises:
        CijieError: a sentence without words, or two sentences with the same id.
    """

    name: str
    licence: str
    sentences: tuple[Sentence, ...]

    def __post_init__(self) -> None:
        seen = set()
        for each in self.sentences:
            each.known_words()
            if each.id in seen:
                raise CijieError(f"duplicate id in {self.name}", id=each.id)
            seen.add(each.id)

    @property
    def texts(self) -> Iterator[str]:
        """The texts of the sentences."""
        return (each.source for each in self.sentences)

    @property
    def checksum(self) -> str:
        """The SHA-256 of the corpus as JSON Lines, as written by `cijie convert`."""
        digest = sha256()
        for each in self.sentences:
            digest.update(dump_line(each.of_source().as_record()))
        return digest.hexdigest()


def read_corpus(
    path: StrPath,
    *,
    files: Container[int] | None = None,
    sentences: int | None = None,
    name: str | None = None,
    licence: str = "",
    options: ReadOptions | None = None,
) -> Corpus:
    """Read a corpus in any format with words: CoNLL-U, segmented text, CTB 5.1 and others.

    Args:
        path: the file, or the directory of the Penn Chinese Treebank.
        files: the numbers of the treebank's files to read; all if None.
        sentences: the number of sentences to take, from the start; all if None.
        name: the name of the corpus; by default the name of the file.
        licence: the licence of the corpus.
        options: reading options; unset ones are inferred from name and content.

    Raises:
        CijieError: a malformed or empty file, a sentence without words, two sentences with the
            same id, or fewer sentences than requested.
        UsageError: `files` for anything but the treebank.
    """
    options = options or ReadOptions()
    found = read(path, "words", replace(options, ids="any"))
    corpus: Iterable[Sentence] = sentences_of(found)
    if files is not None:
        if found.format.name != "ctb":
            raise UsageError(f"only the Penn Chinese Treebank has numbered files: {path}")
        corpus = read_ctb(path, files=files)
    taken = tuple(islice(corpus, sentences))
    if not taken:
        raise FormatError("found no sentence", path=path)
    if sentences is not None and len(taken) < sentences:
        raise FormatError(
            f"expected {counted(sentences, 'sentences')}, found {len(taken):,}", path=path
        )
    return Corpus(name or printable(Path(path).stem), licence, taken)
