import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest

from cijie import Recoverer
from cijie.corpora.formats import format_named
from cijie.errors import CijieError, FormatError
from cijie.files.output import locked
from cijie.jobs.batches import BatchRecoverer, Extent, RecoveredBatch, Tally, names_for, write
from cijie.jobs.journal import RUN, Journal, kept, write_journal

from workers import environment

WORK = BatchRecoverer(Recoverer(list, "p1"), format_named("jsonl"))


class Stopped(Exception):
    pass


def batch(piece: bytes, apart: bytes = b"", end: int = 0) -> RecoveredBatch:
    """What becomes of a batch."""
    return RecoveredBatch(Extent(end, ""), piece, apart, Tally(changed=1))


def resume(
    path: Path, *pieces: bytes, signature: str = "s", stop: bool = False, apart: bytes = b""
) -> int:
    """Write what is left of `pieces`, and say how many that were."""
    names = names_for(path)
    with kept(names, signature) as found:
        start = found.input.size
        if isinstance(found, Journal):
            assert found.tally.changed == start
            return 0
        for count, piece in enumerate(pieces[start:], start=start + 1):
            found.add(batch(piece, apart, count))
        if stop:
            raise Stopped
        tally, _ = write(WORK, found, names[0], names[1], RUN)
        assert tally.changed == found.input.size
        write_journal(names, signature, found.input, tally, RUN)
    return len(pieces) - start


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_output_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(Stopped):
        resume(path, b"1", b"2", stop=True)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out", "out.part"]
    assert resume(path, b"1", b"2", b"3") == 1
    assert path.read_bytes() == b"123"
    assert names(tmp_path) == ["out", "out.journal.json"]
    assert resume(path) == 0
    assert path.read_bytes() == b"123"


