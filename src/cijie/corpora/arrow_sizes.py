"""The uncompressed size that the compressed buffers of an Arrow file declare.

Only what stands before each message of the file is read: a table of flatbuffers, whose numbers are
those of https://arrow.apache.org/docs/format/Columnar.html.
"""

from __future__ import annotations

import struct
from typing import IO

_DICTIONARY, _BATCH = 2, 3  # kinds of messages


def unpacked_size(stream: IO[bytes]) -> int:
    """Sum the uncompressed sizes of all compressed buffers of a file or stream, up to damage.

    It is read from its beginning, and left anywhere.
    """
    total = 0
    at = 8 if stream.read(6) == b"ARROW1" else 0
    try:
        while True:
            stream.seek(at)
            mark, length = struct.unpack("<iI", stream.read(8))
            if mark != -1 or not length:
                return total
            message = _Message(stream.read(length))
            at += 8 + length
            for offset in message.compressed():
                stream.seek(at + offset)
                total += max(0, *struct.unpack("<q", stream.read(8)))
            at += message.body
    except (struct.error, OSError, ValueError):  # it is damaged; Arrow reports it more clearly
        return total


class _Message:
    """The metadata before the body of a message."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        (self._root,) = struct.unpack_from("<I", data)
        self.body = max(0, self._number("<q", self._field(self._root, 3)))

    def compressed(self) -> list[int]:
        """Return the offset of each compressed buffer in the body, with its uncompressed size."""
        kind = self._number("<B", self._field(self._root, 1))
        if kind not in (_DICTIONARY, _BATCH):
            return []
        batch = self._behind(self._field(self._root, 2))
        if kind == _DICTIONARY:
            batch = self._behind(self._field(batch, 1))
        if not self._field(batch, 3):  # how it is compressed
            return []
        buffers = self._behind(self._field(batch, 2))
        places = range(buffers + 4, buffers + 4 + 16 * self._number("<I", buffers), 16)
        return [self._number("<q", x) for x in places if self._number("<q", x + 8)]

    def _number(self, kind: str, at: int) -> int:
        number: int = struct.unpack_from(kind, self._data, at)[0] if at > 0 else 0
        return number  # 0 where there is no such field

    def _field(self, table: int, field: int) -> int:
        """Return the offset of a field of a table, 0 if it is missing."""
        known = table - self._number("<i", table)
        if 4 + 2 * field >= self._number("<H", known):
            return 0
        offset = self._number("<H", known + 4 + 2 * field)
        return table + offset if offset else 0

    def _behind(self, at: int) -> int:
        return at + self._number("<I", at)
