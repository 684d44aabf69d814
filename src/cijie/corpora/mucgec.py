"""MuCGEC's format: `id TAB source TAB reference TAB reference …`, one sentence a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO

from cijie.corpora.records import Record
from cijie.errors import CijieError, FormatError
from cijie.files.ids import IdPolicy, id_checker
from cijie.files.lines import StrPath, read_lines, set_apart, write_lines
from cijie.recovery.pair import NO_ERROR, NOT_ANNOTATABLE, Corrected, Pair, nearest


def read_mucgec(
    path: StrPath,
    *,
    ids: IdPolicy = "check",
    choose: Callable[[str, Sequence[str]], int] = nearest,
    keep_correct: bool = False,
    skipped: Counter[str] | None = None,
    unread: list[CijieError] | None = None,
) -> Iterator[Pair]:
    """Read pairs from a MuCGEC file, or from any TSV of the same shape.

    A row whose reference is the whole field `没有错误` (no error) or `无法标注` (cannot be
    annotated) is no pair; beside real references such a field is left out. Fields are not quoted,
    and text is taken as it is. An empty field at the end of a row is no reference; a row that has
    no other is no pair.

    Args:
        path: the file; `-` is standard input.
        ids: what to do about an id that occurs again.
        choose: picks among several references: from the source and the references to an index.
        keep_correct: whether a row without error is a pair of the source with itself.
        skipped: counts what was left out, by reason.
        unread: takes the errors of rows that then are left out, instead of their being raised.

    Raises:
        FormatError: an empty line, a row without a field for a reference, an empty reference
            before another one, a repeated id, bytes that are not UTF-8.
    """
    sentences = read_corrected(
        path, ids=ids, keep_correct=keep_correct, skipped=skipped, unread=unread
    )
    for sentence in sentences:
        number = _chosen(sentence, choose, path)
        yield Pair(sentence.id, sentence.source, sentence.targets[number], reference=number + 1)


def read_corrected(
    path: StrPath,
    *,
    ids: IdPolicy = "check",
    keep_correct: bool = False,
    skipped: Counter[str] | None = None,
    unread: list[CijieError] | None = None,
) -> Iterator[Corrected]:
    """Read the rows that `read_mucgec` makes pairs of, each with all its references.

    With `keep_correct`, a row without error has the source itself as its only target.

    Raises:
        FormatError: as `read_mucgec`.
    """
    skipped = Counter() if skipped is None else skipped
    for id, source, references in _rows(path, ids, skipped, unread):
        if not references:
            skipped["rows without a reference"] += 1
        elif NOT_ANNOTATABLE in references:
            skipped["rows not annotatable"] += 1
        elif NO_ERROR not in references:
            yield Corrected(id, source, tuple(references))
        elif keep_correct:
            yield Corrected(id, source, (source,))
        else:
            skipped["rows without error"] += 1


def read_sentences(
    path: StrPath, *, ids: IdPolicy = "check", skipped: Counter[str] | None = None
) -> Iterator[Corrected]:
    """Read every row with all its references: sentence n is row n.

    `没有错误` is the source itself; a row with `无法标注`, or without a reference, has none.

    Raises:
        FormatError: as `read_mucgec`.
    """
    skipped = Counter() if skipped is None else skipped
    for id, source, references in _rows(path, ids, skipped):
        targets = () if NOT_ANNOTATABLE in references else tuple(references)
        yield Corrected(id, source, tuple(source if t == NO_ERROR else t for t in targets))


def read_records(path: StrPath, *, skipped: Counter[str] | None = None) -> Iterator[Record]:
    """Read every row: with the nearest of its references as target, or without any.

    Raises:
        FormatError: as `read_mucgec`.
    """
    for sentence in read_sentences(path, skipped=skipped):
        targets = sentence.targets
        target = targets[_chosen(sentence, nearest, path)] if targets else None
        yield Record(sentence.id, sentence.source, target=target)


def write_records(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write id, source and target.

    Raises:
        FormatError: a record without target, with a tab or a line break in it, or with a target
            that would be read as something else: an empty one, or one of the two sentinels.
    """
    write_lines((row(r.id, r.source, r.of_target().source) for r in records), stream)


def row(id: str, source: str, target: str) -> str:
    """A row of a file, without its end.

    Raises:
        FormatError: as `write_records`.
    """
    fields = (id, source, target)
    if any(mark in field for field in fields for mark in "\t\r\n"):
        raise FormatError("has a tab or a line break in it", id=id)
    if target in ("", NO_ERROR, NOT_ANNOTATABLE):
        raise FormatError(f"has a target that means something else: {target!r}", id=id)
    return "\t".join(fields)


def _chosen(sentence: Corrected, choose: Callable[[str, Sequence[str]], int], path: StrPath) -> int:
    try:
        return choose(sentence.source, sentence.targets)
    except CijieError as error:
        raise type(error)(error.message, path=path, id=sentence.id) from error


def _rows(
    path: StrPath,
    ids: IdPolicy,
    skipped: Counter[str],
    unread: list[CijieError] | None = None,
) -> Iterator[tuple[str, str, list[str]]]:
    check_id = id_checker(ids, path)
    for line, text in read_lines(path, unread):
        try:
            id, source, references = _fields(text, path, line)
            id = check_id(id, line)
            empty = _drop_empty(references)
            if "" in references:
                number = references.index("") + 1
                message = f"reference {number} is empty: {text!r}"
                raise FormatError(message, path=path, line=line, id=id)
        except FormatError as error:
            set_apart(error, unread, text)
            continue
        if empty:
            skipped["empty references"] += empty
        corrections = [text for text in references if text not in (NO_ERROR, NOT_ANNOTATABLE)]
        if corrections and len(corrections) < len(references):
            skipped["sentinels beside corrections"] += len(references) - len(corrections)
            references = corrections
        yield id, source, references


def _drop_empty(references: list[str]) -> int:
    """Drop the empty references at the end, and say how many they were."""
    before = len(references)
    while references and not references[-1]:
        references.pop()
    return before - len(references)


def _fields(text: str, path: StrPath, line: int) -> tuple[str, str, list[str]]:
    id, *fields = text.split("\t")
    if not text:
        raise FormatError("an empty line", path=path, line=line)
    if len(fields) < 2:
        wanted = "id, source and reference, separated by tabs"
        raise FormatError(f"{wanted} are wanted, not {text!r}", path=path, line=line)
    return id, fields[0], fields[1:]
