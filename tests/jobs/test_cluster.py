"""Runs whose work is done by Dask, and parts whose work is done by processes."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest

from cijie import recover_file
from cijie.errors import SegmenterError, WorkerError
from cijie.jobs.executors import dask_executor
from cijie.jobs.run import Progress

from workers import characters_or_worse, environment, slow_characters

psutil = pytest.importorskip("psutil")

SETTINGS: dict[str, Any] = {"segmenter": slow_characters, "method": "p1"}


def write_parts(folder: Path, count: int, size: int) -> bytes:
    """Parts, and what they hold together."""
    rows = [
        {"id": str(k), "source": f"第{k}次困", "target": f"第{k}次团"} for k in range(count * size)
    ]
    lines = [orjson.dumps(row) + b"\n" for row in rows]
    for part in range(count):
        (folder / f"{part}.jsonl").write_bytes(b"".join(lines[part * size : (part + 1) * size]))
    return b"".join(lines)


def test_a_dask_cluster_does_the_work(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    (tmp_path / "all.ndjson").write_bytes(write_parts(tmp_path, 4, 50))
    recover_file(tmp_path / "all.ndjson", tmp_path / "alone", **SETTINGS)
    expected = (tmp_path / "alone").read_bytes()
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster.scheduler_address) as client,
    ):
        by = {"executor": client.get_executor(pure=False), **SETTINGS}
        recover_file(tmp_path / "all.ndjson", tmp_path / "out", batch_size=7, **by)
        assert (tmp_path / "out").read_bytes() == expected
        said: list[Progress] = []
        recover_file(tmp_path / "*.jsonl", tmp_path / "parts", progress=said.append, **by)
        by["segmenter"] = characters_or_worse
        (tmp_path / "bad.ndjson").write_text('{"id": "x", "source": "raise", "target": "raise"}\n')
        with pytest.raises(SegmenterError, match="^id x: function:characters_or_worse failed"):
            recover_file(tmp_path / "bad.ndjson", tmp_path / "none", **by)
    assert [now.parts for now in said] == [(done, 4) for done in range(5)]
    assert [now.records for now in said] == [0, 50, 100, 150, 200]
    parts = [(tmp_path / "parts" / f"{k}.jsonl").read_bytes() for k in range(4)]
    assert b"".join(parts) == expected


def test_ctrl_c_leaves_no_process_and_no_half_file(tmp_path: Path, signals_heeded: None) -> None:
    write_parts(tmp_path, 2, 25_000)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "cijie", "recover", str(tmp_path / "*.jsonl"), "-o", str(out)]
    command += ["--method", "p1", "--segmenter", "workers:slow_characters", "--workers", "2"]
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
    said = stderr.splitlines()[1:]
    assert said == [b"nothing is kept yet; the same command begins again", b"Aborted!"]
    assert run.returncode == 130
    assert not list(out.iterdir())
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive


def test_a_worker_that_is_killed_loses_no_part_that_is_finished(tmp_path: Path) -> None:
    (tmp_path / "all.ndjson").write_bytes(write_parts(tmp_path, 8, 150))
    command = [sys.executable, "-m", "cijie", "recover", "--method", "p1"]
    command += ["--segmenter", "workers:slow_characters"]
    out, whole = tmp_path / "out", tmp_path / "all"
    parts = [f"{tmp_path}/*.jsonl", "-o", str(out), "--workers", "2"]
    run = subprocess.Popen([*command, *parts], env=environment(), stderr=subprocess.PIPE)
    while not list(out.glob("*.journal.json")):
        time.sleep(0.02)
        assert run.poll() is None
    children = psutil.Process(run.pid).children()
    next(each for each in children if "popen_loky" in str(each.cmdline())).kill()
    _, stderr = run.communicate(timeout=60)
    *_, said = stderr.decode().splitlines()
    assert run.returncode == 1
    assert said.startswith("Error: a worker process died with exit code -9")
    assert ".jsonl" in said
    again = subprocess.run([*command, *parts], env=environment(), check=True, capture_output=True)
    assert not again.stderr.startswith(b"8 parts, 8 of them")
    subprocess.run(
        [*command, str(tmp_path / "all.ndjson"), "-o", str(whole), "-q"],
        env=environment(),
        check=True,
    )
    assert b"".join((out / f"{k}.jsonl").read_bytes() for k in range(8)) == whole.read_bytes()
    assert not list(out.glob(".*"))
    again = subprocess.run([*command, *parts], env=environment(), check=True, capture_output=True)
    assert again.stderr.startswith(b"8 parts, 0 of them to be done\n1,200 pairs\n")


def test_a_scheduler_that_is_not_there_is_an_error() -> None:
    pytest.importorskip("distributed")
    from dask import config

    with (
        config.set({"distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(WorkerError, match=r"no Dask scheduler at tcp://127\.0\.0\.1:1:"),
        dask_executor("tcp://127.0.0.1:1"),
    ):
        pass


def test_a_missing_worker_and_a_lost_scheduler_are_told(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    write_parts(tmp_path, 1, 50_000)
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
            *("cijie", "recover", str(tmp_path / "*.jsonl"), "-o", str(out), "--scheduler", url),
            *("--method", "p1", "--segmenter", "workers:slow_characters"),
        )
        assert run.stderr is not None
        said = [run.stderr.readline() for _ in range(2)]
        assert said[0] == b"no Dask worker yet; waiting for one\n"
        start("distributed.cli.dask_worker", url, "--nthreads", "1", "--no-dashboard")
        while not list(out.glob(".*.part")):
            time.sleep(0.05)
            assert run.poll() is None
        scheduler.kill()
        *_, last = run.communicate(timeout=120)[1].splitlines()
        assert (run.returncode, last) == (1, b"Error: the executor is lost or ended the run")
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
