"""Sources with their edits, as blocks of M2, in the dialects of ERRANT and of ChERRANT.

The dialects differ in how they write the type of an edit and the correction of redundant words
(`-NONE-`, or nothing), and ChERRANT's alone has lines for the corrected sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cijie.edits.edits import Edit, apply_edits
from cijie.edits.types import EditTyper

Dialect = Literal["errant", "cherrant"]

NONE = ("-NONE-",)
"""What stands for no words."""

_ERRANT_OPERATIONS = {"M": "M", "R": "U", "S": "R", "W": "R"}


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

    def targets(self, source: Sequence[str]) -> list[list[str]]:
        """The words of `corrected`, and of a further sentence for each alternative.

        The n-th sentence has the n-th correction of every edit, the last one where there are fewer.

        Raises:
            CijieError: edits that do not fit `source`.

        >>> edit = Edit(0, 1, ("高兴",), "S", alternatives=(("开心",), ()))
        >>> Annotation(0, (edit, Edit(1, 1, ("了",), "M"))).targets(["高光"])
        [['高兴', '了'], ['开心', '了'], ['了']]
        """
        more = max((len(edit.alternatives) for edit in self.edits), default=0)
        return [
            self.corrected(source),
            *(
                apply_edits(
                    source,
                    [
                        replace(edit, correction=(edit.correction, *edit.alternatives)[: n + 1][-1])
                        for edit in self.edits
                    ],
                )
                for n in range(1, more + 1)
            ),
        ]

    def lines(self) -> Iterator[str]:
        """The annotation as lines of an M2 file."""
        cherrant = self.target is not None
        if self.target is not None:
            alternative = "" if self.alternative is None else f"-A{self.alternative}"
            yield " ".join((f"T{self.annotator}{alternative}", *self.target))
        for edit in self.edits:
            empty = NONE if cherrant or edit.alternatives else ()
            corrections = (edit.correction, *edit.alternatives)
            correction = "||".join(" ".join(words or empty) for words in corrections)
            yield (
                f"A {edit.start} {edit.end}|||{edit.type}|||{correction}"
                f"|||{edit.required}|||{edit.comment}|||{self.annotator}"
            )


@dataclass(frozen=True, slots=True)
class M2Block:
    """A source and its annotations; `str()` of it is the block of an M2 file.

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
    """The block of a source and its targets, all given as words, in ChERRANT's dialect.

    Each target is an annotator. Without a target the type `NA` says that the source could not be
    annotated.

    Args:
        source: its words.
        targets: the words of each target.
        typer: gives each edit its type.

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
    """A block of `annotate` in ERRANT's dialect.

    A source that could not be annotated has no edit there, as there is no word for it.

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
