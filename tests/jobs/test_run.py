import os
import sys
from concurrent.futures import ThreadPoolExecutor
from gzip import decompress
from io import BytesIO
from pathlib import Path
from typing import Any

import fsspec
import orjson
import pytest

import cijie
from cijie.corpora.formats import FORMATS, Format
from cijie.corpora.reading import ReadOptions
from cijie.corpora.writing import convert_file
from cijie.corpora.writing import write as write_sentences
from cijie.errors import CijieError, UsageError
from cijie.jobs.run import Progress, recover_file

from readers import NEEDS
from sentences import read_records

CHARACTERS: dict[str, Any] = {"segmenter": list, "method": "p1", "batch_size": 2}


class Stopped(Exception):
    pass


def rows(count: int) -> list[dict[str, Any]]:
    return [{"id": str(k), "source": f"第{k}次困", "target": f"第{k}次团"} for k in range(count)]


def write(path: Path, *records: dict[str, Any], more: bytes = b"") -> Path:
    path.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records) + more)
    return path


def never(text: str) -> list[str]:
    raise AssertionError(text)


never.__qualname__ = "list"  # so that the signature is that of the others


def test_a_file_is_recovered_as_its_pairs_are(tmp_path: Path) -> None:
    pairs, out = write(tmp_path / "pairs.jsonl", *rows(5)), tmp_path / "out.jsonl"
    said: list[Progress] = []
    report = cijie.recover_file(pairs, out, progress=said.append, **CHARACTERS)
    recoverer = cijie.Recoverer(list, "p1")
    records = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    assert records == [
        orjson.loads(orjson.dumps(recovery.as_record(row["id"])))
        for row, recovery in zip(rows(5), recoverer.recover_all(rows(5)), strict=True)
    ]
    assert (report.tally.records, report.before, report.skipped) == (5, 0, {})
    assert report.signature == recoverer.signature
    assert [now.records for now in said] == [0, 2, 4, 5]


def test_two_files_of_lines_to_text(tmp_path: Path) -> None:
    (tmp_path / "S").write_text("甲乙\n\n丙\n", encoding="utf-8")
    (tmp_path / "T").write_text("甲\n\n丁\n", encoding="utf-8")
    out = tmp_path / "out.txt"
    recover_file((tmp_path / "S", tmp_path / "T"), out, **CHARACTERS)
    assert out.read_text(encoding="utf-8") == "甲 乙\n\n丙\n"


WITH_WORDS = [x for x in FORMATS.values() if x.writes and "words" in x.holds]


@pytest.mark.parametrize("format", WITH_WORDS, ids=str)
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_every_format_with_words_is_written(tmp_path: Path, format: Format, ending: str) -> None:
    """As if JSON lines had been written and converted."""
    if format.name in NEEDS:
        pytest.importorskip(NEEDS[format.name])
    pairs, lines = write(tmp_path / "pairs.jsonl", *rows(5)), tmp_path / "out.jsonl"
    out = tmp_path / f"out{format.endings[-1]}{ending}"
    settings = {"format": format.name, **CHARACTERS}
    recover_file(pairs, lines, **CHARACTERS)
    recover_file(pairs, out, **settings)
    stream = BytesIO()
    write_sentences(read_records(lines), stream, format)
    content = out.read_bytes()
    if ending:
        content = decompress(content)
    if format.streams:
        assert content == stream.getvalue()
    else:
        assert list(read_records(BytesIO(content), format.name)) == list(read_records(lines))
    if format.name in ("csv", "parquet") and not ending:
        first = out.read_bytes()
        recover_file(pairs, out, workers=2, **settings)
        assert out.read_bytes() == first


def test_a_header_is_written_once(tmp_path: Path) -> None:
    pairs, out = write(tmp_path / "pairs.jsonl", *rows(5)), tmp_path / "out.csv"
    recover_file(pairs, tmp_path / "whole.csv", **CHARACTERS)
    for stop in (0, 2):
        with pytest.raises(Stopped):
            recover_file(pairs, out, resume=True, progress=stop_at(stop), **CHARACTERS)
    recover_file(pairs, out, resume=True, **CHARACTERS)
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_the_output_may_be_a_url(tmp_path: Path) -> None:
    pairs = write(tmp_path / "pairs.jsonl", *rows(3), more=b"{\n")
    recover_file(pairs, tmp_path / "out.jsonl.gz", on_error="keep", **CHARACTERS)
    recover_file(pairs, "memory://recovered/out.jsonl.gz", on_error="keep", **CHARACTERS)
    filesystem = fsspec.filesystem("memory")
    try:
        for name in ("out.jsonl.gz", "out.jsonl.gz.quarantine.jsonl"):
            assert filesystem.cat(f"/recovered/{name}") == (tmp_path / name).read_bytes()
        assert len(filesystem.ls("/recovered")) == 2
    finally:
        filesystem.rm("/recovered", recursive=True)


