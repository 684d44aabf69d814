"""Limits on input, so that a small or an endless file does not fill the memory."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import IO

from cijie.errors import FormatError, located

FREE = 64 << 20
"""Decompressed bytes allowed for any file, however small."""

MOST = 200
"""Maximum compression ratio beyond that; a higher one is treated as a zip bomb."""

LARGEST = 256 << 20
"""The most bytes of a file that is read as a whole."""


def content_of(path: str | os.PathLike[str]) -> bytes:
    """Read a file as a whole.

    Raises:
        FormatError: it has more than `LARGEST` bytes, or is an archive that unpacks to far more
            than it has.
    """
    with Path(path).open("rb") as stream, located(path=path):
        content = whole(stream)
    if content.startswith(b"PK"):
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                unpacked = sum(each.file_size for each in archive.infolist())
        except zipfile.BadZipFile:
            return content  # who reads it says what it should be
        with located(path=path):
            check_ratio(len(content), unpacked)
    return content


def whole(stream: IO[bytes], hint: str = "") -> bytes:
    """Read all that is left of a stream.

    Raises:
        FormatError: it has more than `LARGEST` bytes; `hint` says what to do then.
    """
    content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise FormatError(f"expected at most {LARGEST:,} bytes, got more{hint}")
    return content


def check_ratio(packed: int, unpacked: int) -> None:
    """Refuse input that unpacks to suspiciously many bytes, which would fill the memory.

    Raises:
        FormatError: more than `FREE` bytes, and more than `MOST` times as many as were packed.
    """
    if unpacked > FREE and unpacked > MOST * packed:
        raise FormatError(
            f"may be a bomb: {packed:,} bytes unpack to more than {unpacked:,}, {MOST} times as "
            "many; unpack it yourself if you trust it"
        )
