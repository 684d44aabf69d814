"""Files that would fill the memory, or take for ever, are refused."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from cijie import archives, bounds
from cijie.cli.settings import read_settings
from cijie.corpora import m2
from cijie.corpora.arrow_sizes import unpacked_size
from cijie.corpora.reading import ReadOptions, read
from cijie.errors import FormatError
from cijie.files import lines
from cijie.files.lines import read_lines

pa = pytest.importorskip("pyarrow")
ipc = pytest.importorskip("pyarrow.ipc")
parquet = pytest.importorskip("pyarrow.parquet")


def table(texts: list[str]) -> Any:
    return pa.table({"source": pa.array(texts), "target": pa.array(texts).dictionary_encode()})


def written(made: Any, new: Any, compression: str | None) -> bytes:
    stream = io.BytesIO()
    options = ipc.IpcWriteOptions(compression=compression)
    with new(stream, made.schema, options=options) as writer:
        writer.write_table(made, max_chunksize=100)
    return stream.getvalue()


@pytest.mark.parametrize("new", [ipc.new_file, ipc.new_stream])
@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_what_arrow_says_it_unpacks_to(new: Any, compression: str | None) -> None:
    made = table(["天" * k for k in range(300)])
    found = unpacked_size(io.BytesIO(written(made, new, compression)))
    if compression is None:
        assert found == 0
    else:
        assert made.nbytes * 0.9 < found < made.nbytes * 1.5


def test_damaged_arrow_is_left_to_arrow() -> None:
    whole = written(table(["天地"] * 50), ipc.new_file, "zstd")
    random = Random(1)
    for _ in range(300):
        damaged = bytearray(whole[: random.randrange(len(whole))])
        for _ in range(random.randrange(9)):
            damaged[random.randrange(len(damaged))] = random.randrange(256)
        assert unpacked_size(io.BytesIO(damaged)) >= 0


@pytest.mark.parametrize("compression", [None, "zstd"])
@pytest.mark.parametrize("ending", ["arrow", "parquet"])
def test_few_bytes_that_unpack_to_many(
    ending: str, compression: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FREE", 1 << 20)
    repeated = pa.DictionaryArray.from_arrays(
        pa.array([0] * 4000, pa.int32()), pa.array(["天" * 999])
    )
    made = pa.table({"source": repeated, "target": repeated})
    path = tmp_path / f"bomb.{ending}"
    if ending == "parquet":
        parquet.write_table(made, path, compression=compression or "none")
    else:
        path.write_bytes(written(made, ipc.new_file, compression))
    with pytest.raises(FormatError, match=r"may be a bomb: .* bytes unpack to more than"):
        list(read(path, "pairs"))


def test_compressed_arrow_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FREE", 1 << 20)
    path = tmp_path / "bomb.arrow"
    path.write_bytes(written(table(["a" * (1 << 20)] * 90), ipc.new_file, "zstd"))
    before = pa.total_allocated_bytes()
    with pytest.raises(FormatError, match="may be a bomb"):
        list(read(path, "pairs"))
    assert pa.total_allocated_bytes() - before < 1 << 20


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", b"0" * 200),
        ("a.tsv", b"1\t" + b"a" * 200),
        ("a.csv", b"source,target\n" + b"a" * 200),
    ],
)
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-16"])
def test_a_line_without_end(
    name: str, content: bytes, encoding: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LONGEST", 100)
    path = tmp_path / name
    path.write_bytes(content if encoding != "utf-16" else content.decode().encode("utf-16"))
    with pytest.raises(FormatError, match="expected a line of at most 100"):
        list(read(path, "pairs", ReadOptions(encoding=encoding)))


def test_a_line_may_be_as_long_as_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 5)
    (tmp_path / "a").write_bytes(b"1234\n12345")
    assert [text for _, text in read_lines(tmp_path / "a")] == ["1234", "12345"]


def test_many_annotators(tmp_path: Path) -> None:
    path = tmp_path / "a.m2"
    edits = "".join(
        f"A 0 1|||S|||乙|||REQUIRED|||-NONE-|||{k}\n" for k in range(m2.MOST_ANNOTATORS)
    )
    path.write_text(f"S 甲\n{edits}\n", encoding="utf-8")
    [block] = m2.read_m2(path)
    assert len(block.annotations) == m2.MOST_ANNOTATORS
    path.write_text(f"S 甲\n{edits}A 0 1|||S|||乙|||REQUIRED|||-NONE-|||9999\n", encoding="utf-8")
    with pytest.raises(FormatError, match="expected at most 64 annotators of a source"):
        list(m2.read_m2(path))


def test_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    names = [f"c{k}" for k in range(100_000)]
    path.write_text(f"source,target,{','.join(names)}\n旅行困,旅行团\n", encoding="utf-8")
    [sentence] = read(path, "pairs")
    assert not isinstance(sentence, Exception)
    assert sentence.source == "旅行困"


def test_settings_of_a_size_that_no_settings_have(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(".".join("a" * 300_000) + " = 1\n")
    with pytest.raises(FormatError, match="expected settings, got more than 16,384 characters"):
        read_settings(path)


def test_files_that_are_read_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "LARGEST", 1000)
    path = tmp_path / "a"
    path.write_bytes(b"a" * 1000)
    assert len(bounds.content_of(path)) == 1000
    path.write_bytes(b"a" * 1001)
    with pytest.raises(FormatError, match="expected at most 1,000 bytes, got more"):
        bounds.content_of(path)
    monkeypatch.setattr(bounds, "FREE", 1 << 16)
    monkeypatch.setattr(bounds, "LARGEST", 1 << 20)
    path.write_bytes(archives.npz(keys=np.zeros(1 << 20)))
    with pytest.raises(FormatError, match="may be a bomb"):
        bounds.content_of(path)
