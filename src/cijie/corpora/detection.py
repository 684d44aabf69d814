"""Which format a file has: by its ending, else by what it is read for. Content only refuses."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path, PurePath

from cijie.corpora.base import Purpose
from cijie.corpora.formats import Format, check_encoding, format_named, formats
from cijie.errors import FormatError, UsageError
from cijie.files.lines import lines_or_errors
from cijie.files.names import stem_of
from cijie.files.opening import Source, is_read_once, name_of, open_source
from cijie.recovery.sentence import Part

_DEFAULTS: Mapping[Purpose, str] = {
    "pairs": "mucgec",
    "corrections": "mucgec",
    "words": "text",
    "texts": "lines",
}
_NEEDS: Mapping[Purpose, Part] = {"pairs": "target", "corrections": "target", "words": "words"}

# First lines that are not sentences: what each looks like, and which format reads it.
_LOOKS = {
    r"S ": ("M2", "errant"),
    r'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})': ("JSON lines", "jsonl"),
    r"# (?:global\.columns|newdoc|newpar|sent_id|text)\b": ("CoNLL-U", "conllu"),
    r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*$": ("CoNLL-U", "conllu"),
    r"\S+[\t ][BS]$": ("BMES", "bmes"),
    r"<(?:DOC|S ID)\b": ("a file of the Penn Chinese Treebank", "ctb"),
}

# Cells of a header, in lower case: what cijie calls columns, and what others call the first one.
_NAMES = {"source", "target", "reference", "references", "words", "target_words"}
_NAME = re.compile(r"[a-z_][a-z0-9_ .-]*")
_ID = re.compile(r"[a-z_ -]*id|idx|index|编号|序号")
_ID_LENGTH = 3  # Chinese characters, more than an id has
_CHINESE = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")


def format_to_read(
    source: Source,
    format: str | None = None,
    purpose: Purpose = "sentences",
    *,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Format:
    """The format of a file: the one that is named, else that of its ending, else by its purpose.

    Without an ending that says it, a file of pairs has MuCGEC's rows, one of words is segmented
    text, and one of texts has lines; where columns are named it is a table. `*.tsv` is a table if
    its first line is a header, else rows.

    Args:
        source: the file.
        format: the name of the format.
        purpose: what the file is read for.
        encoding: that of the file, UTF-8 if None.
        columns: how the file calls the values of records, where it has other names for them.

    Raises:
        FormatError: neither ending nor purpose say it, or it lacks what the file is read for.
        UsageError: no such format, or no such encoding.
    """
    if encoding is not None:
        check_encoding(encoding)
    path = name_of(source)
    header = (columns or {}).get("source", "source")
    name = format or _by_ending(source, encoding, header)
    if name is None:  # columns have names in a table alone
        name = "tsv" if columns else _DEFAULTS.get(purpose)
    if name is None:
        if not is_read_once(source):
            with open_source(source):  # which refuses archives by name
                pass
        message = "unknown format: name it with --from NAME (rows of MuCGEC: mucgec, words: text)"
        raise FormatError(message, path=path)
    found = format_named(name)
    needed = _NEEDS.get(purpose)
    if needed not in (None, *found.holds):
        message = f"expected {purpose}, but {found} ({found.what}) has no {needed}"
        raise FormatError(message, path=path)
    return found


def format_to_write(name: str, default: str | None = None, format: str | None = None) -> Format:
    """The format of a file to write: the one that is named, else the one that its name asks for.

    Args:
        name: the name of the file; `-` is standard output.
        default: the format of a file whose name has no ending.
        format: the name of the format.

    Raises:
        UsageError: no such format, or the name of the file does not say which.
    """
    if format is not None:
        return format_named(format)
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


def check_first_line(row: str, header: str = "source") -> None:
    """Refuse a first line of another format, a header too, that would be read as a sentence.

    Args:
        row: the line.
        header: what the column of the sources is called.

    Raises:
        FormatError: it is one; the format that reads it is named.
    """
    cells = row.lower().split("\t")
    for mark, name in (("\t", "tsv"), (",", "csv")):
        if header in row.split(mark):
            raise FormatError(f"this looks like a header: {row!r}; --from {name} reads it", line=1)
    for pattern, (what, name) in _LOOKS.items():
        if re.match(pattern, row):
            message = (
                f"this looks like {what}: {row!r}; "
                f"--from {name} reads it, --from lines takes it as text"
            )
            raise FormatError(message, line=1)
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
    if len(cells) > 1 and len(_CHINESE.findall(cells[0])) > _ID_LENGTH:
        message = (
            f"rows begin with sentences, not with ids: {cells[0]!r}; add an id, or a header "
            "source⇥target (⇥ is a tab); --from mucgec takes them as ids"
        )
        raise FormatError(message, line=1)


def _ending(name: str) -> str:
    return PurePath(stem_of(name)).suffix.lower()


def _by_ending(source: Source, encoding: str | None, header: str) -> str | None:
    """The format that the name of a file says, None if it says none."""
    path = name_of(source)
    ending = _ending(path)
    named = [x.name for x in formats().values() if ending in x.endings and x.reads]
    if len(named) == 1:
        return named[0]
    if isinstance(source, (str, os.PathLike)) and Path(source).is_dir():
        if next(Path(source).glob("chtb_*"), None) is None:
            raise FormatError("a folder without files of the treebank, chtb_…", path=path)
        return "ctb"
    if ending not in (".tsv", ".m2"):
        return None
    begun: list[str] = []
    if not is_read_once(source):
        # What cannot be decoded is an error of the record, when it is read.
        with closing(lines_or_errors(source, encoding=encoding)) as lines:
            begun = [line if isinstance(line, str) else "" for _, line in islice(lines, 2)]
    first, second = [*begun, "", ""][:2]
    if ending == ".tsv":
        return "tsv" if header in first.split("\t") else "mucgec"
    return "cherrant" if re.match(r"T\d", second) else "errant"
