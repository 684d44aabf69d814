"""Which format a file has, by its name, and by its content where the name does not tell."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePath
from typing import Literal, TypedDict

from cijie.corpora.formats import Format, check_encoding, format_named, formats
from cijie.errors import FormatError, UsageError, located
from cijie.files.compression import stem_of
from cijie.files.opening import Source, name_of, open_source
from cijie.files.urls import is_url

Wanted = Literal["anything", "pairs", "words", "texts"]
"""What a file is read for: whatever it has, sources with targets, words, or texts alone."""


class Told(TypedDict, total=False):
    """What somebody says about a file; what they do not say, its name and content tell.

    Attributes:
        format: the format or its name.
        encoding: that of formats of text; UTF-8 if None.
        columns: how the file calls the values of a record, `{"source": "learner"}`, where it has
            other names for them than cijie (formats with names alone).
    """

    format: Format | str | None
    encoding: str | None
    columns: Mapping[str, str] | None


_HEAD = 1 << 16  # so many bytes of a file are looked into
_FEW = 0.1  # the share of rows with spaces that sentences may have whose words are not separated
_LONG = 10  # characters, more than a word has
_ID_LENGTH = 3  # Chinese characters, more than an id has
_WANTS: dict[Wanted, str] = {"pairs": "target", "words": "words"}

# What files of these names are if their content is the first, and what if not. ChERRANT gives the
# last name to sentences that are not cut into words, too.
_EITHER = {
    ".m2": ("cherrant", "errant"),
    ".tsv": ("tsv", "mucgec"),
    ".para": ("mucgec", "para"),
}

_CONLLU_ROW = r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|$)"

# What a file begins with.
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow"}
_CONTENTS = {
    "cherrant": r"S[^\n]*\nT\d",
    "errant": r"S(?: [^\n]*)?\n(?:A -?\d|\n|$)",
    "conllu": r"(?:#[^\n]*\n)*" + _CONLLU_ROW,
    "bmes": r"\S+[\t ][BS]\n",
    "ctb": r"(?s:.*?)<S ID=",
}

# First lines that are no sentences: what each looks like, and which format reads it.
_NO_SENTENCES = {
    r"S ": ("M2", "cherrant"),
    r'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})': ("JSON lines", "jsonl"),
    r"# (?:global\.columns|newdoc|newpar|sent_id|text)\b": ("CoNLL-U", "conllu"),
    _CONLLU_ROW: ("CoNLL-U", "conllu"),
}

# Cells of a header, in lower case: what cijie calls columns, and what others call the first one.
_NAMES = {"source", "target", "reference", "references", "words", "target_words"}
_NAME = re.compile(r"[a-z_][a-z0-9_ .-]*")
_ID = re.compile(r"[a-z_ -]*id|idx|index|编号|序号")
_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


def format_to_read(
    source: Source,
    format: Format | str | None = None,
    wanted: Wanted = "anything",
    *,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Format:
    """The format of a file: the one that is named, else by its name, else by its content.

    Where neither tells, or the content is rows or lines, the file is what is wanted: for pairs
    MuCGEC's rows, for words segmented text, for texts lines.

    Args:
        source: the file; it is looked into only where its name does not tell.
        format: the format or its name.
        wanted: what the file is read for.
        encoding: that of the file, UTF-8 if None.
        columns: how the file calls the values of records, where it has other names for them.

    Raises:
        FormatError: neither the name nor the content says what it is, or it does not hold what is
            wanted; rows begin with a header that cijie does not know, or with sentences, not ids.
        UsageError: no such format, or no such encoding.
    """
    if encoding is not None:
        check_encoding(encoding)
    if isinstance(format, str):
        format = format_named(format)
    if format is None:
        path = name_of(source)
        name = _by_name(path, wanted)
        if name is None and isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
            if next(Path(source).glob("chtb_*"), None) is None:
                raise FormatError("a folder without files of the treebank, chtb_…", path=path)
            name = "ctb"
        if name is None:
            head, whole = _head(source)
            found = _magic(head)
            if not head and _ending(path) == ".txt":
                found = "text"
            elif found is None and whole:
                header = (columns or {}).get("source", "source")
                with located(path=path):
                    found = _content(head, encoding or "utf-8-sig", header)
            name = _by_content(path, found, wanted)
        format = formats()[name]
    needed = _WANTS.get(wanted)
    if needed not in (None, *format.holds):
        what = f"{format.what}, which have no {needed}, and {wanted} are wanted"
        raise FormatError(what, path=name_of(source))
    return format


def format_to_write(name: str, default: str | None = None) -> Format:
    """The format that the name of a file asks for.

    Args:
        name: the name; `-` is standard output.
        default: the format of a file whose name has no ending.

    Raises:
        UsageError: the name does not say which format to write.
    """
    usual = {".txt": "text", ".tsv": "tsv"}
    ending = _ending(name)
    named = [x.name for x in formats().values() if ending in x.endings and x.writes]
    if ending in usual:
        return formats()[usual[ending]]
    if not ending and default is not None:
        return formats()[default]
    if len(named) != 1:
        names = " or ".join(named) or "a format"
        message = f"the name {name} does not say which format to write: name {names} with --to"
        raise UsageError(message)
    return formats()[named[0]]


def _ending(name: str) -> str:
    return PurePath(stem_of(name)).suffix.lower()


def _by_name(name: str, wanted: Wanted) -> str | None:
    """The format that a name tells, None if the content is to be looked into."""
    ending = _ending(name)
    named = [format.name for format in formats().values() if ending in format.endings]
    if ending in _EITHER:
        return None
    if len(named) == 1:
        return named[0]
    return "lines" if wanted == "texts" else None


def _head(source: Source) -> tuple[bytes, bool]:
    """What a file begins with, and whether that has as many lines as it would another time."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if is_url(path) or Path(path).is_file():
            with open_source(source) as stream:
                return stream.read(_HEAD), True
        if path != "-":
            return b"", False
        source = sys.stdin.buffer
    if hasattr(source, "peek"):
        return source.peek(1), False
    if isinstance(source, io.BytesIO):
        return bytes(source.getbuffer()[source.tell() :][:_HEAD]), True
    return b"", False


