"""The exceptions that cijie raises on purpose.

All of them say what was wrong in one line; those about data name the place as well.
"""

from __future__ import annotations

import os
import re

_LONGEST = 1000  # characters of a message; a line of a file may have a hundred million


class CijieError(ValueError):
    """Base class of every error that cijie raises about its input.

    Args:
        message: what is wrong, with the offending text; what is too long to be read is left out
            of its middle.
        path: the file it was found in, if any.
        line: the line in that file, counted from 1.
        id: the identifier of the record, if it has one.

    >>> str(CijieError("no reference", path="dev.tsv", line=3, id="7"))
    'dev.tsv:3: id 7: no reference'
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | os.PathLike[str] | None = None,
        line: int | None = None,
        id: object = None,
    ) -> None:
        self.message = _shortened(message)
        self.path = None if path is None else os.fspath(path)
        self.line = line
        self.id = None if id is None else str(id)
        super().__init__(self.message)

    def __str__(self) -> str:
        where = self.path or ""
        if self.line is not None:
            where += f":{self.line}" if where else f"line {self.line}"
        parts = [where] if where else []
        if self.id is not None:
            parts.append(f"id {_shortened(self.id)}")
        return ": ".join([*parts, self.message])

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling of exceptions.
        return _rebuild, (type(self), self.message, self.path, self.line, self.id)


class FormatError(CijieError):
    """A file does not have the format it should have."""


class SegmentationError(CijieError):
    """Words that do not cover their text, or a boundary where none can stand."""


class AlignmentError(CijieError):
    """Links that are out of range, not one-to-one, or anchors out of order."""


class MissingExtraError(ImportError):
    """An optional library is needed; the message names the extra that installs it."""

    def __init__(self, what: str, extra: str, *, hint: str = "") -> None:
        super().__init__(f"{what} is not installed: pip install 'cijie[{extra}]'{hint}")
        self._said = what, extra, hint

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild_missing, self._said


class SegmenterError(RuntimeError):
    """A segmenter is there but does not work as its adapter expects."""


class WorkerError(RuntimeError):
    """A process that did a part of the work died."""


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


def _rebuild(
    cls: type[CijieError], message: str, path: str | None, line: int | None, id: str | None
) -> CijieError:
    return cls(message, path=path, line=line, id=id)


def _rebuild_missing(what: str, extra: str, hint: str) -> MissingExtraError:
    return MissingExtraError(what, extra, hint=hint)


def describe(char: str) -> str:
    """A character with its code points, for messages about text that differs.

    >>> describe("拾")
    "'拾' (U+62FE)"
    >>> describe("")
    'the end of the text'
    """
    if not char:
        return "the end of the text"
    return f"{char!r} ({' '.join(f'U+{ord(c):04X}' for c in char)})"


def counted(count: int, what: str) -> str:
    """A number with what it counts, in the plural: its first word in -s is that of one, if it is 1.

    >>> counted(1, "boundaries inserted"), counted(1, "gold sentences without a pair")
    ('1 boundary inserted', '1 gold sentence without a pair')
    >>> counted(1200, "pairs")
    '1,200 pairs'
    """
    if count == 1:
        what = re.sub(r"(ie)?s\b", lambda end: "y" if end[1] else "", what, count=1)
    return f"{count:,} {what}"
