"""Files as lines of text."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from typing import IO

from cijie.errors import CijieError, FormatError
from cijie.files.opening import Source, name_of, open_source

StrPath = str | os.PathLike[str]

_UTF_8 = {None, "utf-8", "utf8", "utf-8-sig"}


def read_lines(
    source: Source, unread: list[CijieError] | None = None, *, encoding: str | None = None
) -> Iterator[tuple[int, str]]:
    r"""The lines of a file with their numbers from 1; `-` is standard input.

    Lines end with `\n` or `\r\n`, and with nothing else; in a file that has no `\n` at all, with
    `\r`. A byte order mark at the start of the file is left out, U+FEFF elsewhere is text.

    Args:
        source: the file.
        unread: takes the errors of lines that then are left out, instead of their being raised.
        encoding: that of the file, by a name that Python knows; UTF-8 if None.

    Raises:
        FormatError: bytes that are not in the encoding, or `\r` within a line, with file and line.
        LookupError: an unknown encoding.
        MissingExtraError: a URL, and fsspec is not installed.
    """
    with open_source(source) as stream:
        yield from decoded(stream, name_of(source), unread, encoding=encoding)


def read_blocks(source: Source, *, encoding: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """The runs of lines between empty ones, each with the number of its first line.

    Raises:
        FormatError: as `read_lines`.
    """
    return blocks(read_lines(source, encoding=encoding))


def blocks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    """The runs of lines between empty ones, each with the number of its first line."""
    block: list[str] = []
    first = 1
    for number, text in lines:
        if text:
            first = first if block else number
            block.append(text)
        elif block:
            yield first, block
            block = []
    if block:
        yield first, block


def decoded(
    stream: IO[bytes],
    path: StrPath,
    unread: list[CijieError] | None = None,
    *,
    encoding: str | None = None,
) -> Iterator[tuple[int, str]]:
    """The lines of an open file; see `read_lines`."""
    if encoding is not None and encoding.lower() not in _UTF_8:
        yield from _in_encoding(stream, path, encoding)
        return
    for number, line in enumerate(_ended(stream), start=1):
        raw = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        try:
            text = raw.decode("utf-8")
            _check_ends(text)
        except UnicodeDecodeError as error:
            message = not_utf8(raw, error.start)
            set_apart(FormatError(message, path=path, line=number), unread, raw)
        except FormatError as error:
            set_apart(error.at(path=path, line=number), unread, raw)
        else:
            yield number, text


def set_apart(
    error: CijieError, unread: list[CijieError] | None, record: str | bytes | None = None
) -> None:
    """Keep an error about one record in `unread`, with the record; raise it if that is None."""
    if unread is None:
        raise error from None
    error.record = record
    unread.append(error)


def _ended(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream without their ends."""
    for number, line in enumerate(stream):
        if not number and b"\r" in line and not line.endswith(b"\n"):
            # No line feed in the whole file: its lines end as they did on old Macs.
            yield from line.removesuffix(b"\r").split(b"\r")
        else:
            yield line.removesuffix(b"\n").removesuffix(b"\r")


def _check_ends(text: str) -> None:
    if "\r" in text:
        column = text.index("\r") + 1
        raise FormatError(
            f"a carriage return (U+000D) at column {column}: lines must end with a line feed, with "
            "or without a carriage return before it"
        )


def not_utf8(line: bytes, at: int) -> str:
    """What to say of a line that is not UTF-8 from byte `at` on, and what it may be instead."""
    message = f"not UTF-8: byte 0x{line[at]:02x} at column {at + 1}"
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"{message}; this looks like UTF-16: --encoding utf-16"
    try:
        line.decode("gb18030")
    except UnicodeDecodeError:
        return message
    return f"{message}; this may be GB 18030: --encoding gb18030"


def _in_encoding(stream: IO[bytes], path: StrPath, encoding: str) -> Iterator[tuple[int, str]]:
    """The lines of an open file in another encoding than UTF-8.

    A byte that is not in the encoding may be part of a line end, so it ends the reading.
    """
    reader = io.TextIOWrapper(stream, encoding, newline="\n")
    number = 0
    try:
        for line in reader:
            text = line.removesuffix("\n").removesuffix("\r")
            if not number:
                text = text.removeprefix("\ufeff")
            texts = [text]
            if not number and "\r" in text and not line.endswith("\n"):
                texts = text.split("\r")
            for text in texts:
                number += 1
                _check_ends(text)
                yield number, text
    except UnicodeError as error:
        if not isinstance(error, UnicodeDecodeError):
            raise FormatError(f"not {encoding}: {error}", path=path, line=number + 1) from None
        before = error.object[: error.start].decode(error.encoding, "ignore").count("\n")
        message = f"not {encoding}: {error.reason}"
        raise FormatError(message, path=path, line=number + 1 + before) from None
    except FormatError as error:
        error.at(path=path, line=number)
        raise
    finally:
        reader.detach()
