"""Work in other processes; as starting them takes a while, one test looks at several things."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import active_children, get_context
from pathlib import Path
from threading import Timer
from time import monotonic, sleep
from typing import Any

import pytest

from cijie import Recoverer, recover_file
from cijie.corpora.formats import format_named
from cijie.errors import FormatError, SegmenterError, UsageError, WorkerError
from cijie.jobs.batches import BatchRecoverer, batches
from cijie.jobs.executors import in_order
from cijie.recovery.sentence import Sentence

# In a module of its own, so that a new process can import it.
from workers import characters_or_worse, double_or_worse, environment, restarted_or_late

psutil = pytest.importorskip("psutil")


@pytest.fixture
def work() -> BatchRecoverer:
    return BatchRecoverer(Recoverer(characters_or_worse, "p1"), format_named("jsonl"))


def pairs(count: int, **special: str) -> list[Sentence]:
    return [Sentence(str(k), special.get(f"at{k}", f"第{k}"), f"第{k}个") for k in range(count)]


def processes(with_word: str) -> list[Any]:
    """The processes that have a word in their command line."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess):
            if with_word in " ".join(process.cmdline()):
                found.append(process)
    return found


def workers() -> list[Any]:
    """The processes that were started to work."""
    mine = os.getpid()
    return [each for each in processes("popen_loky") if each.is_running() and each.ppid() == mine]


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    deadline = monotonic() + 5
    while active_children() or workers() or processes("3599.25"):
        assert monotonic() < deadline
        sleep(0.05)


def test_several_processes_give_what_one_gives_in_its_order(work: BatchRecoverer) -> None:
    cut = list(batches(pairs(50), 3))
    alone = list(in_order(work, cut))
    assert list(in_order(work, cut, workers=2)) == alone


@pytest.mark.parametrize(
    "make", [ThreadPoolExecutor, lambda n: ProcessPoolExecutor(n, mp_context=get_context("spawn"))]
)
def test_any_executor_does_the_work(make: Callable[[int], Executor], tmp_path: Path) -> None:
    rows = "".join(f"{k}\t第{k}次困\t第{k}次团\n" for k in range(50))
    (tmp_path / "pairs.tsv").write_text(rows, encoding="utf-8")
    settings: dict[str, Any] = {"segmenter": list, "method": "p2", "batch_size": 3}
    recover_file(tmp_path / "pairs.tsv", tmp_path / "alone", **settings)
    with make(2) as executor:
        for name in ("one", "two"):  # it stays open
            recover_file(tmp_path / "pairs.tsv", tmp_path / name, executor=executor, **settings)
            assert (tmp_path / name).read_bytes() == (tmp_path / "alone").read_bytes()


def test_batches_are_read_as_they_are_needed(work: BatchRecoverer) -> None:
    asked = []

    def endless() -> Iterator[Sentence]:
        for pair in pairs(10_000):
            asked.append(pair)
            yield pair

    worked = in_order(work, batches(endless(), 2), workers=2)
    first, _ = next(worked)
    assert str(first) == "id 0 to id 1"
    assert len(asked) <= 20
    worked.close()


def test_an_error_names_the_first_record_that_has_one(work: BatchRecoverer) -> None:
    cut = list(batches(pairs(40, at7="raise", at30="raise"), 3))
    ends = []
    with pytest.raises(SegmenterError, match="^id 7: function:characters_or_worse failed"):
        ends.extend(batch.end.size for batch, _ in in_order(work, cut, workers=2))
    assert ends == [3, 6]


def test_a_worker_that_dies_is_an_error(work: BatchRecoverer) -> None:
    cut = list(batches(pairs(40, at7="die"), 3))
    said = "^a worker process died with exit code 9 while it worked on .*id 6 to id 8"
    with pytest.raises(WorkerError, match=said):
        list(in_order(work, cut, workers=2))


@pytest.mark.parametrize("what", ["fork and die", "start and die", "half a message", "both"])
def test_a_death_is_seen_whatever_holds_the_pipes(what: str) -> None:
    said = rf"^a worker process died with exit code -?9\b.* while it worked on .*\b{what}"
    start = monotonic()
    with pytest.raises(WorkerError, match=said):
        list(in_order(double_or_worse, ["我", what, "们"], workers=2))
    assert monotonic() - start < 30


