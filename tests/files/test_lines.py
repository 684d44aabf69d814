import io
import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cijie.errors import CijieError, FormatError, UsageError
from cijie.files.lines import lines_or_errors, read_lines
from cijie.files.output import new_directory, open_output


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        ("一\n二".encode(), ["一", "二"]),
        ("一\r\n二\r\n".encode(), ["一", "二"]),
        ("\ufeff一\n\ufeff二\n".encode(), ["一", "\ufeff二"]),
        ("一\x0b\x0c\x1c\x85\u2028\u2029二\n".encode(), ["一\x0b\x0c\x1c\x85\u2028\u2029二"]),
    ],
)
def test_only_line_feeds_end_lines(tmp_path: Path, data: bytes, lines: list[str]) -> None:
    (tmp_path / "in.txt").write_bytes(data)
    assert list(read_lines(tmp_path / "in.txt")) == list(enumerate(lines, start=1))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ab\xe9".encode("latin-1"), "not UTF-8: byte 0xe9 at column 3"),
        ("我们".encode("gb18030"), "not UTF-8: byte 0xce at column 1; this may be GB 18030: "),
        (b"ab\rc\n", "a carriage return (U+000D) at column 3: lines must end with a line feed"),
        (b"ab\r\r\n", "a carriage return (U+000D) at column 3"),
        (b"ab\rc\r", "a carriage return (U+000D) at column 3"),
    ],
)
def test_lines_that_cannot_be_read(tmp_path: Path, line: bytes, message: str) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes("好\n".encode() + line)
    with pytest.raises(FormatError) as caught:
        list(read_lines(path))
    assert str(caught.value).startswith(f"{path}:2: {message}")
    [first, (number, error)] = lines_or_errors(path)
    assert (first, number) == ((1, "好"), 2)
    assert isinstance(error, CijieError)
    assert error.line == 2


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-16-le", "utf-8", "big5"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_other_encodings(tmp_path: Path, encoding: str, end: str) -> None:
    path = tmp_path / "in.txt"
    text = end.join(["我們", "", "一ab"])
    path.write_bytes((text if encoding == "big5" else f"\ufeff{text}").encode(encoding))
    lines = list(read_lines(path, encoding=encoding))
    assert lines == [(1, "我們"), (2, ""), (3, "一ab")]


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16"])
def test_what_is_not_in_the_encoding_is_an_error_with_its_line(
    tmp_path: Path, encoding: str
) -> None:
    path = tmp_path / "in.txt"
    odd = {"gb18030": b"\xff", "utf-16": b"\x00\xdc"}[encoding]  # a lone surrogate
    path.write_bytes("我\n们\n".encode(encoding) + odd + "去\n".encode("utf-16-le"))
    with pytest.raises(FormatError, match=rf"in.txt:3: not {encoding}: "):
        list(read_lines(path, encoding=encoding))
    with pytest.raises(LookupError):
        list(read_lines(path, encoding="klingon"))


def test_output_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with open_output(path) as stream:
        stream.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


def test_output_of_a_failed_run_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), open_output(path) as stream:  # noqa: PT012
        stream.write(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with open_output(tmp_path / "link") as stream:
        stream.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_devices_are_written_to() -> None:
    with open_output("/dev/null") as stream:
        stream.write(b"gone")
    assert not stat.S_ISREG(Path("/dev/null").stat().st_mode)


def test_a_directory_appears_when_it_is_complete(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with new_directory(tmp_path / "out") as directory:
        (directory / "a").write_bytes(b"new")
        assert not list((tmp_path / "out").iterdir())
    assert (tmp_path / "out" / "a").read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_nothing_is_left_of_a_directory_that_fails(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), new_directory(tmp_path / "a" / "b") as directory:  # noqa: PT012
        (directory / "a").write_bytes(b"half")
        raise KeyboardInterrupt
    assert [path.name for path in tmp_path.rglob("*")] == ["a"]


def test_a_directory_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    for path in (tmp_path, tmp_path / "a"):
        with pytest.raises(UsageError, match="not an empty folder"), new_directory(path):
            pass
    assert (tmp_path / "a").read_bytes() == b"old"


def test_output_keeps_the_permissions_of_the_file_that_it_replaces(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.touch(mode=0o600)
    with open_output(path) as stream:
        stream.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


class _Halves(io.RawIOBase):
    """Writes half of what it is given, as a file may with more than 2 GiB."""

    def __init__(self) -> None:
        self.written = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        half = bytes(data[: len(data) // 2 + 1])
        self.written += half
        return len(half)


def test_all_is_written_where_standard_output_has_no_buffer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = _Halves()
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=raw))
    with open_output("-") as stream:
        stream.write(b"abcdefgh" * 10_000)
    assert raw.written == b"abcdefgh" * 10_000
    assert not raw.closed
