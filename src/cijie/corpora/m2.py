"""M2, the format of edits, in the dialects of ERRANT and of ChERRANT.

A block is a source, its words separated by single spaces, with the edits of one or more annotators:

    S 学生 大概 做 飞机 去
    T0-A0 学生 大概 坐 飞机 去
    A 2 3|||S|||坐|||REQUIRED|||-NONE-|||0

The `T` line is ChERRANT's alone. The dialects differ, too, in how they write the type of an edit
and the correction of redundant words (`-NONE-`, or nothing). `高兴||开心` are two
corrections, either of which would do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import IO

from cijie.corpora.records import Record, joined
from cijie.edits.blocks import NONE, Annotation, Dialect, M2Block, annotate, in_errant
from cijie.edits.edits import Edit
from cijie.edits.types import EditTyper
from cijie.errors import CijieError, FormatError, located
from cijie.files.lines import StrPath, read_blocks
from cijie.recovery.pair import nearest

_NUMBER = r"(0|[1-9][0-9]{0,8})"
_TARGET_LINE = re.compile(rf"T{_NUMBER}(?:-A{_NUMBER})?(?: (.*))?", re.DOTALL)


def read_m2(path: StrPath) -> Iterator[M2Block]:
    """Read blocks of either dialect. `str()` of a block gives back its lines, byte for byte.

    An annotator's edits are put together, in the order of their places (those of one place in that
    of the file), wherever they stand in the block.

    Raises:
        FormatError: a line that has no place in M2, bytes that are not UTF-8.
    """
    for line, lines in read_blocks(path):
        yield _block(lines, path, line)


def read_records(path: StrPath) -> Iterator[Record]:
    """Read sources with the words they have in the file; of several targets the nearest.

    The targets are those of all annotators, with all alternatives (`Annotation.targets`).

    M2 has no white space but that between words: the text is the words, joined. The id is the
    block's number. A source that could not be annotated has no target.

    Raises:
        FormatError: as `read_m2`, edits that do not fit their source, and texts that are too long
            to be compared.
    """
    for number, (line, lines) in enumerate(read_blocks(path), start=1):
        block = _block(lines, path, line)
        try:
            record = _record(str(number), block)
        except CijieError as error:
            raise FormatError(error.message, path=path, line=line) from error
        yield record


def write_cherrant(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write records with source and target words as M2, in ChERRANT's dialect."""
    _write(records, stream, "cherrant")


def write_errant(records: Iterable[Record], stream: IO[bytes]) -> None:
    """Write records with source and target words as M2, in ERRANT's dialect."""
    _write(records, stream, "errant")


def write_block(block: M2Block, stream: IO[bytes], dialect: Dialect) -> M2Block:
    """Write a block that `annotate` made, in this dialect; what was written is given back.

    Raises:
        FormatError: a word that M2 cannot express: one that is empty, has white space or `||` in
            it, or is `-NONE-`.
    """
    targets = (annotation.corrected(block.source) for annotation in block.annotations)
    for word in chain(block.source, *targets):
        if word.split() != [word] or "||" in word or (word,) == NONE:
            raise FormatError(f"M2 cannot express the word {word!r}")
    written = block if dialect == "cherrant" else in_errant(block)
    stream.write(f"{written}\n".encode())
    return written


def _write(records: Iterable[Record], stream: IO[bytes], dialect: Dialect) -> None:
    typer = EditTyper()
    for record in records:
        targets = [] if record.target is None else [record.of_target().words()]
        with located(id=record.id):
            write_block(annotate(record.words(), targets, typer), stream, dialect)


def _record(id: str, block: M2Block) -> Record:
    words = [t for a in block.annotations if a.annotated for t in a.targets(block.source)]
    if not block.annotations:
        words = [list(block.source)]
    source = joined(block.source)
    targets = [joined(target) for target in words]
    if not targets:
        return Record(id, source.text, source)
    target = targets[nearest(source.text, [target.text for target in targets])]
    return Record(id, source.text, source, target.text, target)


def _block(lines: Sequence[str], path: StrPath, first: int) -> M2Block:
    tag, _, source = lines[0].partition(" ")
    if tag != "S":
        raise FormatError(f"a block begins with S, not {lines[0]!r}", path=path, line=first)
    annotations: list[Annotation] = []
    edits: list[list[Edit]] = []  # of each annotation
    places: dict[int, int] = {}  # of annotations without a T line, by annotator
    for line, text in enumerate(lines[1:], start=first + 1):
        if match := _TARGET_LINE.fullmatch(text):
            number, way, words = match.groups()
            target = _words(words or "")
            annotations.append(
                Annotation(int(number), (), target, None if way is None else int(way))
            )
            edits.append([])
            continue
        annotator, edit = _edit(text, path, line)
        if annotations and annotations[-1].target is not None:
            if annotations[-1].annotator != annotator:
                message = f"an edit of annotator {annotator} under T{annotations[-1].annotator}"
                raise FormatError(message, path=path, line=line)
            edits[-1].append(edit)
            continue
        place = places.setdefault(annotator, len(annotations))
        if place == len(annotations):
            annotations.append(Annotation(annotator, ()))
            edits.append([])
        edits[place].append(edit)
    made = (
        replace(annotation, edits=tuple(sorted(its, key=attrgetter("start", "end"))))
        for annotation, its in zip(annotations, edits, strict=True)
    )
    return M2Block(_words(source), tuple(made))


def _edit(text: str, path: StrPath, line: int) -> tuple[int, Edit]:
    try:
        # From both sides, for a correction may end in a bar.
        head, required, comment, annotator = text.rsplit("|||", 3)
        span, type, correction = head.split("|||", 2)
        tag, start, end = span.split(" ")
        if tag != "A":
            raise ValueError
        for number in (start, end, annotator):
            if not re.fullmatch(rf"-1|{_NUMBER}", number):
                raise ValueError
        if "|||" in correction:
            raise ValueError
        whole = int(start) < 0  # a remark about the sentence, whose words are not looked into
        words, *others = (
            () if way == "-NONE-" and not whole else _words(way) for way in correction.split("||")
        )
        edit = Edit(int(start), int(end), words, type, required, comment, tuple(others))
        return int(annotator), edit
    except ValueError:
        wanted = "A START END|||TYPE|||CORRECTION|||REQUIRED|||COMMENT|||ANNOTATOR"
        raise FormatError(f"{wanted} is wanted, not {text!r}", path=path, line=line) from None


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(" ")) if text else ()