def test_only_so_many_pairs(tmp_path: Path) -> None:
    pairs, out = write(tmp_path / "pairs.jsonl", *rows(5), more=b"{\n"), tmp_path / "out.jsonl"
    assert recover_file(pairs, out, limit=3, **CHARACTERS).tally.records == 3
    assert out.read_bytes().count(b"\n") == 3


def stop_at(records: int) -> Any:
    def report(now: Progress) -> None:
        if now.records >= records:
            raise Stopped

    return report


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    bad = b'{"id": "x", "source": "\\u7532"}\n\xff\n'
    pairs = write(tmp_path / "pairs.jsonl", *rows(3), more=bad)
    with pairs.open("ab") as stream:
        stream.writelines(orjson.dumps(row) + b"\n" for row in rows(9)[3:])
    settings: dict[str, Any] = {"on_error": "keep", **CHARACTERS}
    recover_file(pairs, tmp_path / "whole.jsonl", **settings)
    for at in (0, 1, 4, 6, 11):
        out = tmp_path / f"{at}.jsonl"
        with pytest.raises(Stopped):
            recover_file(pairs, out, resume=True, progress=stop_at(at), **settings)
        assert not out.exists()
        said: list[Progress] = []
        report = recover_file(pairs, out, resume=True, progress=said.append, **settings)
        assert report.before == said[0].records >= at
        assert (report.tally.records, report.tally.quarantined) == (11, 2)
        for end in ("", ".quarantine.jsonl"):
            written, whole = (tmp_path / f"{name}.jsonl{end}" for name in (at, "whole"))
            assert written.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.csv.xz", "out.parquet", "out.parquet.gz"])
def test_a_compressed_or_packed_output_goes_on_too(tmp_path: Path, name: str) -> None:
    if "parquet" in name:
        pytest.importorskip("pyarrow")
    pairs, out = write(tmp_path / "pairs.jsonl", *rows(9)), tmp_path / name
    whole = tmp_path / f"whole.{name}"
    recover_file(pairs, whole, resume=True, **CHARACTERS)
    for stop in (0, 2, 6):
        with pytest.raises(Stopped):
            recover_file(pairs, out, resume=True, progress=stop_at(stop), **CHARACTERS)
    recover_file(pairs, out, resume=True, workers=2, **CHARACTERS)
    recover_file(pairs, out, resume=True, **CHARACTERS)
    assert out.read_bytes() == whole.read_bytes()
    assert len(list(read_records(out))) == 9
    assert sorted(path.name for path in tmp_path.glob("out.*")) == [name, f"{name}.journal.json"]
    recover_file(pairs, tmp_path / "lines.jsonl", **CHARACTERS)
    assert list(read_records(out)) == list(read_records(tmp_path / "lines.jsonl"))


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz"])
def test_a_text_begins_as_it_did_even_if_only_bad_records_came_before(
    tmp_path: Path, name: str
) -> None:
    bad, mark = {"id": "bad"}, {"id": "0", "source": "\ufeff我", "target": "我"}
    pairs, out, whole = write(tmp_path / "pairs.jsonl", bad, mark), tmp_path / name, tmp_path / "w"
    settings: dict[str, Any] = {**CHARACTERS, "batch_size": 1, "on_error": "keep", "resume": True}
    with pytest.raises(Stopped):
        recover_file(pairs, out, progress=stop_at(1), **settings)
    recover_file(pairs, out, **settings)
    recover_file(pairs, whole, format="text", **settings)
    found = out.read_bytes()
    assert (decompress(found) if name.endswith("gz") else found) == whole.read_bytes()
    write(pairs)
    recover_file(pairs, tmp_path / f"empty.{name}", **settings)
    empty = (tmp_path / f"empty.{name}").read_bytes()
    assert decompress(empty) == b"" != empty if name.endswith("gz") else empty == b""


