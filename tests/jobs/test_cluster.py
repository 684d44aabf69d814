"""A run on a cluster of processes of its own, which is what the commands start."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
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
    out, whole = tmp_path / "out", tmp_path / "all"
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


def test_a_missing_worker_and_a_lost_scheduler_are_told(tmp_path: Path) -> None:
    rows = [{"id": str(k), "source": f"第{k}次困", "target": f"第{k}次团"} for k in range(50_000)]
    (tmp_path / "0.jsonl").write_bytes(b"".join(orjson.dumps(x) + b"\n" for x in rows))
    out, address = tmp_path / "out", tmp_path / "address.json"
    dask = {**environment(), "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"}
    started: list[subprocess.Popen[bytes]] = []

    def start(module: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", module, *arguments]
        started.append(
            subprocess.Popen(command, env=dask, stderr=subprocess.PIPE, start_new_session=True)
        )
        return started[-1]

    try:
        places = ("--scheduler-file", str(address), "--dashboard-address", "127.0.0.1:0")
        scheduler = start("distributed.cli.dask_scheduler", "--port", "0", *places)
        while not address.exists() or not address.stat().st_size:
            time.sleep(0.05)
        url = orjson.loads(address.read_bytes())["address"]
        run = start(
            *("cijie", "recover", str(tmp_path / "*.jsonl"), "-o", str(out), "--engine", "dask"),
            *("--scheduler", url, "--method", "p1", "--segmenter", "workers:slow_characters"),
        )
        assert run.stderr is not None
        said = [run.stderr.readline() for _ in range(2)]
        assert said[1] == b"there is no Dask worker; waiting for one\n"
        start("distributed.cli.dask_worker", url, "--nthreads", "1", "--no-dashboard")
        while not list(out.glob(".*.part")):
            time.sleep(0.05)
            assert run.poll() is None
        scheduler.kill()
        *_, last = run.communicate(timeout=120)[1].splitlines()
        assert (run.returncode, last) == (1, b"Error: the Dask scheduler is lost, or ended the run")
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
