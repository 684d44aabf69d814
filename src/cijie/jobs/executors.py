"""Work on any executor of `concurrent.futures`, with results in the order of the items.

The task is pickled once, is sent along with every item, and is unpickled once in every
process that does it. So all executors work the same way: processes of loky on this machine, or an
executor of the user's.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
import signal
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from threading import Lock, Thread
from time import sleep
from traceback import format_exc
from typing import Any, TypeVar

from cijie.errors import UsageError, WorkerError
from cijie.extras import library

Item = TypeVar("Item")
Result = TypeVar("Result")

_YOUNGEST = 50_000  # allocations before a collection; Python's default is 700 or 2,000
_WAITING = 3  # items a process, done or not: enough that none is ever idle
_AHEAD = 128  # items of unknown size that an executor is given
_LOOK = 1.0  # seconds between two looks at whether the processes live
_START, _END = 60.0, 3.0  # seconds that processes have to start and to end


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int = 1,
    executor: Executor | None = None,
) -> Generator[tuple[Item, Result], None, None]:
    """Process each item, in this process or in others; yield results in order.

    Items are read only as they are needed: memory does not grow with their number.

    Args:
        work: what to do.
        items: the items to process; an error names an item as `str` gives it.
        workers: how many processes of this machine do it. If it is 1, this process does.
        executor: who does it instead; it stays open.

    Raises:
        UsageError: the work cannot be sent to other processes.
        WorkerError: a worker died, and the items that it may have worked on.
        Exception: whatever `work` or the reading of `items` raises, when the results before it have
            been given, as one process would.
    """
    if workers == 1 and executor is None:
        before = gc.get_threshold()
        gc.set_threshold(before[0] and max(before[0], _YOUNGEST), *before[1:])
        try:
            for item in items:
                yield item, work(item)
        finally:
            gc.set_threshold(*before)
        return
    task = _pickled(work)
    hired = _processes(workers) if executor is None else nullcontext(_Crew(executor))
    with hired as crew:
        yield from _shared(crew, partial(_submitted, crew.executor, task), items)


@dataclass(frozen=True, slots=True)
class _Failed:
    """A failure in place of a result; `where` is the traceback of the other process."""

    error: Exception
    where: str


@dataclass(frozen=True, slots=True)
class _Crew:
    """An executor and its limits.

    Args:
        executor: the executor that runs the work.
        ahead: how many items it is given at once.
        dead: says how a process died, if one has, whether or not the executor has seen it.
        at_once: how many items it works on at once, if that is known.
        stays: whether it goes on when this is over.
    """

    executor: Executor
    ahead: int = _AHEAD
    dead: Callable[[], str] = str
    at_once: int = 1
    stays: bool = True


def _shared(
    crew: _Crew, submitted: Callable[[Item], tuple[Item, Future[Any]]], items: Iterable[Item]
) -> Iterator[tuple[Item, Any]]:
    more = map(submitted, items)
    given: deque[tuple[Item, Future[Any]]] = deque()
    last: Exception | None = None  # what ended the reading of items
    try:
        while True:
            try:
                given.extend(islice(more, crew.ahead - len(given)))
            except Exception as error:
                more, last = map(submitted, ()), error
            if not given:
                break
            result = _result(crew, given)
            yield given.popleft()[0], result
    finally:
        if crew.stays:
            for _, future in given:
                future.cancel()
    if last is not None:
        raise last


def _submitted(executor: Executor, task: bytes, item: Item) -> tuple[Item, Future[Any]]:
    try:
        return item, executor.submit(_do, task, item)
    except Exception as error:  # it is broken or closed: what comes before is given first
        failed: Future[Any] = Future()
        failed.set_exception(error)
        return item, failed


def _result(crew: _Crew, given: Sequence[tuple[object, Future[Any]]]) -> Any:
    """Return the result of the first item, when it is done."""
    item, future = given[0]
    dead = ""
    while not wait([future], _LOOK).done:
        # Executors see that themselves, but not if one died in the midst of a message.
        if dead and crew.dead():
            raise WorkerError(f"a worker process died{dead}{_worked_on(crew, given)}")
        dead = crew.dead()
    try:
        result = future.result()
    except BrokenExecutor as error:
        code = re.search(r"\((-?\d+)\)", str(error))
        how = _how(int(code[1])) if code else f": {str(error).strip().splitlines()[0]}"
        raise WorkerError(f"a worker process died{how}{_worked_on(crew, given)}") from error
    except CancelledError as error:
        raise WorkerError("the executor is lost or ended the run") from error
    except Exception as error:
        what = str(error).partition("\n")[0]
        raise WorkerError(f"{item}: the executor failed: {what}") from error
    if isinstance(result, _Failed):
        raise result.error from WorkerError(f"\n{result.where}")
    return result


def _how(code: int) -> str:
    why = ", perhaps because memory ran out," if code == -9 else ""
    return f" with exit code {code}{why}"


def _worked_on(crew: _Crew, given: Iterable[tuple[object, Future[Any]]]) -> str:
    """List the items that a dead process may have worked on: they are submitted in order."""
    left = (str(x) for x, its in given if not its.done() or its.cancelled() or its.exception())
    return f" while it worked on {' or on '.join(islice(left, crew.at_once))}"


def _pickled(work: object) -> bytes:
    import cloudpickle  # which also takes functions without a module to import them from

    try:
        content: bytes = cloudpickle.dumps(work)
    except Exception as error:
        raise UsageError(
            f"the segmenter, or the method, cannot be sent to other processes: {error}; "
            "use one process, or give the segmenter by name, as 'module:function'"
        ) from error
    return content


@contextmanager
def dask_executor(address: str, waiting: Callable[[], object] = int) -> Iterator[Executor]:
    """Yield an executor whose work the workers of a Dask scheduler do.

    Args:
        address: the address of the scheduler, such as `tcp://head:8786`.
        waiting: called if the scheduler has no worker yet.

    Raises:
        MissingExtraError: Dask distributed is not installed.
        WorkerError: the scheduler cannot be reached.
    """
    distributed = library("distributed", "dask", what="Dask distributed")
    try:
        client = distributed.Client(address)
    except OSError as error:
        raise WorkerError(f"no Dask scheduler at {address}: {error}") from error
    with client:
        if not client.nthreads():
            waiting()
        yield client.get_executor(pure=False)


@contextmanager
def _processes(workers: int) -> Iterator[_Crew]:
    """Yield processes of loky, started and ended by threads that receive no signals.

    The main thread can always be interrupted, even while these threads wait; the processes start
    with the terminal's signals blocked.
    """
    start: Future[Any] = Future()
    known: dict[int, Any] = {}
    kill = True

    def live() -> list[Any]:
        now = dict(start.result()._processes)  # which omits those that loky has ended
        known.update(now)
        return list(now.values())

    def dead() -> str:
        codes = (process.exitcode for process in live() if process.exitcode is not None)
        manager = start.result()._executor_manager_thread
        ended = manager is not None and not manager.is_alive()  # as by a warning that is an error
        return next(map(_how, codes), ": the thread of loky that manages it has ended" * ended)

    def end() -> None:
        executor = start.result()  # perhaps they are still being started
        live()
        executor.shutdown(wait=True, kill_workers=kill)

    try:
        _apart(partial(_start, workers), start, _START)
        if not start.done():
            raise WorkerError(f"worker processes did not start within {_START:.0f} seconds")
        live()
        yield _Crew(start.result(), _WAITING * workers, dead, workers, stays=False)
        kill = False
    finally:
        # loky alone waits for ever if a process was killed in the midst of a message: it keeps the
        # other end of the pipe that it reads from open itself.
        ended: Future[Any] = Future()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # loky kills with pgrep, if there is one
            _apart(end, ended, _END)
            _kill("killpg", [*known])  # what they have started, too
            if not ended.done() and start.done():
                _kill("kill", [*known])
                if results := start.result()._result_queue:
                    results._writer.close()
                wait([ended], _END)
        if not ended.done() and start.done():
            _abandon(start.result())


def _abandon(executor: Any) -> None:
    """Let Python end without the threads of loky.

    They wait for ever for a lock that this thread holds, if a signal raised an error here right
    after `queue.Queue` or a future had taken it.
    """
    from loky import process_executor

    process_executor._threads_wakeups.pop(executor._executor_manager_thread, None)
    executor._call_queue.cancel_join_thread()


def _kill(how: str, pids: Iterable[int]) -> None:
    for pid in pids:
        with suppress(OSError, AttributeError):  # it is gone, or the system has no such thing
            getattr(os, how)(pid, signal.SIGKILL)


def _start(workers: int) -> Any:
    from multiprocessing import resource_tracker

    from loky import ProcessPoolExecutor
    from loky.backend import resource_tracker as of_loky

    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"  # else modules of the working directory are found first
    try:
        # They are started with the first process otherwise, and let signals through then.
        resource_tracker.ensure_running()
        of_loky.ensure_running()
        _mask("SIG_BLOCK")
        executor = ProcessPoolExecutor(
            workers,
            initializer=_begin,
            initargs=(os.getpid(), before),
            env={"PYTHONSAFEPATH": "1"},  # of those that loky starts in the place of others, too
        )
        # A call would start them, too, but loky restarts those that grow after their first one,
        # as with a model.
        executor._ensure_executor_running()
    finally:
        _restore(before)
    return executor


def _restore(before: str | None) -> None:
    os.environ.pop("PYTHONSAFEPATH", None)
    if before is not None:
        os.environ["PYTHONSAFEPATH"] = before


def _apart(function: Callable[[], object], outcome: Future[Any], seconds: float) -> None:
    """Call a function in a thread that receives no signals, and wait for it with a timeout."""

    def call() -> None:
        _mask("SIG_BLOCK")
        try:
            outcome.set_result(function())
        except BaseException as error:
            outcome.set_exception(error)

    Thread(target=call, daemon=True).start()
    wait([outcome], seconds)


def _mask(how: str) -> None:
    """Block or unblock the termination signals for this thread and its children."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(getattr(signal, how), _signals())


