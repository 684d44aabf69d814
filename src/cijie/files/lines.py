"""Text files, line by line."""

from __future__ import annotations

import codecs
import io
from collections.abc import Generator, Iterator
from functools import partial
from typing import IO, Any, cast

from cijie import bounds
from cijie.choices import OnError
from cijie.errors import CijieError, FormatError
from cijie.files.opening import Source, open_source

LONGEST = 64 << 20
"""Maximum length of a line, in bytes."""


def read_lines(
    source: Source, *, encoding: str | None = None
) -> Generator[tuple[int, str], None, None]:
    r"""Yield the lines of a file with their numbers from 1; `-` is standard input.

    Lines end with `\n` or `\r\n`, and with nothing else. A byte order mark at the start of the file
    is left out, U+FEFF elsewhere is text.

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
        ends: whether lines keep their ends, and may have carriage returns, as CSV needs it.
    """
    name = codecs.lookup(encoding or "utf-8").name.removesuffix("-sig")
    with open_source(source) as stream:
        has_bytes = "\n".encode(name) == b"\n"
        text = stream if has_bytes else _in_utf8(stream, name)
        name = name if has_bytes else "utf-8"
        for number, read in enumerate(iter(partial(text.readline, LONGEST + 1), b""), start=1):
            if len(read) > LONGEST:
                message = f"expected a line of at most {LONGEST:,} bytes, got a longer one"
                raise FormatError(message, line=number)
            line = read if ends else read.removesuffix(b"\n").removesuffix(b"\r")
            found: str | CijieError
            try:
                found = line.decode(name)
            except UnicodeDecodeError as error:
                is_utf8 = name == "utf-8"
                message = _not_utf8(line, error.start) if is_utf8 else f"not {name}: {error.reason}"
                found = FormatError(message, line=number)
            else:
                if "\r" in found and not ends:
                    column = found.index("\r") + 1
                    message = (
                        f"a carriage return (U+000D) at column {column}: lines must end with a "
                        "line feed, with or without a carriage return before it"
                    )
                    found = FormatError(message, line=number)
                elif number == 1:
                    found = found.removeprefix("\ufeff")
            if isinstance(found, FormatError):
                found.record = line
                if on_error == "raise":
                    raise found
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


def _in_utf8(stream: IO[bytes], encoding: str) -> IO[bytes]:
    """Convert a stream of an encoding whose line feeds have several bytes."""
    content = bounds.whole(stream, f" of {encoding}: convert them to UTF-8 first")
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(content, final=True)
    except UnicodeError as error:  # of a place, or there is no byte order mark
        before = content[: getattr(error, "start", 0)].decode(encoding, "ignore")
        message = f"not {encoding}: {getattr(error, 'reason', error)}"
        raise FormatError(message, line=before.count("\n") + 1) from None
    return io.BytesIO(text.encode())
