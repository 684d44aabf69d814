"""M2, the format of edits, in the dialects of ERRANT and of ChERRANT.

A block is a source, its words separated by single spaces, with the edits of one or more annotators:

    S 学生 大概 做 飞机 去
    T0-A0 学生 大概 坐 飞机 去
    A 2 3|||S|||坐|||REQUIRED|||-NONE-|||0

The `T` line is ChERRANT's alone. The dialects differ, too, in how they write the type of an edit
and the correction of redundant words (`-NONE-`, or nothing).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import IO, Literal

from cijie.corpora.files import StrPath, read_blocks
from cijie.corpora.mucgec import NO_ERROR, NOT_ANNOTATABLE
from cijie.corpora.pair import nearest
from cijie.corpora.records import Record, joined
from cijie.edits import Edit, apply_edits, word_edits
from cijie.errors import CijieError, FormatError

Dialect = Literal["errant", "cherrant"]

_NONE = ("-NONE-",)
_NUMBER = r"(0|[1-9][0-9]{0,8})"
_TARGET_LINE = re.compile(rf"T{_NUMBER}(?:-A{_NUMBER})?(?: (.*))?", re.DOTALL)
_ERRANT_TYPES = {"M": "M:OTHER", "R": "U:OTHER", "S": "R:OTHER", "W": "R:WO"}


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator did to a source.

    Args:
        annotator: the annotator's number, from 0.
        edits: the edits; one of type `noop` and with start -1 says that there is no error.
        target: what follows `T` in ChERRANT's dialect: the words of the corrected sentence, or a
            remark where `alternative` is None; None in ERRANT's dialect.
        alternative: the number after `-A`: an annotator's edits may be written in several ways.
    """

    annotator: int
    edits: tuple[Edit, ...]
    target: tuple[str, ...] | None = None
    alternative: int | None = None

    @property
    def annotated(self) -> bool:
        """Whether the annotator could do anything: type `NA` says that it was impossible."""
        return all(edit.type != "NA" for edit in self.edits)

    def corrected(self, source: Sequence[str]) -> list[str]:
        """The words of the corrected sentence: those of the `T` line, else by the edits.

        Raises:
            CijieError: edits that do not fit `source`.
        """
        if self.target is not None and self.alternative is not None:
            return list(self.target)
        return apply_edits(source, self.edits)

    def lines(self) -> Iterator[str]:
        """The annotation as lines of an M2 file."""
        cherrant = self.target is not None
        if self.target is not None:
            alternative = "" if self.alternative is None else f"-A{self.alternative}"
            yield " ".join((f"T{self.annotator}{alternative}", *self.target))
        for edit in self.edits:
            correction = edit.correction or (_NONE if cherrant else ())
            yield (
                f"A {edit.start} {edit.end}|||{edit.type}|||{' '.join(correction)}"
                f"|||{edit.required}|||{edit.comment}|||{self.annotator}"
            )


@dataclass(frozen=True, slots=True)
class Block:
    """A source and its annotations; `str()` of it is the block of an M2 file.

    >>> print(annotate(["我", "学较"], [["我", "的", "学校"], ["我", "学较"]], "cherrant"), end="")
    S 我 学较
    T0-A0 我 的 学校
    A 1 2|||S|||的 学校|||REQUIRED|||-NONE-|||0
    T1 没有错误
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
    """

    source: tuple[str, ...]
    annotations: tuple[Annotation, ...] = ()

    def __str__(self) -> str:
        lines = [" ".join(("S", *self.source))]
        for annotation in self.annotations:
            lines += annotation.lines()
        return "\n".join([*lines, ""])


