"""MuCGEC's format: `id TAB source TAB reference TAB reference …`, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cijie.corpora.base import Found, InputFile
from cijie.corpora.checks import label_in
from cijie.errors import FormatError
from cijie.recovery.sentence import Sentence, Status


def read(file: InputFile) -> Iterator[Found]:
    """Read its rows.

    Labels such as `没有错误` in the place of a reference are understood later, as in all formats.
    An empty field at the end of a row is left out. Fields are not quoted, and text is taken as it
    is. Where texts alone are read, a row may end behind the source.

    Raises:
        FormatError: an empty line, a row without a field for a reference, an empty reference before
            another one.
        AlignmentError: texts that are too long to find the nearest reference.
    """
    return file.each(file.rows(), _sentence)


def _sentence(content: str, _: str, file: InputFile) -> Sentence:
    id, source, references, status = fields(content, file)
    return Sentence.with_targets(id, source, references, status=status)


def fields(row: str, file: InputFile) -> tuple[str, str, list[str], Status | None]:
    """A row's id, its source, its references, and its status if it has none.

    Raises:
        FormatError: as `read`.
    """
    id, *texts = row.split("\t")
    if not row:
        raise FormatError("an empty line")
    if len(texts) < (1 if file.purpose == "texts" else 2):
        no_id = texts and not id.isascii()
        hint = "; add an id, or a header source⇥target (⇥ is a tab)" if no_id else ""
        message = f"expected id, source and reference, separated by tabs, got {row!r}{hint}"
        raise FormatError(message)
    source, *references = texts
    while references and not references[-1]:
        references.pop()
        file.skipped["empty references"] += 1
    if "" in references:
        message = f"reference {references.index('') + 1} is empty: {row!r}"
        raise FormatError(message, id=id)
    return id, source, references, None if references else "no reference"


def lines(sentence: Sentence, _: str) -> str:
    """Id, source and all corrections, or why there are none, as a line."""
    return row(sentence, sentence.source, sentence.targets)


def row(sentence: Sentence, source: str, targets: Sequence[str]) -> str:
    """A row of a file.

    Args:
        sentence: whose id and status are written.
        source: its text, or its words.
        targets: likewise.

    Raises:
        FormatError: a sentence without target and status, with a tab or a line break in it, or with
            a target that would be read as something else: an empty one, or a label.
    """
    if sentence.status is not None:
        targets = [_STATUS[sentence.status]]
    elif not targets:
        raise FormatError("has no target", id=sentence.id)
    else:
        for target in targets:
            if not target or label_in(target):
                message = f"has a target that would be read back as a label: {target!r}"
                raise FormatError(message, id=sentence.id)
    texts = (sentence.id, source, *targets)
    if any(mark in text for text in texts for mark in "\t\r\n"):
        raise FormatError(
            "contains a tab or a line break, which this format cannot hold", id=sentence.id
        )
    return "\t".join(texts) + "\n"


_STATUS: dict[Status, str] = {
    "no error": "没有错误",
    "not annotatable": "无法标注",
    "no reference": "",
}
