"""MuCGEC's format: `id TAB source TAB reference TAB reference …`, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cijie.corpora.reading import Reading, Unit
from cijie.corpora.records import Record, Status
from cijie.corpora.writing import LineWriter
from cijie.errors import FormatError
from cijie.recovery.pair import NO_ERROR, NOT_ANNOTATABLE


def units(reading: Reading) -> Iterator[Unit]:
    """Its rows."""
    return reading.rows()


def record(content: str, _: str, reading: Reading) -> Record:
    """The record of a row.

    A row whose reference is the whole field `没有错误` (no error) or `无法标注` (cannot be
    annotated) says why there is no correction; beside real references such a field is left out,
    and so is an empty field at the end of a row. Fields are not quoted, and text is taken as it is.

    Where texts alone are wanted, a row may end behind the source.

    Raises:
        FormatError: an empty line, a row without a field for a reference, an empty reference before
            another one.
        AlignmentError: texts that are too long to find the nearest reference.
    """
    id, source, references, status = fields(content, reading)
    if status == "no error":
        return Record(id, source, target=source, status=status)
    return Record.with_targets(id, source, references, status=status)


def fields(row: str, reading: Reading) -> tuple[str, str, list[str], Status | None]:
    """A row's id, its source, its corrections, and why there are none.

    Raises:
        FormatError: as `record`.
    """
    id, *texts = row.split("\t")
    if not row:
        raise FormatError("an empty line")
    if len(texts) < (1 if reading.wanted == "texts" else 2):
        wanted = "id, source and reference, separated by tabs"
        no_id = texts and not id.isascii()
        hint = "; add an id, or a header source⇥target (⇥ is a tab)" if no_id else ""
        raise FormatError(f"{wanted} are wanted, not {row!r}{hint}")
    source, *references = texts
    while references and not references[-1]:
        references.pop()
        reading.skipped["empty references"] += 1
    if "" in references:
        message = f"reference {references.index('') + 1} is empty: {row!r}"
        raise FormatError(message, id=id)
    corrections = [text for text in references if text.strip() not in _SENTINELS]
    if corrections:
        if len(corrections) < len(references):
            reading.skipped["sentinels beside corrections"] += len(references) - len(corrections)
        return id, source, corrections, None
    told = {reference.strip() for reference in references}
    if NOT_ANNOTATABLE in told:
        return id, source, [], "not annotatable"
    return id, source, [], "no error" if told else "no reference"


def writer(_: str, __: frozenset[str]) -> MucgecWriter:
    """What writes it."""
    return MucgecWriter()


class MucgecWriter(LineWriter):
    """Writes id, source and all corrections, or why there are none."""

    def lines(self, record: Record) -> str:
        """A record as a line."""
        return row(record, record.source, record.targets)


def row(record: Record, source: str, targets: Sequence[str]) -> str:
    """A row of a file.

    Raises:
        FormatError: a record without target and status, with a tab or a line break in it, or with
            a target that would be read as something else: an empty one, or one of the sentinels.
    """
    if record.status is not None:
        targets = [_STATUS[record.status]]
    elif not targets:
        raise FormatError("has no target", id=record.id)
    else:
        for target in targets:
            if not target or target.strip() in _SENTINELS:
                message = f"has a target that means something else: {target!r}"
                raise FormatError(message, id=record.id)
    texts = (record.id, source, *targets)
    if any(mark in text for text in texts for mark in "\t\r\n"):
        raise FormatError("has a tab or a line break in it", id=record.id)
    return "\t".join(texts) + "\n"


_SENTINELS = (NO_ERROR, NOT_ANNOTATABLE)
_STATUS: dict[Status, str] = {
    "no error": NO_ERROR,
    "not annotatable": NOT_ANNOTATABLE,
    "no reference": "",
}
