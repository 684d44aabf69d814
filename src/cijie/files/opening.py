"""Files: their names, and input opened by path or URL, from standard input or a stream."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path, PurePath, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, TypeAlias, cast

from cijie.bounds import check_ratio
from cijie.errors import CijieError, FormatError, UsageError, located

if TYPE_CHECKING:
    from typing_extensions import Buffer

StrPath = str | os.PathLike[str]

Source: TypeAlias = StrPath | IO[bytes] | IO[str]
"""A file to read: a path or a URL; `-`, standard input; or a stream of bytes or text."""


# The library of zstd is that of Python 3.14, or its backport. Nothing in an output says when or
# where it was compressed.
_ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
_CODECS: dict[str, Callable[[Any, Any], Any]] = {
    ".gz": lambda stream, mode: gzip.GzipFile("", mode, fileobj=stream, mtime=0),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    ".zst": lambda stream, mode: import_module(_ZSTD).ZstdFile(stream, mode),
}

_UNPACK = "unpack it first, and give cijie the files in it"
_OFFICE = "a file of an office program (.xlsx, .docx): save it as CSV (UTF-8) or as text"
# What files begin with that are unpacked, and files that have no lines of text.
_BEGINNINGS = {
    rb"\x1f\x8b\x08": ".gz",
    rb"BZh[1-9](1AY&SY|\x17rE8P\x90)": ".bz2",
    rb"\xfd7zXZ\x00": ".xz",
    rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18": ".zst",
    rb"PK\x03\x04.{26}(\[Content_Types\]|_rels/|docProps/|xl/|word/|mimetype)": _OFFICE,
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _OFFICE,
    rb"%PDF-": "a PDF: save its text as UTF-8",
    rb"ARROW1|\xff{4}.{4}\x10\0{3}": "an Arrow file: write Parquet, as pandas and datasets do",
    rb"PK\x03\x04": "a zip archive: name a file in it, zip://MEMBER::{}",
    rb"7z\xbc\xaf\x27\x1c|Rar!\x1a\x07|.{257}ustar": f"an archive (.tar, .7z, .rar): {_UNPACK}",
}
_HEAD = 512  # bytes that are looked into
_ARCHIVES = re.compile("(^|::)(tar|libarchive)://|::zip://")


def is_url(name: str) -> bool:
    """Return whether a name is a URL."""
    return "://" in name


def is_many(name: str) -> bool:
    """Return whether a name is a pattern (of a path or a URL) that stands for many files.

    >>> is_many("in/*.jsonl"), is_many("https://example.org/a.jsonl?version=2")
    (True, False)
    """
    marks = "*[" if name.startswith(("http://", "https://")) else "*?["
    return any(mark in name for mark in marks) and not Path(name).exists()


def stem_and_ending(name: StrPath) -> tuple[str, str]:
    """Return the name of a file without folder and extensions, and its extension in lower case.

    That of compression is left out; of a URL the query, of a file in an archive the archive.

    >>> stem_and_ending("a/pairs.jsonl.GZ"), stem_and_ending("p1.v2"), stem_and_ending("pairs")
    (('pairs', '.jsonl'), ('p1', '.v2'), ('pairs', ''))
    >>> stem_and_ending("https://a.org/b.TSV?c.d")
    ('b', '.tsv')
    """
    name = os.fspath(name)
    ends = "[?#]" if name.startswith(("http://", "https://")) else "::"
    path = PurePath(re.split(ends, name, maxsplit=1)[0] if is_url(name) else name)
    if path.suffix.lower() in _CODECS:
        path = PurePath(path.stem)
    return path.stem, path.suffix.lower()


def file_name(path: StrPath) -> str:
    """Display name of a file: its name without extensions; `stdin` for standard input.

    A glob pattern is named after its folder. Bytes that are not UTF-8 are replaced.

    >>> file_name("a/p1.jsonl.gz"), file_name("p1/*.jsonl"), file_name("-")
    ('p1', 'p1', 'stdin')
    """
    if os.fspath(path) == "-":
        return "stdin"
    file = Path(path)
    if is_many(os.fspath(path)):
        file = file.parent
    name = file.resolve().name if file.is_dir() or file != Path(path) else stem_and_ending(path)[0]
    return os.fsencode(name).decode("utf-8", "replace")


def named_files(
    files: StrPath | Sequence[StrPath] | Mapping[str, StrPath], taken: Iterable[str] = ()
) -> Mapping[str, StrPath]:
    """Name one file or several: by the given names, or by unique file names.

    Names that are taken already are not given once more.

    >>> named_files(["a/p1.jsonl", "b/p1.jsonl"])
    {'p1': 'a/p1.jsonl', 'p1-2': 'b/p1.jsonl'}
    """
    if isinstance(files, Mapping):
        return files
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    return dict(zip(unique_names(files, taken), files, strict=True))


def unique_names(files: Iterable[StrPath], taken: Iterable[str] = ()) -> list[str]:
    """Return the `file_name` of each file, with a suffix where the name is taken.

    >>> unique_names(["a/p1.jsonl", "b/p1.jsonl", "c/gold.jsonl"], ["gold"])
    ['p1', 'p1-2', 'gold-2']
    """
    seen = set(taken)
    names = []
    for path in files:
        name = unique = file_name(path)
        count = 1
        while unique in seen:
            count += 1
            unique = f"{name}-{count}"
        seen.add(unique)
        names.append(unique)
    return names


def name_of(source: Source) -> str:
    """Return the name of a source for error messages.

    >>> name_of(io.BytesIO()), name_of("-"), name_of(Path("a.txt"))
    ('a stream', 'standard input', 'a.txt')
    """
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return "standard input" if path == "-" else path
    name: object = getattr(source, "name", None)
    return name if isinstance(name, str) else "a stream"


def is_read_once(source: Source) -> bool:
    """Return whether a source can be read only once: standard input, a stream or a pipe.

    >>> is_read_once("-"), is_read_once(__file__), is_read_once("https://example.org/a.jsonl")
    (True, False, False)
    """
    if not isinstance(source, (str, os.PathLike)) or os.fspath(source) == "-":
        return True
    path = Path(source)
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def open_source(source: Source) -> Iterator[IO[bytes]]:
    """Open a source for reading bytes; decompress it if its first bytes say that it is compressed.

    It is read from its beginning to its end, and once. A stream is read from where it is, and is
    left open.

    Raises:
        FormatError: it is an archive or a file of an office program; or (when it is read) it is
            damaged, or more comes of it than of what people compress.
        CijieError: a URL that cannot be opened.
        UsageError: a URL of a file in an archive that is not zip.
    """
    name = name_of(source)
    with open_stored(source) as stream:
        looked: Any = stream if hasattr(stream, "peek") else io.BufferedReader(_Counted(stream))
        found = _kind(looked)
        if found in _CODECS:
            packed = _Counted(looked)
            unpacked = _CODECS[found](io.BufferedReader(packed), "rb")
            looked = io.BufferedReader(_Limited(unpacked, packed))
            found = _kind(looked)
        if found and found not in _CODECS:
            raise FormatError(f"this is {found}".format(name))
        yield looked


def packing(stream: IO[bytes], name: str) -> AbstractContextManager[IO[bytes]]:
    """Open a stream that writes to `stream`, compressed if the name says so.

    The same contents give the same bytes: nothing says when or where they were compressed.
    """
    codec = _CODECS.get(PurePath(name).suffix.lower())
    return codec(stream, "wb") if codec else nullcontext(stream)


def filesystem_of(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL or path, and the path on it."""
    import fsspec.core

    found: tuple[Any, str] = fsspec.core.url_to_fs(url)
    return found