@pytest.mark.parametrize("milliseconds", range(0, 400, 50))
def test_a_worker_may_be_killed_at_any_moment(milliseconds: int) -> None:
    def kill() -> None:
        while not (found := workers()):
            sleep(0.001)
        sleep(milliseconds / 1000)
        found[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(WorkerError, match="died with exit code -9"):
        list(in_order(double_or_worse, ["我们" * 100_000] * 1000, workers=2))
    killer.join()


def test_workers_ignore_signals_to_end(work: BatchRecoverer) -> None:
    worked = in_order(work, batches(pairs(60), 3), workers=2)
    next(worked)
    for child in workers():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(child.pid, number)
    assert len(list(worked)) == 19


@pytest.mark.parametrize("seconds", [0.01, 0.1, 0.3, 1.0])
def test_an_interrupt_ends_the_work_at_any_moment(seconds: float) -> None:
    # A shell ignores it for what it starts in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    start = monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012
            timer.start()
            list(in_order(double_or_worse, ["sleep"] * 10, workers=2))
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert monotonic() - start < 30


def test_what_cannot_be_read_is_an_error_after_what_can() -> None:
    def items() -> Iterator[str]:
        yield from "我们"
        raise FormatError("not UTF-8", line=3)

    done = []
    with pytest.raises(FormatError, match="^line 3: not UTF-8"):
        done.extend(result for _, result in in_order(double_or_worse, items(), workers=2))
    assert done == ["我我", "们们"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("exit", WorkerError, r"^SystemExit\(0\) was raised on exit$"),
        ("interrupt", WorkerError, r"^KeyboardInterrupt\(\) was raised on interrupt$"),
        ("unsendable", WorkerError, "^Unsendable: unsendable: it wants two arguments$"),
        ("raise", KeyError, "raise"),
    ],
)
def test_an_error_comes_from_the_other_process(
    text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        list(in_order(double_or_worse, ["我", text], workers=2))


def test_workers_that_do_not_stop_are_killed() -> None:
    worked = in_order(double_or_worse, ["我", "sleep", "sleep", "们"], workers=2)
    assert next(worked) == ("我", "我我")
    start = monotonic()
    worked.close()
    assert monotonic() - start < 30


def test_what_cannot_be_sent_is_said_at_once() -> None:
    lock = threading.Lock()

    def locked(text: str) -> list[str]:
        with lock:
            return list(text)

    work = BatchRecoverer(Recoverer(locked, "p1"), format_named("jsonl"))
    said = "the segmenter, or the method, cannot be sent to other processes: .*lock.*; use one"
    with pytest.raises(UsageError, match=said):
        next(in_order(work, batches(pairs(9), 3), workers=2))


SCRIPT = """
import sys
from cijie import recover_file

def words(text):
    return list(text)

done = recover_file("pairs.tsv", "out.txt", workers=2, segmenter=words, method="p1", batch_size=2)
print(done.tally.coverage.pairs)
"""


@pytest.mark.parametrize("how", ["file", "standard input", "command"])
def test_a_script_needs_no_guard(tmp_path: Path, how: str) -> None:
    rows = "".join(f"{k}\t第{k}次困\t第{k}次团\n" for k in range(9))
    (tmp_path / "pairs.tsv").write_text(rows, encoding="utf-8")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    arguments = {"file": ["script.py"], "standard input": ["-"], "command": ["-c", SCRIPT]}[how]
    done = subprocess.run(
        [sys.executable, *arguments],
        input=SCRIPT if how == "standard input" else None,
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("9\n", "", 0)
    assert (tmp_path / "out.txt").read_text(encoding="utf-8").count("\n") == 9


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no safe path")
def test_no_module_of_the_working_directory_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("argparse", "pickle", "loky"):
        (tmp_path / f"{name}.py").write_text("open('was run', 'w')\n")
    monkeypatch.chdir(tmp_path)
    assert [result for _, result in in_order(double_or_worse, "我们", workers=2)] == [
        "我我",
        "们们",
    ]
    assert not Path("was run").exists()


@pytest.mark.filterwarnings("ignore:A worker (was restarted|stopped)")
def test_a_worker_that_loky_restarts_is_not_taken_for_dead() -> None:
    work = [*"12345678", "late", "late"]
    seen = [process for _, process in in_order(restarted_or_late, work, workers=2)]
    assert len(seen) == len(work)
    assert len({*seen}) > 2


@pytest.mark.filterwarnings("error:A worker (was restarted|stopped)")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_no_run_waits_for_a_manager_that_has_ended() -> None:
    """As that of loky, where its warning is an error."""
    work = [*"12345678", "late", "late"]
    with pytest.raises(WorkerError, match="a worker process died: "):
        list(in_order(restarted_or_late, work, workers=2))


def test_workers_end_when_the_run_is_killed(tmp_path: Path) -> None:
    code = "from cijie.jobs.executors import in_order; from workers import double_or_worse;"
    code += "list(in_order(double_or_worse, ['sleep'] * 4, workers=2))"
    run = subprocess.Popen([sys.executable, "-c", code], env=environment())
    children: list[Any] = []
    while len(children) < 4:
        assert run.poll() is None
        sleep(0.05)
        children = psutil.Process(run.pid).children(recursive=True)
    time.sleep(0.5)
    run.kill()
    run.wait()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive


@pytest.mark.parametrize(
    "leave", ["crew.executor._work_ids.mutex.acquire()", "given._condition.acquire()"]
)
def test_an_interrupted_run_ends_with_a_lock_that_a_signal_left_behind(leave: str) -> None:
    """As one that comes within `submit` or `wait`, right after they have taken a lock."""
    code = (
        "from time import sleep; from cijie.jobs.executors import _processes\n"
        "with _processes(2) as crew:\n"
        "    given = crew.executor.submit(sleep, 0.2)\n"
        f"    {leave}\n"
        "    raise SystemExit(7)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), timeout=60, check=False)
    assert done.returncode == 7
