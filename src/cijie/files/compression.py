"""Compressed files, known by the endings of their names: `.gz`, `.bz2`, `.xz`, `.zst`."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import IO, TYPE_CHECKING, Any, cast

from cijie.errors import FormatError

if TYPE_CHECKING:
    from types import ModuleType

    from typing_extensions import Buffer

FREE = 64 << 20
"""So many bytes come of any compressed file, however small it is."""

MOST = 200
"""Beyond them, so many bytes come of each byte of a compressed file: more is taken for a bomb."""


def stem_of(name: str) -> str:
    """The name of a file without the ending that says how it is compressed.

    >>> stem_of("pairs.jsonl.gz"), stem_of("pairs.jsonl")
    ('pairs.jsonl', 'pairs.jsonl')
    """
    return name.removesuffix(_ending(name)) if is_compressed(name) else name


def is_compressed(name: str) -> bool:
    """Whether the name says that a file is compressed."""
    return _ending(name).lower() in _KINDS


def unpacked(stream: IO[bytes], name: str) -> IO[bytes]:
    """What is in a compressed file, of which `stream` gives the bytes; it need not be seekable.

    Raises (when it is read):
        FormatError: it is not compressed as its name says, or it is a bomb.
    """
    packed = _Counted(stream)
    opened = _KINDS[_ending(name).lower()](io.BufferedReader(packed), "rb")
    return io.BufferedReader(_Unpacked(opened, packed, name))


@contextmanager
def packing(stream: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """A stream whose contents go to `stream`, compressed if the name says so.

    The same contents give the same bytes: nothing tells when or where they were compressed.
    """
    if not is_compressed(name):
        yield stream
        return
    with _KINDS[_ending(name).lower()](stream, "wb") as packed:
        yield packed


class _Counted(io.RawIOBase):
    """Bytes from a stream, and how many they were."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")
        found = self._stream.read(len(view)) or b""
        view[: len(found)] = found
        self.count += len(found)
        return len(found)


class _Unpacked(io.RawIOBase):
    """Bytes from a decompressor, as long as they are not too many."""

    def __init__(self, stream: IO[bytes], packed: _Counted, name: str) -> None:
        self._stream = stream
        self._packed = packed
        self._name = name
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")
        try:
            found = self._stream.read(len(view))
        except (EOFError, OSError, zlib.error, lzma.LZMAError, _zstd().ZstdError) as error:
            if getattr(error, "errno", None) is not None:
                raise  # the system's, about the file as a whole
            kind = _ending(self._name)
            raise FormatError(
                f"not a {kind} file, or not whole: {error}", path=self._name
            ) from error
        view[: len(found)] = found
        self._count += len(found)
        if self._count > FREE and self._count > MOST * self._packed.count:
            raise FormatError(
                f"a bomb: {self._packed.count:,} bytes become more than {self._count:,}, "
                f"{MOST} times as many; unpack it yourself if you trust it",
                path=self._name,
            )
        return len(found)


def _gzip(stream: IO[bytes], mode: str) -> IO[bytes]:
    return cast("IO[bytes]", gzip.GzipFile("", mode, fileobj=stream, mtime=0))


def _zstd() -> ModuleType:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    module: Any = zstd
    return cast("ModuleType", module)


_KINDS: dict[str, Callable[[Any, Any], Any]] = {
    ".gz": _gzip,
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    ".zst": lambda stream, mode: _zstd().ZstdFile(stream, mode),
}


def _ending(name: str) -> str:
    return PurePath(name).suffix
