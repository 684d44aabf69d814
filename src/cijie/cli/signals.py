"""The signals that stop a command."""

from __future__ import annotations

import os
import signal
import sys
from math import inf
from time import monotonic


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