def test_a_link_says_how_its_file_is_compressed_also_if_batches_are_joined(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pairs, link = write(tmp_path / "pairs.jsonl", *rows(3)), tmp_path / "out.parquet.gz"
    link.symlink_to(tmp_path / "file")
    recover_file(pairs, link, resume=True, **CHARACTERS)
    assert decompress((tmp_path / "file").read_bytes()).startswith(b"PAR1")


def exit_at(number: int, folder: Path) -> None:
    """End this process at its operation of that number on files in the folder."""
    left = iter(range(number - 1))

    def look(event: str, args: tuple[Any, ...]) -> None:
        if event in ("open", "os.rename", "os.remove") and str(folder) in str(args[0]):
            try:
                next(left)
            except StopIteration:
                os._exit(9)

    sys.addaudithook(look)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("name", ["out.jsonl.gz", "out.parquet"])
def test_a_run_killed_at_any_operation_on_files_leaves_nothing_but_its_results(
    tmp_path: Path, name: str
) -> None:
    if "parquet" in name:
        pytest.importorskip("pyarrow.parquet")
    pairs = write(tmp_path / "pairs.jsonl", *rows(5))
    (tmp_path / "whole").mkdir()
    recover_file(pairs, tmp_path / "whole" / name, resume=True, **CHARACTERS)
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    at = status = 1
    while status:
        folder = tmp_path / str(at)
        folder.mkdir()
        process = os.fork()
        if not process:
            exit_at(at, folder)
            try:
                recover_file(pairs, folder / name, resume=True, **CHARACTERS)
            finally:
                os._exit(0)
        _, status = os.waitpid(process, 0)
        recover_file(pairs, folder / name, resume=True, **CHARACTERS)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == whole
        at += 1
    assert at > 10


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet"])
def test_chosen_fields_alone_are_written(tmp_path: Path, name: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    pairs, out = write(tmp_path / "pairs.jsonl", *rows(2)), tmp_path / name
    settings: dict[str, Any] = {**CHARACTERS, "method": "p3"}
    done = recover_file(pairs, out, fields=["words", "changes"], **settings)
    assert done.held == ["words", "changes", "target"]  # which the changes are about
    recover_file(pairs, tmp_path / "all.jsonl", **settings)
    some, everything = list(read_records(out)), list(read_records(tmp_path / "all.jsonl"))
    assert [(x.words, x.changes, x.target) for x in some] == [
        (x.words, x.changes, x.target) for x in everything
    ]
    assert {field for x in some for field in x.fields} == {"words", "changes", "target"}
    for field in ("confidences", "links"):
        recover_file(pairs, tmp_path / "again.jsonl", fields=["words", field], **settings)
        assert all(field in x.fields for x in read_records(tmp_path / "again.jsonl"))


@pytest.mark.parametrize("name", ["pairs.tsv", "pairs.jsonl.gz", "pairs.parquet", "pairs.csv"])
def test_the_share_of_the_input_is_known(tmp_path: Path, name: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    lines, pairs = write(tmp_path / "rows.jsonl", *rows(3000)), tmp_path / name
    convert_file(lines, pairs)
    said: list[Progress] = []
    settings = {**CHARACTERS, "batch_size": 500}
    recover_file(pairs, tmp_path / "out.jsonl", progress=said.append, **settings)
    shares = [now.share for now in said[1:] if now.share is not None]
    assert len(shares) == 6
    assert shares == sorted(shares)
    # The end of a Parquet file says what is in it, and is read first.
    assert 0 < shares[0] <= shares[-1] <= 1
    assert shares[-1] == 1 or name.endswith(".parquet")
    # Since Python 3.12 gzip reads 128 KiB at once, all that this file has.
    assert shares[0] < 1 or name.endswith(".gz")
    recover_file(pairs, tmp_path / "out.jsonl", progress=said.append, limit=1000, **settings)
    assert [now.share for now in said[-2:]] == [0.5, 1.0]


def test_the_share_is_what_is_done_of_the_input_not_what_is_read_of_it(tmp_path: Path) -> None:
    pairs, said = write(tmp_path / "x.jsonl", *rows(2000)), list[Progress]()
    with ThreadPoolExecutor() as executor:
        options = {**CHARACTERS, "batch_size": 100, "executor": executor, "progress": said.append}
        recover_file(pairs, tmp_path / "y.jsonl", **options)
    shares = [now.share or 0 for now in said[1:]]
    assert len(shares) == 20
    assert shares == sorted(shares)
    assert shares[0] < 0.5
    assert shares[-1] == 1


def test_a_finished_run_is_not_done_again(tmp_path: Path) -> None:
    pairs, out = write(tmp_path / "pairs.jsonl", *rows(5)), tmp_path / "out.jsonl"
    first = recover_file(pairs, out, resume=True, **CHARACTERS)
    settings: dict[str, Any] = {**CHARACTERS, "segmenter": never, "resume": True}
    again = recover_file(pairs, out, **settings)
    assert again.tally == first.tally
    assert again.before == 5
    write(pairs, *rows(6))
    reported: list[Progress] = []
    with pytest.raises(CijieError, match="has more records than the 5 that .*out.jsonl was made"):
        recover_file(pairs, out, progress=reported.append, **settings)
    assert not reported  # else the command says that it would go on there


@pytest.mark.parametrize(
    "change", [{"source": "别"}, {"source_tokens": ["第0次", "困"]}, {"target_tokens": [[0, 4]]}]
)
def test_what_was_recovered_from_must_not_change(tmp_path: Path, change: dict[str, Any]) -> None:
    pairs, out = write(tmp_path / "pairs.jsonl", *rows(5)), tmp_path / "out.jsonl"
    with pytest.raises(Stopped):
        recover_file(pairs, out, resume=True, progress=stop_at(2), **CHARACTERS)
    first, *others = rows(5)
    write(pairs, first | change, *others)
    reported: list[Progress] = []
    with pytest.raises(CijieError, match=r"pairs\.jsonl: the first 2 records differ"):
        recover_file(pairs, out, resume=True, progress=reported.append, **CHARACTERS)
    assert not reported  # else the command says that they are kept


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"on_error": "quarantine"}, "unknown on_error 'quarantine'"),
        ({"format": "txt"}, "unknown format 'txt': did you mean 'text'"),
        ({"format": "mucgec"}, "mucgec cannot hold words"),
        ({"fields": ["word"]}, "unknown field 'word': did you mean 'words'"),
        ({"fields": ["links"], "format": "text"}, "text cannot hold links"),
        ({"fields": ["words"], "format": "cherrant"}, "cherrant requires target and target words"),
        ({"workers": 0}, "workers must be a whole number, at least 1, not 0"),
        ({"limit": 0}, "limit must be a whole number, at least 1"),
        ({"review": 3, "format": "csv"}, "a review requires the method p3"),
        ({"review": 3, "method": "p3"}, "a review is a table, not jsonl: write it to .csv or .tsv"),
        (
            {"review": 3, "resume": True, "method": "p3", "format": "csv"},
            "a review cannot be resumed",
        ),
        (
            {"review": 3, "method": "p3", "format": "csv", "fields": ["words"]},
            "a review has columns of its own",
        ),
        ({"executor": ThreadPoolExecutor(), "workers": 2}, "either workers or an executor"),
        ({"output": "-", "resume": True}, "resume requires a file to write to, got -"),
        ({"output": "/dev/null", "resume": True}, "got /dev/null"),
        (
            {"output": "memory://out/x", "resume": True},
            "resume requires a file to write to, got mem",
        ),
        ({"output": "-", "on_error": "keep"}, "keeping bad records requires a file"),
        ({"output": "{pairs}"}, "is an input; write to another file"),
        ({"output": "{pairs.parent}/x", "input": "{pairs.parent}/x.quarantine.jsonl"}, "an input"),
        (
            {"input": ("x", "y"), "read": ReadOptions("jsonl")},
            "jsonl is no format of lines side by side",
        ),
        ({"input": "in/*", "output": "-"}, "a folder to write to, got -"),
        ({"input": "in/*", "output": "{pairs}"}, "a folder to write to, got .*"),
        ({"input": "in/*", "resume": True}, "review, decisions, limit and resume cannot be used"),
    ],
)
def test_settings_that_do_not_go_together(
    tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    pairs = write(tmp_path / "pairs.jsonl", *rows(1))
    write(tmp_path / "x.quarantine.jsonl", *rows(1))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    given: dict[str, Any] = {"input": pairs, "output": tmp_path / "out", **CHARACTERS, **settings}
    for name in ("input", "output"):
        if not isinstance(given[name], tuple):
            given[name] = str(given[name]).format(pairs=pairs)
    with pytest.raises(UsageError, match=message):
        recover_file(**given)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_parts_go_to_a_folder_that_is_called_like_one(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    for name in ("one.jsonl", "one.parquet"):
        with pytest.raises(UsageError, match="many parts require a folder to write to, got"):
            recover_file(tmp_path / "*.tsv", tmp_path / name, segmenter=list)
        assert not (tmp_path / name).exists()


def test_only_what_differs_in_a_signature_is_said(tmp_path: Path) -> None:
    pairs, output = tmp_path / "a.tsv", tmp_path / "out.jsonl"
    pairs.write_text("1\t旅行困\t旅行团\n", encoding="utf-8")
    recover_file(pairs, output, segmenter=list, method="p1", resume=True)
    message = r"made with on-error:raise, not with on-error:keep; write to another place"
    with pytest.raises(CijieError, match=message):
        recover_file(pairs, output, segmenter=list, method="p1", resume=True, on_error="keep")
