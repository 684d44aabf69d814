import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from cijie.errors import CijieError, FormatError
from cijie.jobs.batches import Place
from cijie.jobs.checkpoints import at_once, resumable
from cijie.jobs.work import Tally


class Stopped(Exception):
    pass


def write(path: Path, *pieces: bytes, signature: str = "s", stop: bool = False) -> int:
    """Write what is left of `pieces`, and say how many that were."""
    with resumable([path], signature) as outputs:
        left = [] if outputs.complete else pieces[outputs.place.pairs :]
        for count, piece in enumerate(left, start=outputs.place.pairs + 1):
            outputs.write([piece], Place(count, ""), Tally(changed=1))
        if stop:
            raise Stopped
        assert outputs.tally.changed == outputs.place.pairs
    return len(left)


def test_output_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with pytest.raises(Stopped):
        write(path, b"1", b"2", stop=True)
    assert path.read_bytes() == b"old"
    assert write(path, b"1", b"2", b"3") == 1
    assert path.read_bytes() == b"123"
    assert list(tmp_path.iterdir()) == [path]


def test_what_no_checkpoint_speaks_of_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(Stopped):
        write(path, b"1", stop=True)
    with (tmp_path / "out.part").open("ab") as stream:
        stream.write(b"half")
    assert write(path, b"1", b"2") == 1
    assert path.read_bytes() == b"12"


def test_a_run_killed_when_all_was_written(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(Stopped):
        write(path, b"1", stop=True)
    journal = tmp_path / "out.part.json"
    journal.write_bytes(journal.read_bytes().replace(b'"complete": false', b'"complete": true'))
    assert write(path, b"1", b"2") == 0
    assert path.read_bytes() == b"1"
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_killed_while_it_wrote_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "out[1]"
    with pytest.raises(Stopped):
        write(path, b"1", stop=True)
    (tmp_path / ".out[1].part.json.7.part").touch()
    assert write(path, b"1", b"2") == 1
    assert list(tmp_path.iterdir()) == [path]


def test_other_settings_or_files_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(Stopped):
        write(path, b"1", stop=True)
    with pytest.raises(CijieError, match="begun with s, not with t; delete this file"):
        write(path, signature="t")
    with pytest.raises(CijieError, match="begun with 1 file"), resumable([path, path], "s"):
        pass
    (tmp_path / "out.part").unlink()
    with pytest.raises(FormatError, match="has 0 bytes, not 1"):
        write(path)
    (tmp_path / "out.part.json").write_bytes(b"{}")
    with pytest.raises(FormatError, match="not a journal of cijie"):
        write(path)


def test_at_once_or_not_at_all(tmp_path: Path) -> None:
    paths = [tmp_path / "a", tmp_path / "b"]
    with pytest.raises(Stopped), at_once(paths) as outputs:  # noqa: PT012
        outputs.write([b"1", b"2"], Place(), Tally())
        raise Stopped
    assert not list(tmp_path.iterdir())
    with at_once(paths) as outputs:
        outputs.write([b"1", b"2"], Place(), Tally())
    assert [path.read_bytes() for path in paths] == [b"1", b"2"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_killed_again_and_again_gives_the_same_bytes(tmp_path: Path, workers: int) -> None:
    pairs = tmp_path / "pairs.tsv"
    lines = [f"{k}\t第{k}次旅行困\t第{k}次旅行团\n" for k in range(1200)]
    lines[700] = "700\t没有\n"
    pairs.write_text("".join(lines), encoding="utf-8")
    whole, out = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "cijie", "recover", str(pairs), "--method", "p1", "-q"]
    command += ["--on-error", "quarantine", "--segmenter", "workers:slow_characters"]
    environment = {"PYTHONPATH": str(Path(__file__).parents[1])}
    subprocess.run([*command, "-o", str(whole)], check=True, env=environment)
    command += ["-o", str(out), "--resume", "--workers", str(workers)]
    random = Random(workers)
    for share in (0.1, 0.3, 0.5, 0.7):
        process = subprocess.Popen(command, env=environment)
        part = tmp_path / "out.jsonl.part"
        while not part.exists() or part.stat().st_size < share * whole.stat().st_size:
            assert process.poll() is None
            time.sleep(0.002)
        time.sleep(random.uniform(0, 0.05))
        process.kill()
        process.wait()
        assert not out.exists()
    subprocess.run(command, check=True, env=environment)
    assert out.read_bytes() == whole.read_bytes()
    quarantined = [
        path.with_name(f"{path.name}.quarantine.jsonl").read_bytes() for path in (whole, out)
    ]
    assert quarantined[0] == quarantined[1]
    assert quarantined[0].count(b"\n") == 1
    assert len(list(tmp_path.iterdir())) == 5


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
        env={"PYTHONPATH": str(Path(__file__).parents[1])},
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
        assert process.communicate(timeout=60)[1] == b"Aborted!\n"
        assert process.returncode == 128 + signal.Signals[number]
        assert list(tmp_path.iterdir()) == [pairs]
    process.kill()
    process.communicate()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive


def _size_of_parts(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob(".*.part"))
