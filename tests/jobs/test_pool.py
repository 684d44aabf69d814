"""Work in other processes; as starting them takes a while, one test looks at several things."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from multiprocessing import active_children
from multiprocessing.connection import Connection
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from cijie import Recoverer
from cijie.errors import FormatError, SegmenterError, WorkerError
from cijie.jobs.batches import batches
from cijie.jobs.pool import in_order, terminal_held
from cijie.jobs.recovering import BatchRecoverer
from cijie.recovery.sentence import Sentence

# In a module of its own, so that a new process can import it.
from workers import characters_or_worse, double_or_worse, environment


@pytest.fixture
def work() -> BatchRecoverer:
    return BatchRecoverer(Recoverer(characters_or_worse, "p1"), "jsonl")


def pairs(count: int, **special: str) -> list[Sentence]:
    return [Sentence(str(k), special.get(f"at{k}", f"第{k}"), f"第{k}个") for k in range(count)]


def test_several_processes_give_what_one_gives_in_its_order(work: BatchRecoverer) -> None:
    cut = list(batches(pairs(50), 3))
    alone = list(in_order(work, cut))
    assert list(in_order(work, cut, workers=2)) == alone
    assert not active_children()


def test_batches_are_read_as_they_are_needed(work: BatchRecoverer) -> None:
    asked = []

    def endless() -> Iterator[Sentence]:
        for pair in pairs(10_000):
            asked.append(pair)
            yield pair

    worked = in_order(work, batches(endless(), 2), workers=2)
    first, _ = next(worked)
    assert first.pairs[0].id == "0"
    assert len(asked) <= 20
    worked.close()
    assert not active_children()


def test_an_error_names_the_first_record_that_has_one(work: BatchRecoverer) -> None:
    cut = list(batches(pairs(40, at7="raise", at30="raise"), 3))
    ends = []
    with pytest.raises(SegmenterError, match="^id 7: function:characters_or_worse fails"):
        ends.extend(batch.end.size for batch, _ in in_order(work, cut, workers=2))
    assert ends == [3, 6]
    assert not active_children()


def test_a_worker_that_dies_is_an_error(work: BatchRecoverer) -> None:
    cut = list(batches(pairs(40, at7="die"), 3))
    said = "^a worker process died with exit code 9 while it worked on id 6 to id 8$"
    with pytest.raises(WorkerError, match=said):
        list(in_order(work, cut, workers=2))
    assert not active_children()


def test_workers_ignore_signals_to_end(work: BatchRecoverer) -> None:
    worked = in_order(work, batches(pairs(60), 3), workers=2)
    next(worked)
    for child in active_children():
        assert child.pid is not None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(child.pid, number)
    assert len(list(worked)) == 19


def test_signals_wait_while_workers_start_whatever_thread_gets_them() -> None:
    done = Event()
    thread = Thread(target=done.wait)  # it has no mask, and so takes what the main thread does not
    thread.start()
    seen = []
    # A shell ignores it for what it starts in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), terminal_held():  # noqa: PT012
            os.kill(os.getpid(), signal.SIGINT)
            sleep(0.1)
            seen.append("the end")
    finally:
        after = signal.signal(signal.SIGINT, before)
        done.set()
        thread.join()
    assert seen == ["the end"]
    assert after is signal.default_int_handler


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
        ("exit", WorkerError, r"^sys.exit\(0\) was called on exit$"),
        ("unsendable", WorkerError, "^Unsendable: unsendable: it wants two arguments$"),
        ("raise", KeyError, "raise"),
    ],
)
def test_an_error_comes_from_the_other_process(
    text: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        list(in_order(double_or_worse, ["我", text], workers=2))
    assert not active_children()


def test_an_interrupted_message_is_no_complaint(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(pipe: Connection, message: object) -> None:
        raise KeyboardInterrupt

    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    monkeypatch.setattr(Connection, "_send_bytes", interrupt)
    with pytest.raises(KeyboardInterrupt) as caught:
        list(in_order(double_or_worse, "我们", workers=2))
    caught.value.args = (caught.value,)  # a cycle, as errors are apt to be in
    del caught
    gc.collect()
    assert complaints == []
    assert not active_children()


def test_workers_that_do_not_stop_are_killed() -> None:
    worked = in_order(double_or_worse, ["我", "sleep", "sleep", "们"], workers=2)
    assert next(worked) == ("我", "我我")
    start = monotonic()
    worked.close()
    assert not active_children()
    assert monotonic() - start < 60


def test_an_iterator_that_nobody_closes_keeps_no_process() -> None:
    code = (
        "from cijie.jobs.pool import in_order; from workers import double_or_worse;"
        "worked = in_order(double_or_worse, '我们去旅行', 2); print(next(worked)[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"if __name__ == '__main__':\n    {code}"],
        env=environment(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout.decode(), done.stderr) == ("我我\n", b"")
