"""Parts on a cluster: Dask distributed, its own or one that runs already."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Lock
from time import monotonic, sleep
from typing import Any

from cijie.errors import WorkerError
from cijie.extras import library
from cijie.jobs.journal import Journal
from cijie.jobs.parts import Part, recover_part
from cijie.jobs.pool import terminal_held
from cijie.jobs.recovering import BatchRecoverer

# Seconds between two looks at what has come, two words of a worker about its part, and two looks
# at whether there is a worker.
_POLL, _WORD, _LOOK = 0.1, 0.5, 5.0


@dataclass(frozen=True, slots=True)
class PartProgress:
    """How far the work on a part has come.

    Attributes:
        part: the part.
        records: how many of its records are done.
        journal: what became of it, when it is finished.
    """

    part: Part
    records: int
    journal: Journal | None = None


def recover_parts(
    work: BatchRecoverer,
    parts: Sequence[Part],
    run: str,
    *,
    scheduler: str | None = None,
    workers: int = 1,
) -> Iterator[PartProgress | None]:
    """Recover parts, and say now and then how far they have come; in no order.

    A part that was being worked on when its worker died is done again by another one. A part that
    fails ends the run; those that are finished by then stay.

    Args:
        work: what to do with a batch.
        parts: the parts; workers must see the files under the same names.
        run: the name of the run, for temporary files.
        scheduler: address of a scheduler. Without one, a cluster of processes is started here.
        workers: how many processes that has.

    Yields:
        What is new about a part; None when there is no worker.

    Raises:
        MissingExtraError: Dask is not installed.
        CijieError, SegmenterError: as `recover_part`.
        WorkerError: workers died again and again over the same part, or the scheduler is lost.
    """
    distributed = _library()
    if not parts:
        return
    with ExitStack() as stack:
        if scheduler is None:
            try:
                with terminal_held():
                    cluster = distributed.LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",  # None is a port that may be taken
                        silence_logs=logging.CRITICAL,  # errors of records come as ours
                    )
            except (RuntimeError, OSError, TimeoutError) as error:
                raise WorkerError(f"no Dask cluster could be started: {error}") from error
            scheduler = stack.enter_context(cluster).scheduler_address
        try:
            client = stack.enter_context(distributed.Client(scheduler))
        except OSError as error:
            raise WorkerError(f"no Dask scheduler at {scheduler}: {error}") from error
        said: SimpleQueue[tuple[int, int]] = SimpleQueue()
        client.subscribe_topic(_name(run), lambda event: said.put(event[1]))
        _register(client, _keeping(distributed.WorkerPlugin, work, run), _name(run))
        futures = client.map(_recover, parts, range(len(parts)), run=run, pure=False)
        try:
            yield from _watched(client, dict(zip(futures, parts, strict=True)), said)
        finally:
            with suppress(OSError, TimeoutError, AttributeError):  # of a scheduler that is gone
                client.cancel(futures)
                client.unregister_worker_plugin(_name(run))


def _watched(
    client: Any, parts: dict[Any, Part], said: SimpleQueue[tuple[int, int]]
) -> Iterator[PartProgress | None]:
    distributed = _library()
    in_order = list(parts.values())
    completed = distributed.as_completed(parts)
    left = len(parts)
    looked = monotonic()
    while left:
        while not said.empty():
            number, records = said.get()
            yield PartProgress(in_order[number], records)
        for future in completed.next_batch(block=False):
            part = parts[future]
            try:
                journal = future.result()
            except distributed.scheduler.KilledWorker as error:
                raise WorkerError(f"{part.input}: every worker that tried it died") from error
            except CancelledError as error:
                raise WorkerError("the Dask scheduler is lost, or ended the run") from error
            left -= 1
            yield PartProgress(part, journal.tally.records, journal)
        if monotonic() - looked > _LOOK and client.status == "running":
            looked = monotonic()
            if not client.scheduler_info()["workers"]:
                yield None
        sleep(_POLL)


def _register(client: Any, plugin: Any, name: str) -> None:
    """Set a plugin up on every worker, also on those that take the place of dead ones."""
    for left in (2, 1, 0):
        try:
            client.register_plugin(plugin, name=name)
            return
        except OSError as error:  # a worker has died meanwhile
            if not left:
                raise WorkerError(f"Dask workers cannot be reached: {error}") from error
            sleep(1.0)


def _name(run: str) -> str:
    return f"cijie-{run}"


def _keeping(base: Any, work: BatchRecoverer, run: str) -> Any:
    """A plugin of workers that keeps what a run needs there, so that no task carries it along."""

    class Keeping(base):  # type: ignore[misc]
        def setup(self, worker: Any) -> None:
            # Workers may have several threads and runs; segmenters need not stand that.
            kept = worker.__dict__.setdefault("cijie", {"alone": Lock()})
            kept[run] = work, Event()

        def teardown(self, worker: Any) -> None:
            _, closed = worker.cijie.pop(run)
            closed.set()  # else its part is waited for, and the worker is killed in the end

    return Keeping()


def _recover(part: Part, number: int, run: str) -> Journal:
    worker = _library().get_worker()
    work, closed = worker.cijie[run]
    last = -_WORD

    def say(records: int) -> None:
        nonlocal last
        if closed.is_set():
            raise WorkerError(f"{part.input}: given up")
        if monotonic() - last >= _WORD:
            last = monotonic()
            worker.log_event(_name(run), (number, records))

    with worker.cijie["alone"]:
        return recover_part(work, part, run, say)


def _library() -> Any:
    return library("distributed", "dask", what="Dask distributed")
