"""The segmented corpora that synthetic benchmarks are made of."""

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
    """Segmented sentences, and what must be said about them where they are passed on.

    Args:
        name: what the corpus is called.
        licence: what allows the corpus to be used; empty if it is not known.
        sentences: the sentences, with their words.

    Raises:
        CijieError: a sentence without words, or two with the same id.
    """

    name: str
    licence: str
    sentences: tuple[Sentence, ...]

    def __post_init__(self) -> None:
        seen = set()
        for each in self.sentences:
            each.cut()
            if each.id in seen:
                raise CijieError(f"duplicate id in {self.name}", id=each.id)
            seen.add(each.id)

    @property
    def texts(self) -> Iterator[str]:
        """The texts of the sentences."""
        return (each.source for each in self.sentences)

    @property
    def checksum(self) -> str:
        """SHA-256 of the file of JSON lines that `cijie convert` makes of the corpus."""
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
    """Read a corpus in any format that has words: CoNLL-U, segmented text, CTB 5.1, and others.

    Args:
        path: the file, or the directory of the Penn Chinese Treebank.
        files: the numbers of the files to read of the treebank.
        sentences: how many sentences to take, the first ones; all if None.
        name: the name of the corpus, by default that of the file.
        licence: its licence.
        options: what is said about the file.

    Raises:
        CijieError: a file that does not have the format or is empty, sentences without words, two
            with the same id, fewer sentences than are to be taken.
        UsageError: `files` of something that is not the treebank.
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
