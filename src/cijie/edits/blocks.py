"""Sources with their edits as M2 blocks, in the dialects of ERRANT and ChERRANT.

The dialects differ in the types of edits and in the correction of redundant words (`-NONE-` or
nothing). Only ChERRANT's has lines for the corrected sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cijie.edits.edits import Edit, apply_edits
from cijie.edits.types import EditTyper

Dialect = Literal["errant", "cherrant"]

NONE = ("-NONE-",)
"""The M2 notation for no words."""

_ERRANT_OPERATIONS = {"M": "M", "R": "U", "S": "R", "W": "R"}


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's edits of a source.

    Args:
        annotator: the annotator's number, from 0.
        edits: the edits; a single edit of type `noop` with start -1 means that there is no error.
        target: the content of the `T` line in ChERRANT's dialect: the words of the corrected
            sentence, or a remark if `alternative` is None; None in ERRANT's dialect.
        alternative: the number after `-A`; an annotator may have several alternative annotations.
    """

    annotator: int
    edits: tuple[Edit, ...]
    target: tuple[str, ...] | None = None
    alternative: int | None = None

    @property
    def annotated(self) -> bool:
        """True unless the source could not be annotated, type `NA`."""
        return all(edit.type != "NA" for edit in self.edits)

    def corrected(self, source: Sequence[str]) -> list[str]:
        """Return the words of the corrected sentence, from the `T` line if any, else by the edits.

        Raises:
            CijieError: the edits do not fit `source`.
        """
        if self.target is not None and self.alternative is not None:
            return list(self.target)
        return apply_edits(source, self.edits)

    def lines(self) -> Iterator[str]:
        """Yield the annotation as lines of an M2 file."""
        cherrant = self.target is not None
        if self.target is not None:
            alternative = "" if self.alternative is None else f"-A{self.alternative}"
            yield " ".join((f"T{self.annotator}{alternative}", *self.target))
        for edit in self.edits:
            correction = " ".join(edit.correction or (NONE if cherrant else ()))
            yield (
                f"A {edit.start} {edit.end}|||{edit.type}|||{correction}"
                f"|||REQUIRED|||-NONE-|||{self.annotator}"
            )


@dataclass(frozen=True, slots=True)
class M2Block:
    """A source and its annotations; `str()` returns the block of an M2 file.

    >>> targets = [["我", "的", "学校"], ["我", "学较"]]
    >>> print(annotate(["我", "学较"], targets, EditTyper()), end="")
    S 我 学较
    T0-A0 我 的 学校
    A 1 2|||S:OTHER|||的 学校|||REQUIRED|||-NONE-|||0
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


def annotate(source: Sequence[str], targets: Iterable[Sequence[str]], typer: EditTyper) -> M2Block:
    """Build the block of a source and its targets, all given as words, in ChERRANT's dialect.

    Each target is one annotator. Without targets, an edit of type `NA` means that the source
    could not be annotated.

    Args:
        source: the words of the source.
        targets: the words of each target.
        typer: assigns types to edits.

    Raises:
        AlignmentError: there are too many words.

    >>> print(annotate(["去", "学较", "里"], [["去", "学校"]], EditTyper()), end="")
    S 去 学较 里
    T0-A0 去 学校
    A 1 3|||S:OTHER|||学校|||REQUIRED|||-NONE-|||0
    """
    annotations = []
    for number, target in enumerate(targets):
        if edits := typer.edits(source, target):
            annotations.append(Annotation(number, tuple(edits), tuple(target), 0))
        else:
            annotations.append(_whole_sentence(number, "noop", "没有错误"))
    if not annotations:
        annotations.append(_whole_sentence(0, "NA", "无法标注"))
    return M2Block(tuple(source), tuple(annotations))


def in_errant(block: M2Block) -> M2Block:
    """Convert a block of `annotate` to ERRANT's dialect.

    A source that could not be annotated has no edits there, because ERRANT has no type for it.

    >>> print(in_errant(annotate(["去", "学较", "里"], [["去", "学校"]], EditTyper())), end="")
    S 去 学较 里
    A 1 3|||R:OTHER|||学校|||REQUIRED|||-NONE-|||0
    """
    return M2Block(
        block.source,
        tuple(
            Annotation(
                annotation.annotator,
                tuple(replace(edit, type=_in_errant(edit.type)) for edit in annotation.edits),
            )
            for annotation in block.annotations
            if annotation.annotated
        ),
    )


def _in_errant(type: str) -> str:
    if type == "noop":
        return type
    operation, _, category = type.partition(":")
    return f"{_ERRANT_OPERATIONS[operation]}:{category or 'WO'}"


def _whole_sentence(annotator: int, type: str, remark: str) -> Annotation:
    return Annotation(annotator, (Edit(-1, -1, NONE, type),), (remark,))
