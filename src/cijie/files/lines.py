"""Text files, line by line."""

from __future__ import annotations

import codecs
import io
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from typing import IO, Any, cast

from cijie.choices import OnError
from cijie.errors import CijieError, FormatError, located
from cijie.files.opening import Source, name_of, open_source

LONGEST = 64 << 20
"""Maximum length of a line, in bytes."""


def read_lines(
    source: Source, *, encoding: str | None = None
) -> Generator[tuple[int, str], None, None]:
    r"""Yield the lines of a file with their numbers from 1; `-` is standard input.

    Lines end with `\n` or `\r\n`, and with nothing else; in a file that has no `\n` at all, with
    `\r`. A byte order mark at the start of the file is left out, U+FEFF elsewhere is text.

    Args:
        source: the file.
        encoding: that of the file, by a name that Python knows; UTF-8 if None.

    Raises:
        FormatError: bytes that are not in the encoding, or `\r` within a line, with file and line.
        LookupError: an unknown encoding.
        CijieError, UsageError: as `cijie.files.opening.open_source`.
    """
    lines: Any = lines_or_errors(source, encoding=encoding, on_error="raise")
    return cast("Generator[tuple[int, str], None, None]", lines)


def lines_or_errors(
    source: Source,
    *,
    encoding: str | None = None,
    on_error: OnError = "keep",
    ends: bool = False,
) -> Generator[tuple[int, str | CijieError], None, None]:
    """Yield lines like `read_lines`, and with `keep` the error in place of an undecodable line.

    Args:
        source: a path, a URL, or a binary stream.
        encoding: UTF-8 by default.
        on_error: `raise` or `keep`.
        ends: whether lines end at a carriage return, too, and keep their ends, as CSV needs it.
    """
    name = codecs.lookup(encoding or "utf-8").name.removesuffix("-sig")
    path = name_of(source)
    with open_source(source) as stream, located(path=path):
        lines: Iterable[bytes] = iter(partial(stream.readline, LONGEST + 1), b"")
        if "\n".encode(name) != b"\n":
            lines, name = _in_utf8(stream, name), "utf-8"
        for number, line in enumerate(_cut(lines, ends=ends), start=1):
            found: str | CijieError
            try:
                found = _decoded(line, name, ends=ends)
                if number == 1:
                    found = found.removeprefix("\ufeff")
            except FormatError as error:
                found = error.at(path=path, line=number)
                found.record = line
                if on_error == "raise":
                    raise
            yield number, found


def read_blocks(source: Source, *, encoding: str | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield the runs of lines between empty lines, each with the number of its first line.

    Raises:
        FormatError: as `read_lines`.
    """
    block: list[str] = []
    first = 1
    for number, text in read_lines(source, encoding=encoding):
        if text:
            first = first if block else number
            block.append(text)
        elif block:
            yield first, block
            block = []
    if block:
        yield first, block


def _cut(lines: Iterable[bytes], *, ends: bool) -> Iterator[bytes]:
    for number, line in enumerate(lines):
        if len(line) > LONGEST:
            message = f"expected a line of at most {LONGEST:,} bytes, got a longer one"
            raise FormatError(message, line=number + 1)
        if ends:
            yield from line.splitlines(keepends=True)
        elif not number and b"\r" in line and not line.endswith(b"\n"):
            # No line feed in the whole file: its lines end as they did on old Macs.
            yield from line.removesuffix(b"\r").split(b"\r")
        else:
            yield line.removesuffix(b"\n").removesuffix(b"\r")


def _decoded(line: bytes, encoding: str, *, ends: bool) -> str:
    try:
        text = line.decode(encoding)
    except UnicodeDecodeError as error:
        is_utf8 = encoding == "utf-8"
        message = _not_utf8(line, error.start) if is_utf8 else f"not {encoding}: {error.reason}"
        raise FormatError(message) from None
    if "\r" in text and not ends:
        column = text.index("\r") + 1
        raise FormatError(
            f"a carriage return (U+000D) at column {column}: lines must end with a line feed, with "
            "or without a carriage return before it"
        )
    return text


def _not_utf8(line: bytes, at: int) -> str:
    """Describe a line that is not UTF-8 from byte `at` on, and guess its encoding."""
    message = f"not UTF-8: byte 0x{line[at]:02x} at column {at + 1}"
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        return f"{message}; this looks like UTF-16: --encoding utf-16"
    try:
        line.decode("gb18030")
    except UnicodeDecodeError:
        return f"{message}; --encoding NAME reads text in another encoding"
    return f"{message}; this may be GB 18030: --encoding gb18030"


def _in_utf8(stream: IO[bytes], encoding: str) -> Iterator[bytes]:
    """Decode a stream whose line ends have several bytes, such as UTF-16."""
    reader = io.TextIOWrapper(stream, encoding, newline="\n")
    number = 0
    try:
        for line in iter(partial(reader.readline, LONGEST + 1), ""):
            number += 1
            yield line.encode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(error.encoding, "ignore").count("\n")
        message = f"not {encoding}: {error.reason}"
        raise FormatError(message, line=number + 1 + before) from None
    except UnicodeError as error:  # there is no byte order mark
        raise FormatError(f"not {encoding}: {error}", line=1) from None
    finally:
        if not stream.closed:  # by who ended the reading early
            reader.detach()
