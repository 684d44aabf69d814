"""Work in other processes; as starting them takes a while, one test looks at several things."""

import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from cijie import Recoverer
from cijie.errors import SegmenterError, WorkerError
from cijie.jobs.batches import batches
from cijie.jobs.pool import in_order
from cijie.jobs.work import Work, as_jsonl
from cijie.recovery.pair import Pair

# In a module of its own, so that a new process can import it.
from workers import characters_or_worse


@pytest.fixture
def work() -> Work:
    return Work(Recoverer(characters_or_worse, "p1"), as_jsonl)


def pairs(count: int, **special: str) -> list[Pair]:
    return [Pair(str(k), special.get(f"at{k}", f"第{k}"), f"第{k}个") for k in range(count)]


def test_several_processes_give_what_one_gives_in_its_order(work: Work) -> None:
    cut = list(batches(pairs(50), 3))
    alone = list(in_order(work, cut))
    assert list(in_order(work, cut, workers=2)) == alone
    assert not active_children()


def test_batches_are_read_as_they_are_needed(work: Work) -> None:
    asked = []

    def endless() -> Iterator[Pair]:
        for pair in pairs(10_000):
            asked.append(pair)
            yield pair

    worked = in_order(work, batches(endless(), 2), workers=2)
    first, _ = next(worked)
    assert first.pairs[0].id == "0"
    assert len(asked) <= 20
    worked.close()  # type: ignore[attr-defined]
    assert not active_children()


def test_an_error_names_the_first_record_that_has_one(work: Work) -> None:
    cut = list(batches(pairs(40, at7="raise", at30="raise"), 3))
    ends = []
    with pytest.raises(SegmenterError, match="^id 7: function:characters_or_worse fails"):
        ends.extend(batch.end.pairs for batch, _ in in_order(work, cut, workers=2))
    assert ends == [3, 6]
    assert not active_children()


def test_a_worker_that_dies_is_an_error(work: Work) -> None:
    cut = list(batches(pairs(40, at7="die"), 3))
    with pytest.raises(WorkerError, match=r"died.* among id \d+ to id \d+ … id \d+ to id \d+$"):
        list(in_order(work, cut, workers=2))
    assert not active_children()


def test_workers_ignore_the_interrupt_of_a_terminal(work: Work) -> None:
    worked = in_order(work, batches(pairs(60), 3), workers=2)
    next(worked)
    for child in active_children():
        assert child.pid is not None
        os.kill(child.pid, signal.SIGINT)
    assert len(list(worked)) == 19
