import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie import Recoverer
from cijie.choices import OnError
from cijie.corpora.formats import format_named
from cijie.corpora.jsonl import dump_line
from cijie.corpora.reading import ReadOptions, read
from cijie.errors import CijieError, FormatError, SegmenterError
from cijie.jobs.batches import BatchRecoverer, Tally
from cijie.jobs.journal import Journal
from cijie.jobs.parts import (
    Part,
    alone_in,
    finished,
    parts,
    recover_part,
    signature_of,
    unfinished,
)
from cijie.jobs.run import recover_file

from sentences import read_pairs

ROWS: list[dict[str, Any]] = [
    {"id": "a", "source": "旅行困", "target": "旅行团", "target_tokens": ["旅行团"]},
    {"id": None, "source": "么什", "target": "什么"},
]


def lines(*rows: object) -> bytes:
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def work(on_error: OnError = "raise") -> BatchRecoverer:
    return BatchRecoverer(Recoverer(list, "p1"), format_named("jsonl"), on_error)


def recovered_part(work: BatchRecoverer, part: Part) -> Journal:
    source = read("*", "pairs", ReadOptions(on_error=work.on_error))
    return recover_part(part, work=work, source=source, run="run")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_parts_have_names_of_their_own(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl"):
        (tmp_path / name).write_bytes(b"")
    found = parts(str(tmp_path / "*.jsonl"), str(tmp_path / "out"), format_named("jsonl"))
    assert [part.input for part in found] == [f"file://{tmp_path}/{x}.jsonl" for x in "ab"]
    assert found[0].output == f"{tmp_path}/out/a.jsonl"


def test_parts_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(CijieError, match="no file matches this pattern"):
        parts(str(tmp_path / "*.jsonl"), "out", format_named("jsonl"))
    for name in ("a.jsonl", "a.jsonl.gz"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(CijieError, match=r"a.jsonl.gz: file:.*a.jsonl has the same name"):
        parts(str(tmp_path / "*"), "out", format_named("jsonl"))
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.jsonl").symlink_to(tmp_path / "a.jsonl")
    for folder in (".", "link", "other/.."):
        for pattern in ("*.jsonl", "link/*.jsonl", "other/*.jsonl"):
            with pytest.raises(CijieError, match="the output folder holds the input"):
                parts(str(tmp_path / pattern), str(tmp_path / folder), format_named("jsonl"))


def test_all_kinds_of_parts_hold_the_same_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines(*ROWS))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines(*ROWS)))
    expected = list(read_pairs(str(tmp_path / "a.jsonl")))
    assert [pair.id for pair in expected] == ["a", "2"]
    assert expected[0].target_segmentation is not None
    assert list(read_pairs(str(tmp_path / "a.jsonl.gz"))) == expected
    pa = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    assert list(read_pairs(str(tmp_path / "a.parquet"))) == expected


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.bmes", b"", "has no target"),
        ("a.parquet", b"PAR1 or not", "not a Parquet file"),
        ("a.jsonl", lines(ROWS[0], ROWS[0]), "a.jsonl:2: id a: duplicate id, first used on line 1"),
        ("a.jsonl", lines({"source": "甲"}), "a.jsonl:1: id 1: 'target' is missing"),
        ("a.jsonl", b"\xff\n", "a.jsonl:1: not UTF-8"),
        ("a.jsonl", b"[]\n", "a.jsonl:1: not a JSON object"),
    ],
)
def test_parts_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError) as caught:
        list(read_pairs(str(tmp_path / name)))
    assert message in str(caught.value)


@pytest.fixture
def two(tmp_path: Path) -> list[Part]:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_bytes(lines(*ROWS))
    (tmp_path / "out").mkdir()
    return parts(f"{tmp_path}/*.jsonl", f"{tmp_path}/out", format_named("jsonl"))


def test_a_finished_part_is_not_done_again(tmp_path: Path, two: list[Part]) -> None:
    signature = work().signature
    assert unfinished(two, signature) == (two, Tally())
    journal = recovered_part(work(), two[0])
    assert journal.tally.coverage.pairs == 2
    assert finished(two[0], signature) == journal
    assert unfinished(two, signature) == (two[1:], journal.tally)
    assert names(tmp_path / "out") == ["a.jsonl", "a.jsonl.journal.json"]
    expected = [
        dump_line(r.as_record(pair.id))
        for pair in read_pairs(two[0].input)
        for r in work().recoverer.recover_all([pair])
    ]
    assert (tmp_path / "out" / "a.jsonl").read_bytes() == b"".join(expected)