def _signals() -> list[signal.Signals]:
    names = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    return [signal.Signals[name] for name in names if name in signal.Signals.__members__]


# What follows runs in a worker.


_ALONE = Lock()  # workers of Dask may have several threads, and segmenters need not stand that


def _do(task: bytes, item: Any) -> Any:
    """Process one item. Never raise: executors differ in how they handle errors."""
    try:
        with _ALONE:
            return _unpickled(task)(item)
    except Exception as error:
        return _Failed(_as_sent(error), format_exc())
    except BaseException as error:
        name = f"{type(error).__name__}({', '.join(map(repr, error.args))})"
        return _Failed(WorkerError(f"{name} was raised on {item}"), format_exc())


@lru_cache(maxsize=1)
def _unpickled(task: bytes) -> Callable[[Any], Any]:
    try:
        work: Callable[[Any], Any] = pickle.loads(task)
    except Exception as error:
        raise WorkerError(f"a worker cannot read the work that it is sent: {error}") from error
    return work


def _as_sent(error: Exception) -> Exception:
    """Convert an error to one that other processes can unpickle."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(f"{type(error).__name__}: {error}")
    return error


def _begin(parent: int, safe_path: str | None) -> None:
    """Set up a new process: it obeys its parent alone; its children inherit no pipes."""
    for number in _signals():
        signal.signal(number, _ignore)  # not SIG_IGN, which what a segmenter starts would inherit
    _mask("SIG_UNBLOCK")
    gc.set_threshold(_YOUNGEST)
    _restore(safe_path)
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)  # so that the parent can kill what it starts, even if it is dead
    with suppress(OSError):  # where there is no such folder
        pipes = [int(path.name) for path in Path("/dev/fd").iterdir() if int(path.name) > 2]
        os.register_at_fork(after_in_child=partial(_let_go, pipes))
        for pipe in pipes:
            with suppress(OSError):  # that of the listing is closed
                os.set_inheritable(pipe, False)
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _ignore(number: int, frame: object) -> None:
    pass


def _let_go(pipes: Iterable[int]) -> None:
    """Close pipes in a forked process; their descriptors stay taken.

    It would keep them open when its parent dies, and their readers would not notice.
    """
    null = os.open(os.devnull, os.O_RDWR)
    for pipe in pipes:
        if pipe != null:
            os.dup2(null, pipe, inheritable=False)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        sleep(_LOOK)
    os._exit(1)
