"""Work on several cores, with results in the order of the input.

Each worker has two pipes of its own and shares nothing with the others, no lock and no queue. So a
worker that is ended or dies in the midst of a message can stop nobody else.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from threading import Event, Thread, current_thread, main_thread
from time import monotonic, sleep
from traceback import format_exc
from typing import Any, TypeVar

from cijie.errors import WorkerError

Item = TypeVar("Item")
Result = TypeVar("Result")

_WAITING = 3  # items a worker, done or not: enough that none is ever idle
_PATIENCE = 1.0  # seconds that a worker has to finish its item when it is told to stop


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int = 1
) -> Generator[tuple[Item, Result], None, None]:
    """Do the work on each item, in this process or in `workers` others; results are in order.

    Each worker is a new process (`spawn`) with a copy of `work` of its own, and so a segmenter
    where that has one. Items are read only as they are needed: memory does not grow with their
    number. When the iterator is closed or an error comes, the workers are told to stop; those that
    still work on an item after a second are killed. They also end when this process does, however
    that happens.

    Raises:
        WorkerError: a worker died; the item that it worked on is named as `str` gives it.
        Exception: whatever `work` or the reading of `items` raises, when the results before it have
            been given, as one process would.
    """
    if workers == 1:
        for item in items:
            yield item, work(item)
        return
    crew: list[_Worker] = []
    end = partial(_end, crew)
    atexit.register(end)  # else an iterator that nobody closes makes Python wait for the workers
    try:
        payload = pickle.dumps(work)
        for _ in range(workers):
            with terminal_held():
                crew.append(_start(payload))
        yield from _shared(crew, items)
    finally:
        with terminal_held():
            end()
        atexit.unregister(end)


@dataclass(slots=True, eq=False)
class _Worker:
    """A process, the pipes to and from it, and the numbers of the items that it has, in order."""

    process: SpawnProcess
    tasks: Connection
    results: Connection
    numbers: deque[int] = field(default_factory=deque)


@dataclass(frozen=True, slots=True)
class _Failed:
    """What comes instead of a result; `where` is the traceback of another process."""

    error: Exception
    where: str = ""

    def reraise(self) -> None:
        raise self.error from (WorkerError(f"\n{self.where}") if self.where else None)


def _shared(crew: list[_Worker], items: Iterable[Item]) -> Iterator[tuple[Item, Any]]:
    source = iter(items)
    given: dict[int, Item] = {}
    done: dict[int, Any] = {}
    number = 0
    last: _Failed | None = None  # what ended the reading of items
    more = True
    while True:
        while more and len(given) < _WAITING * len(crew):
            try:
                item = next(source)
            except StopIteration:
                more = False
            except Exception as error:
                more, last = False, _Failed(error)
            else:
                given[number] = item
                _send(min(crew, key=lambda worker: len(worker.numbers)), number, item)
                number += 1
        if not given:
            break
        first = next(iter(given))
        while first not in done:
            dead = _receive(crew, done)
            if dead is not None:  # an error will come; nothing more is begun
                more = False
                name = f" while it worked on {given[dead.numbers[0]]}" if dead.numbers else ""
                last = _Failed(WorkerError(f"a worker process died{_reason(dead)}{name}"))
                done |= dict.fromkeys(dead.numbers, last)
                crew.remove(dead)
                _end([dead])
        result = done.pop(first)
        if isinstance(result, _Failed):
            result.reraise()
        yield given.pop(first), result
    if last is not None:
        last.reraise()


def _send(worker: _Worker, number: int, item: object) -> None:
    worker.numbers.append(number)
    # `send` does the same with a view of a buffer. If a signal ends it, Python 3.13 complains on
    # standard error that the buffer is closed before its view.
    message = pickle.dumps((number, item))
    with suppress(OSError):  # of one that is dead, which is seen where its result is waited for
        worker.tasks.send_bytes(message)


def _receive(crew: list[_Worker], done: dict[int, Any]) -> _Worker | None:
    """Wait until a worker has something, and take it; give back a worker that has died."""
    ready = wait([worker.results for worker in crew])
    for worker in crew:
        if worker.results in ready:
            try:
                number, result = worker.results.recv()
            except (EOFError, OSError):
                return worker
            worker.numbers.remove(number)
            done[number] = result
    return None


def _reason(worker: _Worker) -> str:
    worker.process.join(_PATIENCE)
    code = worker.process.exitcode
    if code == -9:
        return ", perhaps because memory ran out,"
    return f" with exit code {code}"


def _start(payload: bytes) -> _Worker:
    context = get_context("spawn")
    theirs, tasks = context.Pipe(duplex=False)
    results, writes = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(payload, theirs, writes))
    process.start()
    # Only the worker has these now, so that a pipe ends when either process does.
    theirs.close()
    writes.close()
    return _Worker(process, tasks, results)


def _end(crew: list[_Worker]) -> None:
    """End the workers: tell them, wait, kill."""
    for worker in crew:
        worker.tasks.close()
        worker.results.close()
    deadline = monotonic() + 2 * _PATIENCE
    for worker in crew:
        worker.process.join(max(0.0, deadline - monotonic()))
        if worker.process.exitcode is None:
            worker.process.kill()
            worker.process.join()
    crew.clear()


@contextmanager
def terminal_held() -> Iterator[None]:
    """Hold signals to end back, also from processes that are started meanwhile, as they begin.

    They reach every process of a terminal or a container; the parent sees to its workers. Windows
    cannot hold them back from a process that starts: a worker that Ctrl-C meets then shows so.
    """
    held: list[int] = []
    # A mask is a thread's own, and a library's threads take what this one does not.
    before = {
        number: signal.signal(number, lambda number, _: held.append(number))
        for number in (_signals() if current_thread() is main_thread() else ())
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        with _masked():
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for came in held:
            signal.raise_signal(came)


@contextmanager
def _masked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _signals())
    try:
        # It is started with the first process otherwise, and lets SIGINT through then.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, _signals())
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _signals() -> list[signal.Signals]:
    names = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    return [signal.Signals[name] for name in names if name in signal.Signals.__members__]


# What follows runs in a worker.


def _serve(payload: bytes, tasks: Connection, results: Connection) -> None:
    """Do what comes until the parent closes its end."""
    for number in _signals():
        signal.signal(number, _ignore)  # not SIG_IGN, which what a segmenter starts would inherit
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _signals())
    inbox: SimpleQueue[Any] = SimpleQueue()
    stopped = Event()
    Thread(target=_take, args=(tasks, inbox, stopped), daemon=True).start()
    work: Callable[[Any], Any] | None = None
    while (task := inbox.get()) is not None and not stopped.is_set():
        number, item = task
        result: Any
        try:
            if work is None:
                work = pickle.loads(payload)
            result = work(item)
        except SystemExit as error:
            result = _Failed(WorkerError(f"sys.exit({error.code!r}) was called on {item}"))
        except Exception as error:
            result = _Failed(_as_sent(error), format_exc())
        try:
            results.send((number, result))
        except OSError:  # nobody reads it any more
            return


def _take(tasks: Connection, inbox: SimpleQueue[Any], stopped: Event) -> None:
    """Take tasks as they come, so that the parent never waits for work to be done to send one."""
    with closing(tasks):
        try:
            while True:
                inbox.put(tasks.recv())
        except (EOFError, OSError):
            stopped.set()
            inbox.put(None)
    sleep(_PATIENCE)
    os._exit(1)


def _as_sent(error: Exception) -> Exception:
    """An error that other processes can read."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(f"{type(error).__name__}: {error}")
    return error


def _ignore(number: int, frame: object) -> None:
    pass
