"""Parts on a cluster: Dask distributed, its own or one that runs already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from threading import Event, Lock
from typing import Any
from uuid import uuid4

from cijie.errors import WorkerError
from cijie.extras import library
from cijie.jobs.parts import Part, Summary, recover_part
from cijie.jobs.pool import terminal_held
from cijie.jobs.work import Work


def recover_parts(
    work: Work, parts: Sequence[Part], *, scheduler: str | None = None, workers: int = 1
) -> Iterator[Summary]:
    """Recover parts, and say of each when it is finished; the order is not that of `parts`.

    A part that was being worked on when its worker died is done again by another one. A part that
    fails ends the run; those that are finished by then stay.

    Args:
        work: what to do with a batch.
        parts: the parts; workers must see the files under the same names.
        scheduler: address of a scheduler. Without one, a cluster of processes is started here.
        workers: how many processes that has.

    Raises:
        MissingExtraError: Dask is not installed.
        CijieError, SegmenterError: as `recover_part`.
        WorkerError: workers died again and again over the same part.
    """
    distributed = _library()
    with ExitStack() as stack:
        if scheduler is None:
            with terminal_held():
                cluster = distributed.LocalCluster(
                    n_workers=workers, threads_per_worker=1, dashboard_address=None
                )
            scheduler = stack.enter_context(cluster).scheduler_address
        client = stack.enter_context(distributed.Client(scheduler))
        # A plugin is set up on every worker, also on those that take the place of dead ones.
        client.register_plugin(_keeping(distributed.WorkerPlugin, work), name="cijie")
        futures = client.map(_recover, parts, key=f"recover-{uuid4().hex}", pure=False)
        try:
            for _, summary in distributed.as_completed(futures, with_results=True):
                yield summary
        except distributed.scheduler.KilledWorker as error:
            raise WorkerError(f"worker processes died over one part: {error.task}") from error
        finally:
            client.cancel(futures)


def _keeping(base: Any, work: Work) -> Any:
    """A plugin of workers that keeps what they all need, so that no task carries it along."""

    class Keeping(base):  # type: ignore[misc]
        def setup(self, worker: Any) -> None:
            # Workers may have several threads, segmenters need not stand that.
            worker.cijie = work, Lock(), Event()

        def teardown(self, worker: Any) -> None:
            worker.cijie[-1].set()  # else its part is waited for, and it is killed in the end

    return Keeping()


def _recover(part: Part) -> Summary:
    work, alone, closed = _library().get_worker().cijie
    with alone:
        return recover_part(work, part, closed)


def _library() -> Any:
    return library("distributed", "dask", what="Dask distributed")
