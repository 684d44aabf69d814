"""Files as lines: of text in, of text out."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from cijie.errors import CijieError, FormatError
from cijie.files.urls import open_url

StrPath = str | os.PathLike[str]


def read_lines(path: StrPath, unread: list[CijieError] | None = None) -> Iterator[tuple[int, str]]:
    r"""The lines of a UTF-8 file or URL with their numbers from 1; `-` is standard input.

    Lines end with `\n` and nothing else; one `\r` before it is part of the ending. A byte order
    mark at the start of the file is left out, U+FEFF elsewhere is text.

    Args:
        path: the file.
        unread: takes the errors of lines that then are left out, instead of their being raised.

    Raises:
        FormatError: bytes that are not UTF-8, with file and line.
        MissingExtraError: a URL, and fsspec is not installed.
    """
    if os.fspath(path) == "-":
        yield from decoded(sys.stdin.buffer, "standard input", unread)
    elif "://" in (url := os.fspath(path)):
        with open_url(url) as stream:
            yield from decoded(stream, url, unread)
    else:
        with Path(path).open("rb") as stream:
            yield from decoded(stream, path, unread)


def read_blocks(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """The runs of lines between empty ones, each with the number of its first line.

    Raises:
        FormatError: bytes that are not UTF-8, with file and line.
    """
    lines: list[str] = []
    first = 1
    for number, text in read_lines(path):
        if text:
            first = first if lines else number
            lines.append(text)
        elif lines:
            yield first, lines
            lines = []
    if lines:
        yield first, lines


def decoded(
    stream: IO[bytes], path: StrPath, unread: list[CijieError] | None = None
) -> Iterator[tuple[int, str]]:
    """The lines of an open file; see `read_lines`."""
    for number, line in enumerate(stream, start=1):
        raw = line.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"not UTF-8: byte 0x{raw[error.start]:02x} at column {error.start + 1}"
            set_apart(FormatError(message, path=path, line=number), unread, raw)
            continue
        yield number, text


def set_apart(
    error: CijieError, unread: list[CijieError] | None, record: str | bytes | None = None
) -> None:
    """Keep an error about one record in `unread`, with the record; raise it if that is None."""
    if unread is None:
        raise error from None
    error.record = record
    unread.append(error)


def write_lines(lines: Iterable[str], stream: IO[bytes]) -> None:
    """Write lines as UTF-8.

    U+FEFF that begins the first of them is preceded by another one, the byte order mark, for
    readers leave out one.
    """
    for number, line in enumerate(lines):
        mark = "\ufeff" if not number and line.startswith("\ufeff") else ""
        stream.write(f"{mark}{line}\n".encode())
