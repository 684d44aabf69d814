"""Progress on standard error, and the signals that stop a command.

It is shown as a bar on a terminal, elsewhere as a line a minute.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from math import inf
from time import monotonic
from typing import Literal, Protocol, TypeVar

import click

Item = TypeVar("Item")
Style = Literal["auto", "plain", "off"]

_SOON, _MINUTE = 5.0, 60.0  # until the first line, and between lines


class Show(Protocol):
    """A callback that shows progress.

    Args:
        done: how many are done.
        before: how many of them were done by an earlier run.
        share: how much of the input they are, from 0 to 1; None if that is not known.
    """

    def __call__(self, done: int, before: int = 0, share: float | None = None) -> None: ...


@contextmanager
def shown(what: str, style: Style = "auto", first: str = "starting") -> Iterator[Show]:
    """Yield a callback that shows progress, and stops the command after a signal.

    Args:
        what: what is counted.
        style: `"plain"` for lines on a terminal as well, `"off"` for nothing.
        first: what a bar shows before anything is done.
    """
    if style == "off" or sys.stderr is None:
        yield _silent
        return
    bar = style == "auto" and sys.stderr.isatty()
    with _bar(what, first) if bar else nullcontext(_lines(what, style)) as show:

        def show_or_stop(done: int, before: int = 0, share: float | None = None) -> None:
            check_signals()
            show(done, before, share)

        yield show_or_stop


def progress(items: Iterable[Item], what: str, *, quiet: bool) -> Iterator[Item]:
    """Yield `items` and show their number."""
    with shown(what, "off" if quiet else "auto") as show:
        for done, item in enumerate(items, start=1):
            yield item
            show(done)


def described(what: str, seconds: float, done: int, before: int, share: float | None) -> str:
    """Describe the number done, the rate, and share and remaining time if they are known.

    >>> described("pairs", 25.0, 120_000, 20_000, 0.5)
    '120,000 pairs, 4,000 a second, 50 %, 0:00:30 left'
    """
    rate = (done - before) / max(seconds, 0.001)
    said = [f"{done:,} {what}"] + [f"{rate:,.0f} a second"] * bool(rate)
    if share:
        said.append(f"{share:.0%}".replace("%", " %"))
    if share and rate:
        said.append(f"{timedelta(seconds=round(done * (1 - share) / share / rate))} left")
    return ", ".join(said)


def _since_first(what: str) -> Callable[[int, int, float | None], str]:
    """Return a function that describes progress since the first were done.

    What comes before that, such as loading a model, says nothing about the rate.
    """
    first: tuple[float, int] | None = None

    def describe(done: int, before: int, share: float | None) -> str:
        nonlocal first
        if first is None and done > before:
            first = monotonic(), done
        start, begun = first or (monotonic(), done)
        return described(what, monotonic() - start, done, begun, share)

    return describe


def _silent(*_: object, **__: object) -> None:
    check_signals()


def _lines(what: str, style: Style) -> Show:
    describe = _since_first(what)
    due = monotonic() + (_SOON if style == "plain" else _MINUTE)

    def show(done: int, before: int = 0, share: float | None = None) -> None:
        nonlocal due
        said = describe(done, before, share)
        if monotonic() >= due:
            due = monotonic() + _MINUTE
            click.echo(said, err=True)

    return show


@contextmanager
def _bar(what: str, first: str) -> Iterator[Show]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    describe = _since_first(what)
    columns = BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(first, total=None)

        def show(done: int, before: int = 0, share: float | None = None) -> None:
            if done == before:
                return
            said = describe(done, before, share)
            bar.update(task, description=said, total=share and 1.0, completed=share or 0.0)

        yield show


class Stopped(KeyboardInterrupt):
    """A termination signal was received; the exit code is that of shells."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


class _Stopper:
    """A signal handler that stops the command, once for signals that arrive together."""

    def __init__(self) -> None:
        self.came: int | None = None
        self._last = -inf

    def __call__(self, number: int, _: object) -> None:
        before, self._last = self._last, monotonic()
        if self._last - before > 1:  # `timeout` and shells send it to the group as well
            self.came = number
            if number == signal.SIGINT and sys.stderr is not None and sys.stderr.isatty():
                os.write(2, b"\n")  # the terminal has shown ^C, in the line of what is said next
            raise Stopped(number)


def heed_signals() -> None:
    """Make termination signals raise `Stopped`, except ignored ones, as under nohup."""
    stop = _Stopper()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)


def check_signals() -> None:
    """Raise `Stopped` if a signal was received: Python drops exceptions in `__del__` and callbacks.

    Raises:
        Stopped: one has come.
    """
    for name in ("SIGINT", "SIGTERM"):  # one of them may be ignored
        handler = signal.getsignal(getattr(signal, name))
        if isinstance(handler, _Stopper) and handler.came is not None:
            raise Stopped(handler.came)
