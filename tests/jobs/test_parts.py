import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie import Recoverer
from cijie.errors import CijieError, FormatError
from cijie.jobs.parts import parts, read_part, read_summary, recover_part, remove_leftovers
from cijie.jobs.parts import unfinished as left_of
from cijie.jobs.work import OnError, Tally, Work, as_jsonl

pytest.importorskip("fsspec")

ROWS: list[dict[str, Any]] = [
    {"id": "a", "source": "旅行困", "target": "旅行团", "target_tokens": ["旅行团"]},
    {"id": None, "source": "么什", "target": "什么"},
]


def lines(*rows: object) -> bytes:
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def work(on_error: OnError = "fail") -> Work:
    return Work(Recoverer(list, "p1"), as_jsonl, on_error)


def test_parts_have_names_of_their_own(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl"):
        (tmp_path / name).write_bytes(b"")
    found = parts(str(tmp_path / "*.jsonl"), str(tmp_path / "out"))
    assert [part.input for part in found] == [f"file://{tmp_path}/{x}.jsonl" for x in "ab"]
    assert found[0].output == f"file://{tmp_path}/out/a.jsonl"
    assert found[0].summary == f"file://{tmp_path}/out/a.summary.json"


def test_parts_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(CijieError, match="no such files"):
        parts(str(tmp_path / "*.jsonl"), "out")
    for name in ("a.jsonl", "a.jsonl.gz"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(CijieError, match=r"a.jsonl.gz: file:.*a.jsonl has the same name"):
        parts(str(tmp_path / "*"), "out")
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.jsonl").symlink_to(tmp_path / "a.jsonl")
    for folder in (".", "link", "other/.."):
        for pattern in ("*.jsonl", "link/*.jsonl", "other/*.jsonl"):
            with pytest.raises(CijieError, match="in the folder to write to"):
                parts(str(tmp_path / pattern), str(tmp_path / folder))


def test_all_kinds_of_parts_hold_the_same_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(*ROWS))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines(*ROWS)))
    expected = list(read_part(str(tmp_path / "a.jsonl")))
    assert [pair.id for pair in expected] == ["a", "2"]
    assert expected[0].target_segmentation is not None
    assert list(read_part(str(tmp_path / "a.jsonl.gz"))) == expected
    pa = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    assert list(read_part(str(tmp_path / "a.parquet"))) == expected


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", b"", "not named"),
        ("a.parquet", b"PAR1 or not", "not a Parquet file"),
        ("a.jsonl", lines(ROWS[0], ROWS[0]), "a.jsonl:2: id a: the id of line 1 again"),
        ("a.jsonl", lines({"source": "甲"}), "a.jsonl:1: 'target' is missing"),
        ("a.jsonl", b"\xff\n", "a.jsonl:1: not UTF-8"),
        ("a.jsonl", b"[]\n", "a.jsonl:1: not a JSON object"),
    ],
)
def test_parts_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError) as caught:
        list(read_part(str(tmp_path / name)))
    assert message in str(caught.value)


def test_a_finished_part_is_not_done_again(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(lines(*ROWS))
    found = parts(f"{tmp_path}/*.jsonl", f"{tmp_path}/out")
    signature = work().signature
    assert left_of(found, signature) == (found, Tally())
    summary = recover_part(work(), found[0])
    assert summary.tally.coverage.pairs == 2
    assert read_summary(found[0]) == summary
    assert left_of(found, signature) == (found[1:], summary.tally)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "a.jsonl",
        "a.summary.json",
    ]
    expected = [
        as_jsonl(pair.id, r)
        for pair in read_part(found[0].input)
        for r in work().recoverer.recover_all([pair])
    ]
    assert (tmp_path / "out" / "a.jsonl").read_bytes() == b"".join(expected)
    with pytest.raises(CijieError, match="made with .*, not with other; write to another folder"):
        left_of(found, "other")
    (tmp_path / "out" / "a.summary.json").write_bytes(b"[]")
    with pytest.raises(FormatError, match="not a summary"):
        left_of(found, signature)


def test_what_fails_is_named_or_set_apart(tmp_path: Path) -> None:
    bad = {"id": "x", "source": "我", "target": "我", "target_tokens": ["你"]}
    (tmp_path / "a.jsonl").write_bytes(lines(ROWS[0], bad) + b"{\n")
    [part] = parts(f"{tmp_path}/*.jsonl", f"{tmp_path}/out")
    with pytest.raises(CijieError, match=r"a\.jsonl:2: id x: at offset 0"):
        recover_part(work(), part)
    assert not list((tmp_path / "out").iterdir())
    tally = recover_part(work("quarantine"), part).tally
    assert (tally.coverage.pairs, tally.quarantined) == (1, 2)
    set_apart = (tmp_path / "out" / "a.quarantine.jsonl").read_bytes().splitlines()
    assert [orjson.loads(line)["line"] for line in set_apart] == [2, 3]


def test_leftovers_of_killed_workers_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".a.jsonl.0123.part").write_bytes(b"half")
    (tmp_path / "a.jsonl").write_bytes(b"whole")
    remove_leftovers(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
