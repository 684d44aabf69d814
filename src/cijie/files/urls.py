"""Files of any kind that fsspec knows: by URL, and many of them by a pattern."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

from cijie import extras
from cijie.errors import CijieError, UsageError


def is_url(name: str) -> bool:
    """Whether a name is a URL."""
    return "://" in name


def is_many(name: str) -> bool:
    """Whether a name stands for many files."""
    return any(mark in name for mark in "*?[") and not Path(name).exists()


def library() -> Any:
    """The module fsspec.

    Raises:
        MissingExtraError: it is not installed.
    """
    extras.library("fsspec.implementations.local", "dask")
    return extras.library("fsspec", "dask")


@contextmanager
def open_url(url: str) -> Iterator[IO[bytes]]:
    """A file to read, as it is.

    Raises:
        MissingExtraError: fsspec is not installed.
        CijieError: what it needs for such a URL is not installed.
        UsageError: it knows no such URLs.
    """
    fsspec = library()
    try:
        file = fsspec.open(url, "rb")
    except ImportError as error:
        raise CijieError(str(error), path=url) from error
    except ValueError as error:
        raise UsageError(f"{url}: {error}") from error
    with file as stream:
        yield stream


def matching(pattern: str, but: tuple[str, ...] = ()) -> dict[str, str]:
    """The URLs that match a pattern such as `in/*.parquet` or `s3://bucket/*.jsonl`, sorted.

    Each is given by the name of the file, up to the first full stop; files whose names end with
    one of `but` are left out.

    Raises:
        CijieError: there are none, or two have the same name.
        MissingExtraError: fsspec is not installed.
    """
    filesystem, path = library().core.url_to_fs(pattern)
    found: dict[str, str] = {}
    for url in sorted(map(filesystem.unstrip_protocol, filesystem.glob(path))):
        if url.endswith(but):
            continue
        stem = PurePosixPath(url).name.split(".")[0]
        if stem in found:
            raise CijieError(f"{found[stem]} has the same name", path=url)
        found[stem] = url
    if not found:
        raise CijieError("no such files", path=pattern)
    return found
