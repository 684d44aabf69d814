"""A run on a cluster of processes of its own, which is what the commands start."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest

from workers import environment

pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")


def test_ctrl_c_leaves_no_process_and_no_half_file(tmp_path: Path, signals_heeded: None) -> None:
    rows = [{"id": str(k), "source": f"第{k}次困", "target": f"第{k}次团"} for k in range(50_000)]
    (tmp_path / "0.jsonl").write_bytes(b"".join(orjson.dumps(x) + b"\n" for x in rows))
    out = tmp_path / "out"
    command = [sys.executable, "-m", "cijie", "recover", str(tmp_path / "*.jsonl"), "-o", str(out)]
    command += ["--method", "p1", "--segmenter", "workers:slow_characters", "--engine", "dask"]
    run = subprocess.Popen(
        command, env=environment(), stderr=subprocess.PIPE, start_new_session=True
    )
    while not list(out.glob(".*.part")):
        time.sleep(0.05)
        assert run.poll() is None
    children = psutil.Process(run.pid).children(recursive=True)
    assert children
    os.killpg(run.pid, signal.SIGINT)  # as a terminal sends it
    _, stderr = run.communicate(timeout=60)
    assert (run.returncode, stderr.splitlines()[-1]) == (130, b"Aborted!")
    assert not list(out.iterdir())
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    rows = [{"id": str(k), "source": f"第{k}次困", "target": f"第{k}次团"} for k in range(1200)]
    for part in range(8):
        some = rows[part * 150 : part * 150 + 150]
        (tmp_path / f"{part}.jsonl").write_bytes(b"".join(orjson.dumps(x) + b"\n" for x in some))
    (tmp_path / "all.ndjson").write_bytes(b"".join(orjson.dumps(x) + b"\n" for x in rows))
    command = [sys.executable, "-m", "cijie", "recover", "--method", "p1"]
    command += ["--segmenter", "workers:slow_characters"]
    out, whole = tmp_path / "out", tmp_path / "all.out"
    parts = [f"{tmp_path}/*.jsonl", "-o", str(out), "--engine", "dask", "--workers", "2"]
    run = subprocess.Popen([*command, *parts], env=environment(), stderr=subprocess.PIPE)
    while not list(out.glob("*.journal.json")):
        time.sleep(0.05)
        assert run.poll() is None
    workers = [x for x in psutil.Process(run.pid).children() if "spawn_main" in str(x.cmdline())]
    assert workers
    workers[0].send_signal(signal.SIGKILL)
    _, stderr = run.communicate(timeout=60)
    assert run.returncode == 0, stderr.decode()
    subprocess.run(
        [*command, str(tmp_path / "all.ndjson"), "-o", str(whole), "-q"],
        env=environment(),
        check=True,
    )
    assert b"".join((out / f"{k}.jsonl").read_bytes() for k in range(8)) == whole.read_bytes()
    assert not list(out.glob(".*"))
    again = subprocess.run([*command, *parts], env=environment(), check=True, capture_output=True)
    assert again.stderr.startswith(b"8 parts, 0 of them to be done\n1,200 pairs\n")