@pytest.mark.parametrize("options", [{"keep_correct": True}, {"columns": {"source": "target"}}])
def test_a_part_that_was_read_otherwise_is_not_finished(
    options: dict[str, Any], tmp_path: Path, two: list[Part]
) -> None:
    run: dict[str, Any] = {"segmenter": list, "method": "p1"}
    recover_file(f"{tmp_path}/*.jsonl", tmp_path / "out", **run)
    recover_file(f"{tmp_path}/*.jsonl", tmp_path / "out", **run)
    with pytest.raises(
        CijieError, match=r"a\.jsonl\.journal\.json: made with .*; write to another place"
    ):
        recover_file(f"{tmp_path}/*.jsonl", tmp_path / "out", read=ReadOptions(**options), **run)
    assert finished(two[0], work().signature)


def test_the_order_in_which_columns_are_named_does_not_matter() -> None:
    columns = {"source": "a", "target": "b"}
    turned = dict(reversed(columns.items()))
    one, other = (signature_of(work(), ReadOptions(columns=x)) for x in (columns, turned))
    assert one == other != work().signature


def test_a_part_is_finished_only_if_all_is_as_it_was(tmp_path: Path, two: list[Part]) -> None:
    part, signature, output = two[0], work().signature, tmp_path / "out" / "a.jsonl"
    recovered_part(work(), part)
    with pytest.raises(CijieError, match="made with .*, not with other; write to another place"):
        finished(part, "other")
    written = output.read_bytes()
    output.write_bytes(written[:-1])
    with pytest.raises(CijieError, match=r"a\.jsonl does not match the journal; delete"):
        finished(part, signature)
    output.unlink()
    assert finished(part, signature) is None
    output.write_bytes(written)
    (tmp_path / "a.jsonl").write_bytes(lines(*ROWS) + b"\n")
    with pytest.raises(CijieError, match=r"made from another .*a\.jsonl; delete this file"):
        finished(part, signature)
    (tmp_path / "out" / "a.jsonl.journal.json").write_bytes(b"[]")
    with pytest.raises(FormatError, match="not a journal"):
        unfinished(two, signature)


def test_what_fails_is_named_or_set_apart(tmp_path: Path, two: list[Part]) -> None:
    bad = {"id": "x", "source": "我", "target": "我", "target_tokens": ["你"]}
    (tmp_path / "a.jsonl").write_bytes(lines(ROWS[0], bad) + b"{\n")
    with pytest.raises(CijieError, match=r"a\.jsonl:2: id x: at offset 0"):
        recovered_part(work(), two[0])
    assert not list((tmp_path / "out").iterdir())
    tally = recovered_part(work("keep"), two[0]).tally
    assert (tally.coverage.pairs, tally.quarantined) == (1, 2)
    set_apart = (tmp_path / "out" / "a.jsonl.quarantine.jsonl").read_bytes().splitlines()
    records = [orjson.loads(line) for line in set_apart]
    assert [record["line"] for record in records] == [2, 3]
    assert orjson.loads(records[0]["record"]) == bad
    (tmp_path / "a.jsonl").write_bytes(lines(ROWS[0]))
    assert recovered_part(work("keep"), two[0]).tally.quarantined == 0
    assert names(tmp_path / "out") == ["a.jsonl", "a.jsonl.journal.json"]


@pytest.mark.parametrize("content", [None, b"", b"{}"])
def test_the_quarantine_of_a_finished_part_is_checked(
    tmp_path: Path, two: list[Part], content: bytes | None
) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"{\n")
    for part, name in zip(two, "ab", strict=True):  # one has records that are kept apart
        recovered_part(work("keep"), part)
        assert finished(part, work("keep").signature)
        quarantine = tmp_path / "out" / f"{name}.jsonl.quarantine.jsonl"
        if content is None:
            quarantine.unlink(missing_ok=True)
        else:
            quarantine.write_bytes(content)
        if name == "a" or content:
            with pytest.raises(CijieError, match=f"{name}.jsonl.quarantine.jsonl does not match"):
                finished(part, work("keep").signature)


def test_a_segmenter_that_fails_names_the_part(two: list[Part]) -> None:
    recoverer = Recoverer(lambda text: 1 / 0, "p1")  # type: ignore[arg-type, return-value]
    with pytest.raises(SegmenterError, match=r"a\.jsonl: id a: function:.* failed: ZeroDivision"):
        recovered_part(BatchRecoverer(recoverer, format_named("jsonl")), two[0])


def test_a_run_removes_what_it_and_killed_runs_left_and_nothing_else(tmp_path: Path) -> None:
    others = [".x.part", ".a.jsonl.0123456789abcdef.part", "a.jsonl"]
    for name in others:
        (tmp_path / name).write_bytes(b"mine")
    with alone_in(str(tmp_path)) as run:
        for each in (run, "fedcba9876543210"):  # this run, and one that was killed
            (tmp_path / f".a.jsonl.{each}-0123456789abcdef.part").write_bytes(b"half")
        with pytest.raises(CijieError, match="is writing it now"), alone_in(str(tmp_path)):
            pass
    assert names(tmp_path) == sorted(others)
