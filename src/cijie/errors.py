"""The exceptions that cijie raises on purpose.

Each has a message of one line; errors about data also name the location.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, get_args
from unicodedata import category

# Controls, formats (of direction, joining, width), surrogates, ends of lines and of paragraphs.
_OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")
_LONGEST = 1000  # characters of a message; a line of a file may have a hundred million


class UsageError(ValueError):
    """Invalid arguments: an unknown name, an out-of-range number, or incompatible settings.

    Commands exit with code 2 for this error, and with 1 for invalid data.
    """


class CijieError(Exception):
    """Base class of every error that cijie raises about data: what files and records contain.

    Args:
        message: the fault, with the offending text; the middle of a long message is left out
            of its middle.
        path: the file it was found in, if any.
        line: the line in that file, counted from 1.
        id: the identifier of the record, if it has one.

    Attributes:
        record: the record itself, where it is kept: a line as text, or as bytes if it
            cannot be decoded.

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
        self.record: str | bytes | None = None
        super().__init__(self.message)

    def __str__(self) -> str:
        where = self.path or ""
        if self.line is not None:
            where += f":{self.line}" if where else f"line {self.line}"
        parts = [where] if where else []
        if self.id is not None:
            parts.append(f"id {_shortened(self.id)}")
        return printable(": ".join([*parts, self.message]))

    def at(
        self,
        *,
        path: str | os.PathLike[str] | None = None,
        line: int | None = None,
        id: object = None,
    ) -> CijieError:
        """Fill in the missing parts of the error's location; return the error.

        Args:
            path: the file it was found in, unless it names one.
            line: the line, likewise.
            id: the identifier of the record, likewise.

        >>> str(CijieError("no reference", line=3).at(path="dev.tsv", line=7))
        'dev.tsv:3: no reference'
        """
        if self.path is None and path is not None:
            self.path = os.fspath(path)
        self.line = line if self.line is None else self.line
        self.id = str(id) if self.id is None and id is not None else self.id
        return self

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only arguments do not survive the default pickling of exceptions.
        return type(self), (self.message,), self.__dict__


class FormatError(CijieError):
    """A file does not have the format it should have."""


class SegmentationError(CijieError):
    """Words that do not cover their text, or a boundary where none can stand."""


class AlignmentError(CijieError):
    """Links that are out of range, not one-to-one, or anchors out of order."""


class MissingExtraError(ImportError):
    """An optional library is needed; the message names the extra that installs it."""

    def __init__(self, what: str, extra: str, hint: str = "") -> None:
        super().__init__(f"{what} is not installed: pip install 'cijie[{extra}]'{hint}")
        self._said = what, extra, hint

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._said


class SegmenterError(RuntimeError):
    """A segmenter is there but does not work as its adapter expects."""


class WorkerError(RuntimeError):
    """A process that did a part of the work died."""


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


@contextmanager
def located(
    *, path: str | os.PathLike[str] | None = None, line: int | None = None, id: object = None
) -> Iterator[None]:
    """Context manager that adds a location to data errors raised inside it; see `CijieError.at`.

    Args:
        path: the file that the errors are found in.
        line: the line, counted from 1.
        id: the identifier of the record.

    >>> with located(path="dev.tsv", id="7"):
    ...     raise FormatError("no reference", line=3)
    Traceback (most recent call last):
    cijie.errors.FormatError: dev.tsv:3: id 7: no reference
    """
    try:
        yield
    except CijieError as error:
        error.at(path=path, line=line, id=id)
        raise


def printable(text: str) -> str:
    r"""Escape control and formatting characters, for terminals and table cells.

    >>> print(printable("id\x1b]0;title\x07\n7"))
    id\x1b]0;title\x07\n7
    """
    if text.isprintable():
        return text
    return "".join([repr(c)[1:-1] if category(c) in _OBEYED else c for c in text])


def describe(char: str) -> str:
    """Describe a character with its code points, for messages about texts that differ.

    >>> describe("拾")
    "'拾' (U+62FE)"
    >>> describe("")
    'the end of the text'
    """
    if not char:
        return "the end of the text"
    return f"{char!r} ({' '.join(f'U+{ord(c):04X}' for c in char)})"


def counted(count: int, what: str) -> str:
    """Format a count with its noun; for 1, the first word in -s becomes singular.

    >>> counted(1, "boundaries inserted"), counted(1, "gold sentences without a pair")
    ('1 boundary inserted', '1 gold sentence without a pair')
    >>> counted(1200, "pairs")
    '1,200 pairs'
    """
    if count == 1:
        what = re.sub(r"(ie)?s\b", lambda end: "y" if end[1] else "", what, count=1)
    return f"{count:,} {what}"


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """Build the error message for an unknown name: suggest the closest match, or list all names.

    Args:
        what: what the name should be, such as `method`.
        name: the unknown name.
        known: the known names.

    >>> unknown("option", "treshold", ["weights", "threshold"])
    "unknown option 'treshold': did you mean 'threshold'?"
    >>> unknown("method", "p9", ["direct", "p1"])
    "unknown method 'p9': expected one of direct, p1"
    """
    known = list(known)
    near = get_close_matches(str(name), known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(known)}"
    return f"unknown {what} {name!r}: {hint}"


def check_choice(what: str, name: object, kind: Any) -> None:
    """Refuse a name that is none of those of a `Literal` type.

    Args:
        what: what it names, for the message.
        name: the name.
        kind: the type.

    Raises:
        UsageError: the name is unknown; the message suggests the closest one.

    >>> from cijie.choices import Position
    >>> check_choice("position", "lokal", Position)
    Traceback (most recent call last):
    cijie.errors.UsageError: unknown position 'lokal': did you mean 'local'?
    """
    if name not in get_args(kind):
        raise UsageError(unknown(what, name, get_args(kind)))
