"""Which format a file has: by its name, and by its content where the name does not say."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path, PurePath

from cijie.corpora.base import Purpose
from cijie.corpora.formats import Format, check_encoding, format_named, formats
from cijie.errors import FormatError, UsageError, located
from cijie.files.names import is_url, stem_of
from cijie.files.opening import Source, name_of, open_source
from cijie.recovery.sentence import Part

_CONLLU_ROW = r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|$)"

# First lines that are not sentences: what each looks like, and which format reads it.
_NOT_SENTENCES = {
    r"S ": ("M2", "cherrant"),
    r'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})': ("JSON lines", "jsonl"),
    r"# (?:global\.columns|newdoc|newpar|sent_id|text)\b": ("CoNLL-U", "conllu"),
    _CONLLU_ROW: ("CoNLL-U", "conllu"),
}

# Cells of a header, in lower case: what cijie calls columns, and what others call the first one.
_NAMES = {"source", "target", "reference", "references", "words", "target_words"}
_NAME = re.compile(r"[a-z_][a-z0-9_ .-]*")
_ID = re.compile(r"[a-z_ -]*id|idx|index|编号|序号")

_HEAD = 1 << 16  # so many bytes of a file are looked into
_FEW = 0.1  # the share of rows with spaces that sentences may have whose words are not separated
_LONG = 10  # characters, more than a word has
_ID_LENGTH = 3  # Chinese characters, more than an id has
_NEEDS: dict[Purpose, Part] = {"pairs": "target", "corrections": "target", "words": "words"}

# What files of these names are if their content is the first, and what if not. ChERRANT gives the
# last name to sentences that are not cut into words, too.
_EITHER = {
    ".m2": ("cherrant", "errant"),
    ".tsv": ("tsv", "mucgec"),
    ".para": ("mucgec", "para"),
}

# What a file begins with.
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow"}
_CONTENTS = {
    "cherrant": r"S[^\n]*\nT\d",
    "errant": r"S(?: [^\n]*)?\n(?:A -?\d|\n|$)",
    "conllu": r"(?:#[^\n]*\n)*" + _CONLLU_ROW,
    "bmes": r"\S+[\t ][BS]\n",
    "ctb": r"(?s:.*?)<S ID=",
}

_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


def format_to_read(
    source: Source,
    format: Format | str | None = None,
    purpose: Purpose = "sentences",
    *,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Format:
    """The format of a file: the one that is named, else by its name, else by its content.

    Where neither says, or the content is rows or lines, the purpose decides: pairs are MuCGEC's
    rows, words are segmented text, texts are lines.

    Args:
        source: the file; it is looked into only where its name does not say.
        format: the format or its name.
        purpose: what the file is read for.
        encoding: that of the file, UTF-8 if None.
        columns: how the file calls the values of records, where it has other names for them.

    Raises:
        FormatError: neither the name nor the content says what it is, or it lacks what it is read
            for; rows begin with a header that cijie does not know, or with sentences, not ids.
        UsageError: no such format, or no such encoding.
    """
    if encoding is not None:
        check_encoding(encoding)
    if isinstance(format, str):
        format = format_named(format)
    if format is None:
        path = name_of(source)
        name = _by_name(path, purpose)
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
            name = _by_content(path, found, purpose)
        format = formats()[name]
    needed = _NEEDS.get(purpose)
    if needed not in (None, *format.holds):
        message = f"expected {purpose}, but {format} ({format.what}) has no {needed}"
        raise FormatError(message, path=name_of(source))
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
        known = " or ".join(f"--to {each}" for each in named) or "--to FORMAT"
        raise UsageError(f"the name {name} does not say which format to write: use {known}")
    return formats()[named[0]]


def _ending(name: str) -> str:
    return PurePath(stem_of(name)).suffix.lower()


def _by_name(name: str, purpose: Purpose) -> str | None:
    """The format that a name says, None if the content is to be looked into."""
    ending = _ending(name)
    named = [format.name for format in formats().values() if ending in format.endings]
    if ending in _EITHER:
        return None
    if len(named) == 1:
        return named[0]
    return "lines" if purpose == "texts" else None


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


def _by_content(path: str, found: str | None, purpose: Purpose) -> str:
    """The format that a content of this kind has in a file of this name."""
    if (ending := _ending(path)) in _EITHER:
        first, second = _EITHER[ending]
        return first if found == first else second
    if found == "short" or (found == "spaced" and purpose in _NEEDS):
        found = "mucgec"
    if purpose in ("pairs", "corrections") and found in (None, "text"):
        found = "mucgec"
    if purpose == "words" and found is None:
        found = "text"
    if found == "spaced":
        message = (
            "rows with spaces, in sentences or between words: use --from mucgec or --from para"
        )
        raise FormatError(message, path=path)
    if found is None:
        raise FormatError("unknown format: name it with --from NAME", path=path)
    return found


def _magic(head: bytes) -> str | None:
    """What the first bytes say."""
    for mark, name in _MAGIC.items():
        if head.startswith(mark):
            return name
    return "jsonl" if head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") else None


def _content(head: bytes, encoding: str, header: str) -> str | None:
    """What the first lines say."""
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
    """What rows say.

    They are `"spaced"` if many have spaces, which may be between words or not; `"short"` if none
    has, and each may be one word.

    Raises:
        FormatError: the first is a header without the column of the sources, or most begin with a
            sentence instead of an id.
    """
    if (name := _table(rows[0], header)) is not None:
        return name
    _check_header(rows[0], header)
    if not all("\t" in row for row in rows):
        return "text" if _has_space(rows) else None
    _check_ids(rows)
    texts = [row.split("\t")[1:3] for row in rows]
    spaced = sum(map(_has_space, texts))
    if spaced > _FEW * len(rows):
        return "spaced"
    return "mucgec" if spaced or max(map(len, chain(*texts))) > _LONG else "short"


def check_first_line(row: str, header: str = "source") -> None:
    """Refuse a first line of another format, a header too, that would be read as a sentence.

    Args:
        row: the line.
        header: what the column of the sources is called.

    Raises:
        FormatError: it is one; the format that reads it is named.
    """
    if (name := _table(row, header)) is not None:
        raise FormatError(f"this looks like a header: {row!r}; --from {name} reads it", line=1)
    for pattern, (what, name) in _NOT_SENTENCES.items():
        if re.match(pattern, row):
            message = (
                f"this looks like {what}: {row!r}; "
                f"--from {name} reads it, --from lines takes it as text"
            )
            raise FormatError(message, line=1)
    _check_header(row, header)


def _table(row: str, header: str) -> str | None:
    """The format of a file whose first line is a header with that column, None if it is not one."""
    separated = (("\t", "tsv"), (",", "csv"))
    return next((name for mark, name in separated if header in row.split(mark)), None)


def _check_header(row: str, header: str) -> None:
    """Refuse a header with other names, which would be read as a sentence.

    Raises:
        FormatError: it is one; the options that read it are named.
    """
    cells = row.lower().split("\t")
    if len(cells) > 1 and (
        _ID.fullmatch(cells[0])
        or (all(map(_NAME.fullmatch, cells)) and not _NAMES.isdisjoint(cells))
    ):
        message = (
            f"this looks like a header without a column {header!r}: {row!r}; "
            "name its columns with --columns source=NAME,target=NAME, "
            "or take it as a sentence with --from mucgec"
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
