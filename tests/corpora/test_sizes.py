"""Files that would fill the memory, or take for ever, are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cijie import bounds
from cijie.cli.settings import read_settings
from cijie.corpora import m2
from cijie.corpora.reading import ReadOptions, read
from cijie.errors import FormatError
from cijie.files import lines
from cijie.files.lines import read_lines

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.mark.parametrize("compression", ["none", "zstd"])
def test_few_bytes_that_unpack_to_many(
    compression: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FREE", 1 << 20)
    repeated = pa.DictionaryArray.from_arrays(
        pa.array([0] * 4000, pa.int32()), pa.array(["天" * 999])
    )
    made = pa.table({"source": repeated, "target": repeated})
    path = tmp_path / "bomb.parquet"
    parquet.write_table(made, path, compression=compression)
    with pytest.raises(FormatError, match=r"may be a bomb: .* bytes unpack to more than"):
        list(read(path, "pairs"))


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
    with pytest.raises(FormatError, match=":1: expected at most 64 annotators of a source, got 65"):
        list(m2.read_m2(path))


@pytest.mark.parametrize("line", ["T{0} 乙\nA 0 1|||S|||乙", "A 0 1|||S|||乙||丙"])
def test_annotators_with_targets_and_alternatives_count(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.m2"
    ends = "|||REQUIRED|||-NONE-|||"
    edits = "".join(f"{line.format(k)}{ends}{k}\n" for k in range(m2.MOST_ANNOTATORS + 1))
    path.write_text(f"S 甲\n{edits}\n", encoding="utf-8")
    with pytest.raises(FormatError, match="expected at most 64 annotators of a source, got"):
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
    with path.open("wb") as stream:
        np.savez_compressed(stream, keys=np.zeros(1 << 20))
    with pytest.raises(FormatError, match="may be a bomb"):
        bounds.content_of(path)
