"""Locks: what one run writes, no other run writes meanwhile."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from cijie.errors import CijieError


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold the lock of a file that is made, `.NAME.lock` beside it, or of a folder, `.lock` in it.

    The system lets go of it when the process ends, however that happens. Containers and hosts that
    share the folder share the lock.

    Yields:
        Whether there is a lock: some network file systems have none.

    Raises:
        CijieError: another process holds it; its host and number are named.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, locked(Path(folder, "out")) as held:
    ...     held, [path.name for path in Path(folder).iterdir()]
    (True, ['.out.lock'])
    """
    import portalocker

    lock = path / ".lock" if path.is_dir() else path.with_name(f".{path.name}.lock")
    while True:
        with lock.open("a+b") as stream:  # which leaves what the holder has written
            try:
                portalocker.lock(
                    stream, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
                )
            except portalocker.AlreadyLocked as error:
                raise CijieError(f"{_holder(stream)} is writing it now", path=path) from error
            except portalocker.LockException:
                lock.unlink(missing_ok=True)
                yield False
                return
            if not _is_still(stream, lock):
                continue  # the holder let go of it and removed it before we had it
            stream.truncate(0)
            stream.write(f"process {os.getpid()} on {socket.gethostname()}".encode())
            stream.flush()
            try:
                yield True
            finally:
                with suppress(OSError):  # Windows removes no file that is open
                    lock.unlink()
            return


def _is_still(stream: IO[bytes], path: Path) -> bool:
    """Whether an open file has that name."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _holder(stream: IO[bytes]) -> str:
    with suppress(OSError):  # Windows does not let it be read
        stream.seek(0)
        if name := stream.read(1000).decode("utf-8", "replace"):
            return name
    return "another process"
