"""Atomic, locked output: a file appears under its name only when complete."""

from __future__ import annotations

import errno
import io
import os
import secrets
import shutil
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from cijie.errors import CijieError, UsageError
from cijie.files.opening import StrPath, filesystem_of, is_url, packing


@contextmanager
def open_output(path: StrPath, *, empty: bool = True, run: str = "") -> Iterator[IO[bytes]]:
    """Open a file for writing that appears under its name only when complete; `-` is standard
    output.

    It is compressed if its name says so, `*.gz` or the like. What is written goes to a temporary
    file beside it, which takes the name, and the permissions of the file that had it, at the end,
    and is removed if an exception comes first. Pipes and devices are written to directly.

    Args:
        path: the file, or its URL.
        empty: whether there is a file if nothing is written to it; else one of that name goes.
        run: the name of a run, which its temporary files have in theirs.
    """
    if os.fspath(path) == "-":
        stream = sys.stdout.buffer
        if not isinstance(stream, io.RawIOBase):
            yield stream
            stream.flush()
            return
        # Without a buffer, as under PYTHONUNBUFFERED, of 2 GiB or more only a part is written.
        buffered = io.BufferedWriter(stream)
        try:
            yield buffered
        finally:
            buffered.detach()
        return
    if is_url(os.fspath(path)):
        with _sent(os.fspath(path), run, empty=empty) as stream:
            yield stream
        return
    path = Path(path)
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        with path.open("wb") as stream:
            yield stream
        return
    name = path.name
    path = behind_links(path)  # so that a link stays one
    temporary = path.with_name(_temporary(path.name, run))
    try:
        with temporary.open("xb") as stream:
            if path.exists():
                temporary.chmod(stat.S_IMODE(path.stat().st_mode))
            with packing(stream, name) as packed:
                yield packed
        if empty or temporary.stat().st_size:
            temporary.replace(path)
        else:
            path.unlink(missing_ok=True)
    finally:
        temporary.unlink(missing_ok=True)


def behind_links(path: StrPath) -> Path:
    """Resolve symbolic links; the target need not exist.

    Raises:
        OSError: they lead in a circle.
    """
    found = Path(os.path.realpath(path))
    if found.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path))
    return found


def _temporary(name: str, run: str = "") -> str:
    """Return an unused temporary name, unique to process and machine."""
    return f".{name}.{run}{'-' * bool(run)}{secrets.token_hex(8)}.part"


@contextmanager
def _sent(url: str, run: str, *, empty: bool) -> Iterator[IO[bytes]]:
    """Open a file by its URL, as `open_output` does."""
    filesystem, path = filesystem_of(url)
    folder, _, name = path.rpartition("/")
    temporary = f"{folder}/{_temporary(name, run)}"
    try:
        with filesystem.open(temporary, "wb") as stream, packing(stream, name) as packed:
            yield packed
        if empty or filesystem.size(temporary):
            filesystem.mv(temporary, path)
        elif filesystem.exists(path):
            filesystem.rm(path)
    finally:
        if filesystem.exists(temporary):
            filesystem.rm(temporary)


@contextmanager
def new_directory(path: StrPath) -> Iterator[Path]:
    """Make a directory that appears under its name only when complete.

    The files go to a temporary directory beside it, which takes the name at the end and is removed
    if an exception comes first.

    Raises:
        UsageError: something of that name is there, other than an empty directory.
    """
    path = behind_links(path)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path} already exists and is not an empty folder: name another")
    temporary = path.with_name(_temporary(path.name))
    temporary.mkdir(parents=True)
    try:
        yield temporary
        if path.exists():
            path.rmdir()
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Hold the lock of an output file, `.NAME.lock` in its folder, or of a folder, `.lock` in it.

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
            is_there = False
            with suppress(FileNotFoundError):
                is_there = os.path.samestat(os.fstat(stream.fileno()), lock.stat())
            if not is_there:
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


def _holder(stream: IO[bytes]) -> str:
    with suppress(OSError):  # Windows does not let it be read
        stream.seek(0)
        if name := stream.read(1000).decode("utf-8", "replace"):
            return name
    return "another process"
