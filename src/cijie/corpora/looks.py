"""What the first lines of a file look like, where they would be misread as sentences."""

from __future__ import annotations

import re

from cijie.errors import FormatError

CONLLU_ROW = r"\d+(?:[-.]\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|$)"

# First lines that are not sentences: what each looks like, and which format reads it.
_NOT_SENTENCES = {
    r"S ": ("M2", "cherrant"),
    r'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})': ("JSON lines", "jsonl"),
    r"# (?:global\.columns|newdoc|newpar|sent_id|text)\b": ("CoNLL-U", "conllu"),
    CONLLU_ROW: ("CoNLL-U", "conllu"),
}

# Cells of a header, in lower case: what cijie calls columns, and what others call the first one.
_NAMES = {"source", "target", "reference", "references", "words", "target_words"}
_NAME = re.compile(r"[a-z_][a-z0-9_ .-]*")
_ID = re.compile(r"[a-z_ -]*id|idx|index|编号|序号")


def check_first_line(row: str, header: str = "source") -> None:
    """Refuse a first line of another format, a header too, that would be read as a sentence.

    Args:
        row: the line.
        header: what the column of the sources is called.

    Raises:
        FormatError: it is one; the format that reads it is named.
    """
    if (name := table_with(row, header)) is not None:
        raise FormatError(f"this looks like a header: {row!r}; --from {name} reads it", line=1)
    for pattern, (what, name) in _NOT_SENTENCES.items():
        if re.match(pattern, row):
            message = (
                f"this looks like {what}: {row!r}; "
                f"--from {name} reads it, --from lines takes it as text"
            )
            raise FormatError(message, line=1)
    check_header(row, header)


def table_with(row: str, header: str) -> str | None:
    """The format of a file whose first line is a header with that column, None if it is not one."""
    separated = (("\t", "tsv"), (",", "csv"))
    return next((name for mark, name in separated if header in row.split(mark)), None)


def check_header(row: str, header: str) -> None:
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
