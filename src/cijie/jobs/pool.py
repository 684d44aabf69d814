"""Work on several cores, with results in the order of the input."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from threading import Thread

from cijie.errors import WorkerError
from cijie.jobs.batches import Batch
from cijie.jobs.work import Done, Work

_WAITING = 3  # batches a worker, done or not: enough that none is ever idle


def in_order(
    work: Work, batches: Iterable[Batch], workers: int = 1
) -> Iterator[tuple[Batch, Done]]:
    """Do the work on each batch, in this process or in `workers` others; results are in order.

    Each worker is a new process (`spawn`) with a recoverer, and so a segmenter, of its own. Batches
    are read only as they are needed: memory does not grow with their number. When the results are
    no longer wanted, or an error comes, the workers are ended at once, even in the midst of a
    batch; they also end when this process does, however that happens.

    Raises:
        WorkerError: a worker died.
        CijieError, SegmenterError: as `work` raises them, for the first record in the input that
            does.
    """
    if workers == 1:
        for batch in batches:
            yield batch, work(batch)
        return
    others = set(active_children())
    waiting: deque[tuple[Batch, Future[Done]]] = deque()
    with terminal_held():
        executor = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (work,))
    with executor as pool:
        try:
            for batch in batches:
                with terminal_held():  # the first batches start the workers
                    waiting.append((batch, pool.submit(_do, batch)))
                if len(waiting) == _WAITING * workers:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)
        except BrokenProcessPool as error:
            ids = [pair.id for batch, _ in waiting for pair in batch.pairs]
            raise WorkerError(
                "a worker process died, perhaps because memory ran out"
                + (f"; what it worked on is between id {ids[0]} and id {ids[-1]}" if ids else "")
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


def _first(waiting: deque[tuple[Batch, Future[Done]]]) -> tuple[Batch, Done]:
    batch, future = waiting[0]
    done = future.result()
    waiting.popleft()
    return batch, done


# What follows runs in a worker. An executor has no other place for what its processes keep.

_kept: list[Work] = []


def _begin(work: Work) -> None:
    # For Windows; elsewhere workers are started with the terminal held.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _kept[:] = [work]


def _do(batch: Batch) -> Done:
    return _kept[0](batch)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
