"""Work on several cores, with results in the order of the input."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from threading import Thread
from typing import Any, TypeVar

from cijie.errors import WorkerError

Item = TypeVar("Item")
Done = TypeVar("Done")

_WAITING = 3  # items a worker, done or not: enough that none is ever idle


def in_order(
    work: Callable[[Item], Done], items: Iterable[Item], workers: int = 1
) -> Iterator[tuple[Item, Done]]:
    """Do the work on each item, in this process or in `workers` others; results are in order.

    Each worker is a new process (`spawn`) with a copy of `work` of its own, and so a segmenter
    where that has one. Items are read only as they are needed: memory does not grow with their
    number. When the results are no longer wanted, or an error comes, the workers are ended at once,
    even in the midst of an item; they also end when this process does, however that happens.

    Raises:
        WorkerError: a worker died; what it worked on is named as `str` gives it.
        Exception: whatever `work` raises, for the first item that it does for.
    """
    if workers == 1:
        for item in items:
            yield item, work(item)
        return
    others = set(active_children())
    waiting: deque[tuple[Item, Future[Done]]] = deque()
    with terminal_held():
        executor = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (work,))
    with executor as pool:
        try:
            for item in items:
                with terminal_held():  # the first items start the workers
                    waiting.append((item, pool.submit(_do, item)))
                if len(waiting) == _WAITING * workers:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)
        except BrokenProcessPool as error:
            names = [str(item) for item, _ in waiting]
            raise WorkerError(
                "a worker process died, perhaps because memory ran out"
                + (f"; what it worked on is among {names[0]} … {names[-1]}" if names else "")
            ) from error
        except BaseException:
            # Running work cannot be cancelled, and may take long.
            for process in set(active_children()) - others:
                process.terminate()
            raise


@contextmanager
def terminal_held() -> Iterator[None]:
    """Hold signals of the terminal back, for good from processes that are started meanwhile.

    They reach every process of a terminal; the parent sees to its workers. Windows cannot hold
    them: a worker that Ctrl-C meets while it starts shows so.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = [signal.SIGINT, signal.SIGHUP]
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
    try:
        # It is started with the first process otherwise, and lets SIGINT through then.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, held)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _first(waiting: deque[tuple[Item, Future[Done]]]) -> tuple[Item, Done]:
    item, future = waiting[0]
    done = future.result()
    waiting.popleft()
    return item, done


# What follows runs in a worker. An executor has no other place for what its processes keep.

_kept: list[Callable[[Any], Any]] = []


def _begin(work: Callable[[Any], Any]) -> None:
    # For Windows; elsewhere workers are started with the terminal held.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _kept[:] = [work]


def _do(item: Any) -> Any:
    return _kept[0](item)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