def _by_content(path: str, found: str | None, wanted: Wanted) -> str:
    """The format that a content of this kind has in a file of this name."""
    if (ending := _ending(path)) in _EITHER:
        first, second = _EITHER[ending]
        return first if found == first else second
    if found == "short" or (found == "spaced" and wanted in _WANTS):
        found = "mucgec"
    if wanted == "pairs" and found in (None, "text"):
        found = "mucgec"
    if wanted == "words" and found is None:
        found = "text"
    if found == "spaced":
        message = "rows with spaces, of sentences or between words: --from mucgec or para says it"
        raise FormatError(message, path=path)
    if found is None:
        raise FormatError("cannot tell which format this is: --from NAME says it", path=path)
    return found


def _magic(head: bytes) -> str | None:
    """What can be told by the first bytes."""
    for mark, name in _MAGIC.items():
        if head.startswith(mark):
            return name
    return "jsonl" if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else None


def _content(head: bytes, encoding: str, header: str) -> str | None:
    """What can be told by the first lines."""
    # Another encoding or a character cut in two does not matter to the marks that are looked for.
    text = head.decode(encoding, errors="replace").removeprefix("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(head) == _HEAD and "\n" not in text:
        return None  # what tells may be yet to come
    for name, pattern in _CONTENTS.items():
        if re.match(pattern, text):
            return name
    rows = text.split("\n")
    rows = [row for row in (rows[:-1] or rows) if row]
    return _rows(rows, header) if rows else None


def _rows(rows: Sequence[str], header: str) -> str | None:
    """What can be told by rows.

    They are `"spaced"` if many have spaces, which may be between words or not; `"short"` if none
    has, and each may be one word.

    Raises:
        FormatError: the first is a header without the column of the sources, or most begin with a
            sentence instead of an id.
    """
    if (name := _table(rows[0], header)) is not None:
        return name
    _check_names(rows[0], header)
    if not all("\t" in row for row in rows):
        return "text" if _has_space(rows) else None
    _check_ids(rows)
    texts = [row.split("\t")[1:3] for row in rows]
    spaced = sum(map(_has_space, texts))
    if spaced > _FEW * len(rows):
        return "spaced"
    return "mucgec" if spaced or max(map(len, chain(*texts))) > _LONG else "short"


def check_first_line(row: str, header: str = "source") -> None:
    """Refuse a first line of another format, a header too, that would be taken for a sentence.

    Args:
        row: the line.
        header: what the column of the sources is called.

    Raises:
        FormatError: it is one.
    """
    if (name := _table(row, header)) is not None:
        raise FormatError(f"this looks like a header: {row!r}; --from {name} reads it", line=1)
    for pattern, (what, name) in _NO_SENTENCES.items():
        if re.match(pattern, row):
            message = (
                f"this looks like {what}: {row!r}; "
                f"--from {name} reads it, --from lines takes it as text"
            )
            raise FormatError(message, line=1)
    _check_names(row, header)


def _table(row: str, header: str) -> str | None:
    """The format that a file has whose first line is a header with that column."""
    separated = (("\t", "tsv"), (",", "csv"))
    return next((name for mark, name in separated if header in row.split(mark)), None)


def _check_names(row: str, header: str) -> None:
    """Refuse a header of other names, which would be taken for a sentence."""
    cells = row.lower().split("\t")
    if len(cells) > 1 and (
        _ID.fullmatch(cells[0])
        or (all(map(_NAME.fullmatch, cells)) and not _NAMES.isdisjoint(cells))
    ):
        message = (
            f"this looks like a header, but has no column {header!r}: {row!r}; "
            "--columns source=NAME,target=NAME says what its columns are called, "
            "--from mucgec takes it as a sentence"
        )
        raise FormatError(message, line=1)


def _check_ids(rows: Sequence[str]) -> None:
    """Refuse rows without ids, whose texts would be taken for each other."""
    ids = [row.split("\t", 1)[0] for row in rows]
    sentences = [id for id in ids if len(_CHINESE.findall(id)) > _ID_LENGTH]
    if 2 * len(sentences) > len(ids):
        message = (
            f"rows begin with sentences, not with ids: {sentences[0]!r}; add an id, or a header "
            "source⇥target (⇥ is a tab); --from mucgec takes them as ids"
        )
        raise FormatError(message)


def _has_space(texts: Iterable[str]) -> bool:
    """Whether a space separates what is written in one of them."""
    return any(re.search(r"\S[ \u3000]\S", text) for text in texts)
