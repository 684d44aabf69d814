import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from cijie.errors import CijieError, FormatError
from cijie.jobs.journal import Extent, Journal, Measured, Tally
from cijie.jobs.outputs import Outputs, at_once, is_regular, made_for, resumable

from workers import environment


class Stopped(Exception):
    pass


def add(outputs: Outputs, piece: bytes, apart: bytes, end: Extent) -> None:
    """What a batch gives."""
    outputs.output.write(piece)
    outputs.add(end, Tally(changed=1), apart)


def write(
    path: Path, *pieces: bytes, signature: str = "s", stop: bool = False, apart: bytes = b""
) -> int:
    """Write what is left of `pieces`, and say how many that were."""
    with resumable(path, signature) as outputs:
        start = outputs.journal.input.size
        left = [] if outputs.journal.complete else pieces[start:]
        for count, piece in enumerate(left, start=start + 1):
            add(outputs, piece, apart, Extent(count, ""))
        if stop:
            raise Stopped
        assert outputs.journal.tally.changed == outputs.journal.input.size
    return len(left)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_output_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(Stopped):
        write(path, b"1", b"2", stop=True)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["out", "out.journal.json", "out.part", "out.quarantine.jsonl.part"]
    assert write(path, b"1", b"2", b"3") == 1
    assert path.read_bytes() == b"123"
    assert names(tmp_path) == ["out", "out.journal.json"]
    assert write(path) == 0
    assert path.read_bytes() == b"123"