def matching(pattern: str, but: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the sorted URLs that match a pattern such as `in/*.parquet` or `s3://bucket/*.jsonl`.

    Each is given by the name of the file, up to the first full stop; files whose names end with
    one of `but` are left out.

    Raises:
        CijieError: no file matches, or two have the same name.
    """
    filesystem, path = filesystem_of(pattern)
    found: dict[str, str] = {}
    for url in sorted(map(filesystem.unstrip_protocol, filesystem.glob(path))):
        if url.endswith(but):
            continue
        stem = PurePosixPath(url).name.split(".")[0]
        if stem in found:
            raise CijieError(f"{found[stem]} has the same name", path=url)
        found[stem] = url
    if not found:
        raise CijieError("no file matches this pattern", path=pattern)
    return found


@contextmanager
def open_stored(source: Source) -> Iterator[IO[bytes]]:
    """Open the stored bytes of a source, without looking at them; errors meanwhile name it."""
    with located(path=name_of(source)):
        if isinstance(source, io.TextIOBase):
            # What is below the text would begin elsewhere, and have another encoding.
            yield io.BytesIO(source.read().encode("utf-8", "surrogatepass"))
        elif not isinstance(source, (str, os.PathLike)):
            yield cast("IO[bytes]", source)
        elif (name := os.fspath(source)) == "-":
            yield sys.stdin.buffer
        elif is_url(name):
            with _opened(name) as stream:
                yield stream
        else:
            with Path(name).open("rb") as stream:
                yield stream


@contextmanager
def _opened(url: str) -> Iterator[IO[bytes]]:
    """Open a file by its URL."""
    if _ARCHIVES.search(url):
        raise UsageError(f"unsupported archive type: {url}; {_UNPACK}")
    with ExitStack() as stack:
        try:
            filesystem, path = filesystem_of(url)
            in_zip = url.startswith("zip://")
            if in_zip and not filesystem.isfile(path):
                has = ", ".join(filesystem.find("")[:9])
                raise CijieError(f"no such member; the archive has {has}")
            opened = stack.enter_context(filesystem.open(path, "rb"))
            if in_zip:
                packed = _Counted(opened)
                # What the directory says may be a lie, but all that is packed is before it.
                said = filesystem.info(path)["compress_size"]
                packed.count = min(said, filesystem.zip.start_dir)
                opened = io.BufferedReader(_Limited(opened, packed))
        except ImportError as error:
            kind = url.partition(":")[0].replace("https", "http")
            raise CijieError(f"{error}: pip install 'fsspec[{kind}]'") from error
        except (CijieError, OSError):
            raise
        except Exception as error:  # of the library of that kind of place
            raise CijieError(f"cannot be opened: {error}") from error
        yield opened


def _kind(stream: Any) -> str:
    """Detect the kind of a file from its first bytes, without consuming them; see `_BEGINNINGS`."""
    head = stream.peek(_HEAD)[:_HEAD]
    found = (kind for mark, kind in _BEGINNINGS.items() if re.match(mark, head, re.DOTALL))
    return next(found, "")


class _Counted(io.RawIOBase):
    """A stream of bytes that counts them."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._stream.seek(offset, whence)

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        found = self._stream.read(len(view)) or b""
        view[: len(found)] = found
        self.count += len(found)
        return len(found)


class _Limited(_Counted):
    """A stream of decompressed bytes, up to a limit."""

    def __init__(self, stream: IO[bytes], packed: _Counted) -> None:
        super().__init__(stream)
        self._packed = packed

    def seekable(self) -> bool:
        return False

    def readinto(self, buffer: Buffer) -> int:
        try:
            size = super().readinto(buffer)
        except Exception as error:  # each library has its own
            if getattr(error, "errno", None) is not None:
                raise  # the system's, about the file as a whole
            message = f"cannot be unpacked, because it is damaged or incomplete: {error}"
            raise FormatError(message) from error
        check_ratio(self._packed.count, self.count)
        return size
