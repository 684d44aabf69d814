"""Files as readers take them: by name, by URL, from standard input, or open already."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from cijie.files.compression import is_compressed, unpacked
from cijie.files.urls import is_url, open_url

if TYPE_CHECKING:
    from cijie.files.lines import StrPath

Source: TypeAlias = "StrPath | IO[bytes] | IO[str]"
"""A file to read: a path or a URL; `-`, standard input; or a stream of bytes or text."""


def name_of(source: Source) -> str:
    """What errors call a file.

    >>> name_of(io.BytesIO()), name_of("-"), name_of(Path("a.txt"))
    ('a stream', 'standard input', 'a.txt')
    """
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return "standard input" if path == "-" else path
    name: object = getattr(source, "name", None)
    return name if isinstance(name, str) else "a stream"


def is_shipped(source: Source) -> bool:
    """Whether a file is one that cijie came with, which knows what its own files are."""
    path = source if isinstance(source, (str, os.PathLike)) else "-"
    return Path(path).is_relative_to(Path(__file__).parent.parent)


@contextmanager
def open_source(source: Source) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked where its name says that it is compressed.

    A stream is read from where it is, and is left open.

    Raises:
        MissingExtraError: a URL, and fsspec is not installed.
        FormatError: what is not compressed as its name says, when it is read.
    """
    with _opened(source) as stream:
        name = name_of(source)
        yield unpacked(stream, name) if is_compressed(name) else stream


def _opened(source: Source) -> Any:
    if not isinstance(source, (str, os.PathLike)):
        return nullcontext(_bytes(source))
    name = os.fspath(source)
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    return open_url(name) if is_url(name) else Path(name).open("rb")


def _bytes(stream: IO[bytes] | IO[str]) -> Any:
    if not isinstance(stream, io.TextIOBase):
        return stream
    # What is below the text would begin elsewhere, and have another encoding.
    return io.BytesIO(stream.read().encode("utf-8", "surrogatepass"))
