"""All formats by name: what they are, what they hold, and which module reads and writes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, get_args

from cijie.choices import unknown
from cijie.corpora.base import Found, InputFile, Writer
from cijie.errors import UsageError
from cijie.recovery.sentence import Part

Trait = Part | Literal["ids", "white space"]
"""What a format holds beside sources: parts of sentences, their ids, and white space in texts."""

_ALL: tuple[Trait, ...] = ("ids", "white space", *get_args(Part))
_PAIR: tuple[Part, ...] = ("words", "target", "target words")
_CORRECTIONS: tuple[Part, ...] = ("target", "references", "status")


@dataclass(frozen=True, slots=True)
class Format:
    """A format.

    Attributes:
        name: what it is called.
        what: what it is, in a few words.
        endings: how the names of its files end.
        holds: what it can hold beside sources.
        needs: what a sentence must have to be written.
        reads, writes: whether cijie reads and writes it.
        named: whether its values have names, for which a file may have others.
        text: whether its files are text, which may have another encoding than UTF-8.
        streams: whether its files are read and written bit by bit, and can be gone on with.
        module: the module of `cijie.corpora` that reads and writes it.
    """

    name: str
    what: str
    endings: tuple[str, ...]
    holds: tuple[Trait, ...]
    needs: tuple[Part, ...] = ()
    reads: bool = True
    writes: bool = True
    named: bool = False
    text: bool = True
    streams: bool = True
    module: str = ""

    def __str__(self) -> str:
        return self.name

    def check_read(
        self, *, encoding: str | None = None, columns: Mapping[str, str] | None = None
    ) -> None:
        """Refuse to read it, or to read it in this encoding or with these columns.

        Raises:
            UsageError: cijie does not read it, or it has no encoding or no columns to name.
        """
        if not self.reads:
            raise UsageError(f"cijie writes {self}, but does not read it")
        if encoding and not self.text:
            raise UsageError(f"{self} has no encoding to name: its files are not text")
        if columns and not self.named:
            raise UsageError(f"{self} has no columns to name")

    def read(self, file: InputFile) -> Iterator[Found]:
        """Read a file of this format.

        Raises:
            CijieError: malformed content, with file and line.
        """
        found: Iterator[Found] = self._module().read(file)
        return found

    def writer(self, parts: Iterable[Part]) -> Writer:
        """What writes sentences with these parts; what the format has no place for is left out.

        Raises:
            UsageError: cijie does not write it.
            MissingExtraError: a library is missing.
        """
        self._check_written()
        writer: Writer = self._module().writer(self.name, frozenset(parts))
        return writer

    def check_results(self, parts: Sequence[Part]) -> None:
        """Refuse to write sentences with these parts, the first of which is what they are about.

        The format must have a place for that one, and need no others than these. What else it has
        no place for is left out.

        Raises:
            UsageError: it has no place for the first part, or needs others.
        """
        self._check_written()
        if parts[0] not in self.holds:
            raise UsageError(f"{self} has no place for {parts[0]}, which this command writes")
        if lacking := [part for part in self.needs if part not in parts]:
            raise UsageError(f"{self} needs {' and '.join(lacking)}, which this command lacks")

    def _check_written(self) -> None:
        if not self.writes:
            raise UsageError(f"cijie reads {self}, but does not write it")

    def _module(self) -> Any:
        return import_module(f"cijie.corpora.{self.module or self.name}")


@cache
def formats() -> Mapping[str, Format]:
    """All formats by name."""
    known = (
        Format("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json"), _ALL, named=True),
        Format("parquet", "Parquet", (".parquet",), _ALL, named=True, text=False, streams=False),
        Format(
            "arrow", "Arrow", (".arrow", ".feather"), _ALL, named=True, text=False, streams=False
        ),
        Format("csv", "CSV with a header", (".csv",), _ALL, named=True),
        Format("tsv", "TSV with a header", (".tsv",), _ALL, named=True, module="csv"),
        Format("lines", "texts, one a line", (".txt",), ("white space",), module="plain"),
        Format(
            "text",
            "words separated by spaces",
            (".txt", ".seg"),
            ("words",),
            ("words",),
            module="plain",
        ),
        Format("bmes", "characters with B, M, E or S", (".bmes",), ("words",), ("words",)),
        Format("conllu", "CoNLL-U", (".conllu",), ("ids", "white space", "words"), ("words",)),
        Format("ctb", "Penn Chinese Treebank 5.1", (), ("ids", "words"), writes=False),
        Format(
            "mucgec",
            "id, source, references, separated by tabs",
            (".tsv", ".txt"),
            ("ids", "white space", *_CORRECTIONS),
            ("target",),
        ),
        Format(
            "para",
            "the same with words separated by spaces",
            (".para",),
            ("ids", "references", "status", *_PAIR),
            _PAIR,
        ),
        Format(
            "cherrant",
            "M2 of ChERRANT",
            (".m2",),
            ("references", "status", *_PAIR),
            _PAIR,
            module="m2",
        ),
        Format(
            "errant", "M2 of ERRANT", (".m2",), ("references", "status", *_PAIR), _PAIR, module="m2"
        ),
        Format("pharaoh", "links, 0-0 1-2", (".links",), ("links",), ("links",), reads=False),
    )
    return MappingProxyType({format.name: format for format in known})


def check_encoding(name: str) -> None:
    """Refuse an encoding that Python does not know.

    Raises:
        UsageError: it does not.
    """
    try:
        "".encode(name)
    except LookupError as error:
        raise UsageError(str(error)) from error


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        UsageError: there is no such format.
    """
    known = formats()
    if name not in known:
        raise UsageError(unknown("format", name, known))
    return known[name]