def test_what_is_set_apart_is_a_file_only_if_there_is_something(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert write(path, b"1", b"2", apart=b"x") == 2
    assert (tmp_path / "out.quarantine.jsonl").read_bytes() == b"xx"
    (tmp_path / "out.journal.json").unlink()
    with pytest.raises(Stopped):
        write(path, b"1", stop=True)
    assert (tmp_path / "out.quarantine.jsonl").exists()
    assert write(path, b"1", b"2") == 1
    assert names(tmp_path) == ["out", "out.journal.json"]
    (tmp_path / "out.quarantine.jsonl").write_bytes(b"old")
    with at_once(path) as outputs:
        add(outputs, b"1", b"", Extent())
    assert names(tmp_path) == ["out", "out.journal.json"]


def test_what_no_checkpoint_speaks_of_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(Stopped):
        write(path, b"1", stop=True)
    with (tmp_path / "out.part").open("ab") as stream:
        stream.write(b"half")
    assert write(path, b"1", b"2") == 1
    assert path.read_bytes() == b"12"


def test_a_run_stopped_in_the_midst_of_writing_a_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out"
    written = Measured.write

    def stopping(file: Measured, piece: bytes) -> int:
        size = written(file, piece)
        if piece == b"2":
            raise Stopped
        return size

    with monkeypatch.context() as patch:
        patch.setattr(Measured, "write", stopping)
        with pytest.raises(Stopped):
            write(path, b"1", b"2", b"3", apart=b"x")
    assert write(path, b"1", b"2", b"3", apart=b"x") == 2
    assert path.read_bytes() == b"123"
    assert (tmp_path / "out.quarantine.jsonl").read_bytes() == b"xxx"


def test_a_run_killed_when_all_was_written(tmp_path: Path) -> None:
    path, journal = tmp_path / "out", tmp_path / "out.journal.json"
    with pytest.raises(Stopped):
        write(path, b"1", stop=True, apart=b"x")
    values = Journal.from_bytes(journal.read_bytes(), journal)
    complete = Journal(values.signature, values.input, values.outputs, values.tally, complete=True)
    journal.write_bytes(complete.as_bytes())
    assert write(path, b"1", b"2") == 0
    assert path.read_bytes() == b"1"
    assert names(tmp_path) == ["out", "out.journal.json", "out.quarantine.jsonl"]


def test_an_output_that_is_gone_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert write(path, b"1", b"2") == 2
    path.unlink()
    assert write(path, b"1", b"2") == 2
    path.write_bytes(b"13")
    with pytest.raises(CijieError, match="out does not match the journal; delete"):
        write(path, b"1", b"2")
    assert path.read_bytes() == b"13"


def test_a_stray_part_replaces_nothing(tmp_path: Path) -> None:
    path, part = tmp_path / "out", tmp_path / "out.part"
    assert write(path, b"1", b"2") == 2
    part.write_bytes(b"mine")
    (tmp_path / "out.quarantine.jsonl.part").write_bytes(b"mine")
    assert write(path) == 0
    assert (path.read_bytes(), part.read_bytes()) == (b"12", b"mine")
    path.write_bytes(b"other")
    with pytest.raises(CijieError, match="out does not match the journal"):
        write(path)
    assert (path.read_bytes(), part.read_bytes()) == (b"other", b"mine")


@pytest.mark.parametrize("content", [None, b"", b"y"])
@pytest.mark.parametrize("apart", [b"", b"x"])
def test_what_was_set_apart_is_checked(tmp_path: Path, apart: bytes, content: bytes | None) -> None:
    path, quarantine = tmp_path / "out", tmp_path / "out.quarantine.jsonl"
    assert write(path, b"1", b"2", apart=apart) == 2
    quarantine.unlink(missing_ok=True)
    if content is not None:
        quarantine.write_bytes(content)
    if content == apart or not (content or apart):
        assert write(path) == 0
    else:
        with pytest.raises(CijieError, match="quarantine.jsonl does not match the journal"):
            write(path)


def test_an_empty_output_appears(tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert write(path) == 0
    path.replace(tmp_path / "out.part")  # as if it had been killed before it appeared
    assert write(path) == 0
    assert (path.read_bytes(), names(tmp_path)) == (b"", ["out", "out.journal.json"])


def test_what_a_run_did_not_write_is_not_gone_on_with(tmp_path: Path) -> None:
    path, part = tmp_path / "out", tmp_path / "out.part"
    part.write_bytes(b"mine")
    with pytest.raises(CijieError, match="out.part: leftover output without a journal"):
        write(path, b"1")
    assert names(tmp_path) == ["out.part"]
    part.unlink()
    with pytest.raises(Stopped):
        write(path, b"1", stop=True)
    with pytest.raises(CijieError, match="made with s, not with t; .* delete this file"):
        write(path, signature="t")
    part.write_bytes(b"2")
    with pytest.raises(CijieError, match="out.part does not match the journal"):
        write(path)
    part.unlink()
    with pytest.raises(CijieError, match="out.part does not match the journal"):
        write(path)
    (tmp_path / "out.journal.json").write_bytes(b"{}")
    with pytest.raises(FormatError, match="not a journal of cijie"):
        write(path)


@pytest.mark.parametrize("resume", [True, False])
def test_two_runs_on_one_output(tmp_path: Path, resume: bool) -> None:
    def files() -> object:
        return resumable(tmp_path / "out", "s") if resume else at_once(tmp_path / "out")

    with files() as outputs:  # type: ignore[attr-defined]
        add(outputs, b"1", b"", Extent(1, ""))
        said = rf"out: process {os.getpid()} on .* is writing it now"
        with pytest.raises(CijieError, match=said), files():  # type: ignore[attr-defined]
            pass
    assert (tmp_path / "out").read_bytes() == b"1"


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


def test_at_once_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(Stopped), at_once(path) as outputs:  # noqa: PT012
        add(outputs, b"1", b"2", Extent())
        raise Stopped
    assert not list(tmp_path.iterdir())
    with at_once(path) as outputs:
        add(outputs, b"1", b"2", Extent())
    assert path.read_bytes() == b"1"
    assert names(tmp_path) == ["out", "out.quarantine.jsonl"]


def test_pipes_and_devices_are_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert not is_regular(pipe)
        assert not is_regular("-")
        with at_once(pipe) as outputs:
            add(outputs, b"1", b"", Extent())
        assert reader.communicate()[0] == b"1"
    assert names(tmp_path) == ["pipe"]


def test_all_that_is_made_for_an_output_is_told(tmp_path: Path) -> None:
    path = tmp_path / "out"
    made = set()
    with pytest.raises(Stopped):
        write(path, b"1", stop=True, apart=b"x")
    made |= set(names(tmp_path))
    write(path, b"1")
    made |= set(names(tmp_path))
    assert made | {"out.journal.json.part"} == {path.name for path in made_for(path)}


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
