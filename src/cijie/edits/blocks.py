"""Sources with their edits, as blocks of M2, in the dialects of ERRANT and of ChERRANT.

The dialects differ in how they write the type of an edit and the correction of redundant words
(`-NONE-`, or nothing), and ChERRANT's alone has lines for the corrected sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cijie.edits.edits import Edit, apply_edits, word_edits
from cijie.errors import FormatError
from cijie.recovery.pair import NO_ERROR, NOT_ANNOTATABLE

Dialect = Literal["errant", "cherrant"]

_NONE = ("-NONE-",)
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
            empty = _NONE if cherrant or edit.alternatives else ()
            corrections = (edit.correction, *edit.alternatives)
            correction = "||".join(" ".join(words or empty) for words in corrections)
            yield (
                f"A {edit.start} {edit.end}|||{edit.type}|||{correction}"
                f"|||{edit.required}|||{edit.comment}|||{self.annotator}"
            )


@dataclass(frozen=True, slots=True)
class M2Block:
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


def annotate(source: Sequence[str], targets: Iterable[Sequence[str]], dialect: Dialect) -> M2Block:
    """The block of a source and its targets, all given as words; each target is an annotator.

    Without a target the block says that the source could not be annotated: with the type `NA` in
    ChERRANT's dialect, with no edit in ERRANT's, which has no word for it.

    Raises:
        FormatError: a word that M2 cannot express: one that is empty, has white space or `||` in
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
    return M2Block(tuple(source), tuple(annotations))


def _whole_sentence(annotator: int, type: str, remark: str | None) -> Annotation:
    target = None if remark is None else (remark,)
    return Annotation(annotator, (Edit(-1, -1, _NONE, type),), target)


def _check_words(words: Sequence[str]) -> None:
    for word in words:
        if word.split() != [word] or "||" in word or (word,) == _NONE:
            raise FormatError(f"M2 cannot express the word {word!r}")
