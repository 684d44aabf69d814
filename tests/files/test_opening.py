"""What readers are given: unpacked, from wherever it is, read once; or an error that helps."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from cijie.bounds import FREE
from cijie.errors import CijieError, FormatError, UsageError
from cijie.files.opening import is_read_once, open_source, packing

TEXT = "我去学校\n他喜欢书\n".encode()


def content(source: object) -> bytes:
    with open_source(source) as stream:  # type: ignore[arg-type]
        return stream.read()


def packed(text: bytes, ending: str) -> bytes:
    stream = io.BytesIO()
    with packing(stream, f"x{ending}") as to:
        to.write(text)
    return stream.getvalue()


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
def test_what_is_compressed_is_unpacked(ending: str, tmp_path: Path) -> None:
    data = packed(TEXT, ending)
    assert data == packed(TEXT, ending)
    for name in (f"x.txt{ending}", f"X.TXT{ending.upper()}", "no-ending"):
        (tmp_path / name).write_bytes(data)
        assert content(tmp_path / name) == TEXT
        assert content(f"file://{tmp_path}/{name}") == TEXT
    assert content(io.BytesIO(data)) == TEXT
    assert content(io.BytesIO(packed(b"", ending))) == b""
    (tmp_path / f"cut{ending}").write_bytes(data[:-5])
    with pytest.raises(
        FormatError, match="cannot be unpacked, because it is damaged or incomplete"
    ):
        content(tmp_path / f"cut{ending}")
    (tmp_path / f"text{ending}").write_bytes(TEXT)
    assert content(tmp_path / f"text{ending}") == TEXT


@pytest.mark.parametrize("opening", [gzip.open, bz2.open, lzma.open])
def test_what_somebody_unpacks_already_is_read_as_it_comes(
    opening: Callable[..., io.BufferedIOBase], tmp_path: Path
) -> None:
    path = tmp_path / "x.txt.gz"
    with opening(path, "wb") as to:
        to.write(TEXT)
    with opening(path, "rb") as stream:
        assert content(stream) == TEXT
        assert not stream.closed


def test_streams_are_read_from_where_they_are_and_left_open() -> None:
    for stream in (io.BytesIO(b"1\n" + TEXT), io.BufferedReader(io.BytesIO(b"1\n" + TEXT))):
        stream.readline()
        assert content(stream) == TEXT
        assert not stream.closed
    assert content(io.StringIO(TEXT.decode())) == TEXT


@pytest.mark.parametrize("name", ["zeros.gz", "zeros"])
def test_bombs_are_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(packed(bytes(FREE + 1), ".gz"))
    with pytest.raises(FormatError, match="may be a bomb: "):
        content(tmp_path / name)


@pytest.mark.parametrize("kind", ["tar", "libarchive", "simplecache::zip"])
def test_a_file_in_another_archive_is_to_be_unpacked(kind: str) -> None:
    with pytest.raises(UsageError, match="unsupported archive type: .*; unpack it first"):
        content(f"{kind}://a.txt::x.zip")


def test_a_file_in_a_zip_archive_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/a.txt", TEXT)
        archive.writestr("zeros", bytes(FREE + 1))
    assert content(f"zip://in/a.txt::{path}") == TEXT
    with pytest.raises(CijieError, match=r"no such member; the archive has in/a\.txt, zeros"):
        content(f"zip://a.txt::{path}")
    with pytest.raises(FormatError, match="may be a bomb: "):
        content(f"zip://zeros::{path}")


def test_a_zip_archive_that_says_that_more_is_packed_than_it_has(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("zeros", bytes(FREE + 1))
    packed = bytearray(path.read_bytes())
    struct.pack_into("<I", packed, packed.rfind(b"PK\1\2") + 20, 1 << 30)
    path.write_bytes(packed)
    with pytest.raises(CijieError, match=r"may be a bomb: |cannot be opened: Overlapped"):
        content(f"zip://zeros::{path}")


def test_urls_of_no_known_kind() -> None:
    with pytest.raises(CijieError, match="nowhere://a: cannot be opened: Protocol not known"):
        content("nowhere://a")


def zipped(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as to:
        for name in names:
            to.writestr(name, TEXT)
    return stream.getvalue()


def tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as to:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(TEXT)
        to.addfile(entry, io.BytesIO(TEXT))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            zipped("a.txt", "b.txt"),
            "a zip archive: name a file in it, zip://MEMBER::",
        ),
        (zipped("[Content_Types].xml"), "a file of an office program .*: save it"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + TEXT,
            "a file of an office program .*: save it",
        ),
        (tar(), "an archive .*: unpack it first"),
        (packed(tar(), ".gz"), "an archive .*: unpack it first"),
        (b"%PDF-1.7\n", "a PDF: save its text"),
    ],
)
@pytest.mark.parametrize("name", ["x.txt", "x.jsonl", "x"])
def test_containers_are_refused_by_name(
    data: bytes, message: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FormatError, match=f"{name}: this is {message}"):
        content(tmp_path / name)
    with pytest.raises(FormatError, match=f"a stream: this is {message}"):
        content(io.BytesIO(data))


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there are no names for open files")
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_pipe_is_read_once(ending: str) -> None:
    reading, writing = os.pipe()
    os.write(writing, packed(TEXT, ending))
    os.close(writing)
    assert is_read_once(f"/dev/fd/{reading}")
    assert content(f"/dev/fd/{reading}") == TEXT
    os.close(reading)