def annotate(source: Sequence[str], targets: Iterable[Sequence[str]], dialect: Dialect) -> Block:
    """The block of a source and its targets, all given as words; each target is an annotator.

    Without a target the block says that the source could not be annotated: with the type `NA` in
    ChERRANT's dialect, with no edit in ERRANT's, which has no word for it.

    Raises:
        FormatError: a word that M2 cannot express: one that is empty, has white space or `|||` in
            it, or is `-NONE-`.

    >>> print(annotate(["去", "学较", "里"], [["去", "学校"]], "errant"), end="")
    S 去 学较 里
    A 1 3|||R:OTHER|||学校|||REQUIRED|||-NONE-|||0
    """
    cherrant = dialect == "cherrant"
    _check_words(source)
    annotations = []
    for number, target in enumerate(targets):
        _check_words(target)
        edits = word_edits(source, target)
        if not cherrant:
            edits = [replace(edit, type=_ERRANT_TYPES[edit.type]) for edit in edits]
        if edits:
            words = tuple(target) if cherrant else None
            annotation = Annotation(number, tuple(edits), words, 0 if cherrant else None)
        else:
            annotation = _whole_sentence(number, "noop", NO_ERROR if cherrant else None)
        annotations.append(annotation)
    if cherrant and not annotations:
        annotations.append(_whole_sentence(0, "NA", NOT_ANNOTATABLE))
    return Block(tuple(source), tuple(annotations))


def read_m2(path: StrPath) -> Iterator[Block]:
    """Read blocks of either dialect. `str()` of a block gives back its lines, byte for byte.

    Raises:
        FormatError: a line that has no place in M2, bytes that are not UTF-8.
    """
    for line, lines in read_blocks(path):
        yield _block(lines, path, line)


def read_records(path: StrPath) -> Iterator[Record]:
    """Read sources with the words they have in the file; of several targets the nearest.

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


def _write(records: Iterable[Record], stream: IO[bytes], dialect: Dialect) -> None:
    for record in records:
        targets = [] if record.target is None else [record.of_target().words()]
        try:
            block = annotate(record.words(), targets, dialect)
        except CijieError as error:
            raise type(error)(error.message, id=record.id) from error
        stream.write(f"{block}\n".encode())


def _record(id: str, block: Block) -> Record:
    words = [a.corrected(block.source) for a in block.annotations if a.annotated]
    if not block.annotations:
        words = [list(block.source)]
    source = joined(block.source)
    targets = [joined(target) for target in words]
    if not targets:
        return Record(id, source.text, source)
    target = targets[nearest(source.text, [target.text for target in targets])]
    return Record(id, source.text, source, target.text, target)


def _whole_sentence(annotator: int, type: str, remark: str | None) -> Annotation:
    target = None if remark is None else (remark,)
    return Annotation(annotator, (Edit(-1, -1, _NONE, type),), target)


def _check_words(words: Sequence[str]) -> None:
    for word in words:
        if word.split() != [word] or "|||" in word or (word,) == _NONE:
            raise FormatError(f"M2 cannot express the word {word!r}")


def _block(lines: Sequence[str], path: StrPath, first: int) -> Block:
    tag, _, source = lines[0].partition(" ")
    if tag != "S":
        raise FormatError(f"a block begins with S, not {lines[0]!r}", path=path, line=first)
    annotations: list[Annotation] = []
    for line, text in enumerate(lines[1:], start=first + 1):
        if match := _TARGET_LINE.fullmatch(text):
            number, alternative, words = match.groups()
            annotations.append(
                Annotation(
                    int(number),
                    (),
                    _words(words or ""),
                    None if alternative is None else int(alternative),
                )
            )
            continue
        annotator, edit = _edit(text, path, line)
        if not annotations or (
            annotations[-1].target is None and annotations[-1].annotator != annotator
        ):
            annotations.append(Annotation(annotator, ()))
        last = annotations[-1]
        if last.annotator != annotator:
            raise FormatError(
                f"an edit of annotator {annotator} under T{last.annotator}", path=path, line=line
            )
        annotations[-1] = replace(last, edits=(*last.edits, edit))
    return Block(_words(source), tuple(annotations))


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
        words = () if correction == "-NONE-" and int(start) >= 0 else _words(correction)
        return int(annotator), Edit(int(start), int(end), words, type, required, comment)
    except ValueError:
        wanted = "A START END|||TYPE|||CORRECTION|||REQUIRED|||COMMENT|||ANNOTATOR"
        raise FormatError(f"{wanted} is wanted, not {text!r}", path=path, line=line) from None


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(" ")) if text else ()