def test_what_is_set_apart_is_a_file_only_if_there_is_something(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert resume(path, b"1", b"2", apart=b"x") == 2
    assert (tmp_path / "out.quarantine.jsonl").read_bytes() == b"xx"
    (tmp_path / "out.journal.json").unlink()
    with pytest.raises(Stopped):
        resume(path, b"1", stop=True)
    assert (tmp_path / "out.quarantine.jsonl").exists()
    assert resume(path, b"1", b"2") == 1
    assert names(tmp_path) == ["out", "out.journal.json"]
    (tmp_path / "out.quarantine.jsonl").write_bytes(b"old")
    write(WORK, [batch(b"1")], str(path), f"{path}.quarantine.jsonl")
    assert names(tmp_path) == ["out", "out.journal.json"]


@pytest.mark.parametrize("apart", [b"", b"x"])
def test_from_the_first_batch_on_that_is_incomplete_or_damaged_all_is_done_again(
    tmp_path: Path, apart: bytes
) -> None:
    path, part = tmp_path / "out", tmp_path / "out.part"
    with pytest.raises(Stopped):
        resume(path, stop=True)
    first = part.stat().st_size  # it says whose the file is
    with pytest.raises(Stopped):
        resume(path, b"1", b"2", stop=True, apart=apart)
    whole = part.read_bytes()
    for size in range(first, len(whole), 11):
        damaged = whole[:size] + bytes([whole[size] ^ 4]) + whole[size + 1 :]
        for content in (whole[:size], damaged):
            part.write_bytes(content)
            with pytest.raises(Stopped):
                resume(path, b"1", b"2", stop=True, apart=apart)
            assert part.read_bytes() == whole
    part.write_bytes(whole + b"half")
    assert resume(path, b"1", b"2", b"3", apart=apart) == 1
    assert path.read_bytes() == b"123"


@pytest.mark.parametrize("at", ["output", "journal"])
def test_a_run_killed_when_all_was_written(tmp_path: Path, at: str) -> None:
    path, part = tmp_path / "out", tmp_path / "out.part"
    with pytest.raises(Stopped):
        resume(path, b"1", stop=True, apart=b"x")
    left = part.read_bytes()
    assert resume(path, b"1") == 0
    part.write_bytes(left)
    if at == "output":
        (tmp_path / "out.journal.json").unlink()
    (tmp_path / ".out.resumed-0.part").write_bytes(b"half")
    assert resume(path, b"1") == 0
    assert path.read_bytes() == b"1"
    assert names(tmp_path) == ["out", "out.journal.json", "out.quarantine.jsonl"]


def test_an_output_that_is_gone_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert resume(path, b"1", b"2") == 2
    path.unlink()
    assert resume(path, b"1", b"2") == 2
    path.write_bytes(b"13")
    with pytest.raises(CijieError, match="out does not match the journal; delete"):
        resume(path, b"1", b"2")
    assert path.read_bytes() == b"13"


@pytest.mark.parametrize("content", [None, b"", b"y"])
@pytest.mark.parametrize("apart", [b"", b"x"])
def test_what_was_set_apart_is_checked(tmp_path: Path, apart: bytes, content: bytes | None) -> None:
    path, quarantine = tmp_path / "out", tmp_path / "out.quarantine.jsonl"
    assert resume(path, b"1", b"2", apart=apart) == 2
    quarantine.unlink(missing_ok=True)
    if content is not None:
        quarantine.write_bytes(content)
    if content == apart or not (content or apart):
        assert resume(path) == 0
    else:
        with pytest.raises(CijieError, match="quarantine.jsonl does not match the journal"):
            resume(path)


def test_an_empty_output_appears(tmp_path: Path) -> None:
    path = tmp_path / "out"
    (tmp_path / "out.part").touch()  # as if it had been killed before it wrote
    assert resume(path) == 0
    assert (path.read_bytes(), names(tmp_path)) == (b"", ["out", "out.journal.json"])


@pytest.mark.parametrize("content", [b"mine", b"mine\n", orjson.dumps({"run": {}}) + b"\n"])
def test_what_a_run_did_not_write_is_not_gone_on_with(tmp_path: Path, content: bytes) -> None:
    path, part = tmp_path / "out", tmp_path / "out.part"
    part.write_bytes(content)
    with pytest.raises(FormatError, match="out.part: not what a run of cijie keeps; delete it"):
        resume(path, b"1")
    assert (names(tmp_path), part.read_bytes()) == (["out.part"], content)


def test_a_run_with_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(Stopped):
        resume(path, b"1", stop=True)
    with pytest.raises(CijieError, match="out.part: made with s, not with t; .* delete this file"):
        resume(path, signature="t")
    assert resume(path, b"1") == 0
    with pytest.raises(CijieError, match="out.journal.json: made with s, not with t; .* delete"):
        resume(path, signature="t")
    (tmp_path / "out.journal.json").write_bytes(b"{}")
    with pytest.raises(FormatError, match="not a journal of cijie"):
        resume(path)


@pytest.mark.parametrize("opened", [locked, lambda path: kept(names_for(path), "s")])
def test_two_runs_on_one_output(
    tmp_path: Path, opened: Callable[[Path], AbstractContextManager[Any]]
) -> None:
    path = tmp_path / "out"
    with opened(path):
        said = rf"out: process {os.getpid()} on .* is writing it now"
        with pytest.raises(CijieError, match=said), opened(path):
            pass


def test_of_many_runs_at_once_one_writes_and_the_others_name_it(tmp_path: Path) -> None:
    pairs, out = tmp_path / "pairs.tsv", tmp_path / "out.jsonl"
    pairs.write_text("".join(f"{k}\t甲{k}\t乙{k}\n" for k in range(300)), encoding="utf-8")
    code = "import sys; from cijie import recover_file; recover_file(*sys.argv[1:], resume=True,"
    code += "segmenter='workers:slow_characters', method='p1', batch_size=1)"
    arguments = [sys.executable, "-c", code, str(pairs), str(out)]
    runs = [
        subprocess.Popen(arguments, env=environment(), stderr=subprocess.PIPE) for _ in range(5)
    ]
    said = [run.communicate(timeout=60)[1].decode() for run in runs]
    ends = [lines.splitlines()[-1] if lines else "" for lines in said]
    assert "" in ends
    assert {end for end in ends if "is writing it now" not in end} == {""}
    assert out.read_bytes().count(b"\n") == 300


def test_all_or_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "out"

    def stopped() -> Any:
        yield batch(b"1", b"2")
        raise Stopped

    with pytest.raises(Stopped):
        write(WORK, stopped(), str(path), f"{path}.quarantine.jsonl")
    assert not list(tmp_path.iterdir())
    write(WORK, [batch(b"1", b"2")], str(path), f"{path}.quarantine.jsonl")
    assert path.read_bytes() == b"1"
    assert names(tmp_path) == ["out", "out.quarantine.jsonl"]


def test_pipes_and_devices_are_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write(WORK, [batch(b"1")], str(pipe), None)
        assert reader.communicate()[0] == b"1"
    assert names(tmp_path) == ["pipe"]


def test_all_that_is_made_for_an_output_is_told(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(Stopped):
        resume(path, b"1", stop=True, apart=b"x")
    made = set(names(tmp_path))
    resume(path, b"1")
    assert made | set(names(tmp_path)) == {Path(name).name for name in names_for(path)}


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_killed_again_and_again_gives_the_same_bytes(tmp_path: Path, workers: int) -> None:
    pairs = tmp_path / "pairs.tsv"
    lines = [f"{k}\t第{k}次旅行困\t第{k}次旅行团\n" for k in range(1200)]
    lines[700] = "700\t没有\n"
    pairs.write_text("".join(lines), encoding="utf-8")
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "cijie", "recover", str(pairs), "--method", "p1", "-q"]
    command += ["--on-error", "keep", "--segmenter", "workers:slow_characters"]
    subprocess.run([*command, "-o", str(whole)], check=True, env=environment())
    command += ["-o", str(out), "--resume", "--workers", str(workers)]
    random = Random(workers)
    for share in (0.1, 0.3, 0.5, 0.7):
        process = subprocess.Popen(command, env=environment())
        part = tmp_path / "out.jsonl.part"
        while not part.exists() or part.stat().st_size < share * whole.stat().st_size:
            assert process.poll() is None
            time.sleep(0.002)
        time.sleep(random.uniform(0, 0.05))
        process.kill()
        process.wait()
        assert not out.exists()
    subprocess.run(command, check=True, env=environment())
    assert out.read_bytes() == whole.read_bytes()
    quarantined = [
        path.with_name(f"{path.name}.quarantine.jsonl").read_bytes() for path in (whole, out)
    ]
    assert quarantined[0] == quarantined[1]
    assert quarantined[0].count(b"\n") == 1
    assert names(tmp_path) == [
        "out.jsonl",
        "out.jsonl.journal.json",
        "out.jsonl.quarantine.jsonl",
        "pairs.tsv",
        "whole.jsonl",
        "whole.jsonl.quarantine.jsonl",
    ]


@pytest.mark.parametrize(
    ("number", "at_work"),
    [("SIGINT", False), ("SIGINT", True), ("SIGTERM", True), ("SIGHUP", True), ("SIGKILL", True)],
)
def test_no_worker_survives_a_stopped_run(
    tmp_path: Path, signals_heeded: None, number: str, at_work: bool
) -> None:
    psutil = pytest.importorskip("psutil")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{k}\t甲{k}\t乙{k}\n" for k in range(50_000)), encoding="utf-8")
    command = [sys.executable, "-m", "cijie", "recover", str(pairs), "--workers", "2"]
    command += ["--segmenter", "workers:slow_characters", "--method", "p1", "-o"]
    process = subprocess.Popen(
        [*command, str(tmp_path / "out.jsonl")],
        env=environment(),
        start_new_session=True,
        stderr=subprocess.PIPE,
    )
    children: list[object] = []
    while len(children) < 3 or (at_work and not _size_of_parts(tmp_path)):
        assert process.poll() is None
        time.sleep(0.1)
        children = psutil.Process(process.pid).children(recursive=True)
    if number != "SIGKILL":
        os.killpg(process.pid, signal.Signals[number])  # as a terminal sends it
        said = process.communicate(timeout=60)[1].splitlines()
        assert said[-1] == b"Aborted!"
        assert said[:-1] == [b"nothing is kept without --resume; the same command begins again"]
        assert process.returncode == 128 + signal.Signals[number]
        assert list(tmp_path.iterdir()) == [pairs]
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive


def _size_of_parts(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob(".*.part"))
