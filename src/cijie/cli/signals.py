"""Signals to end a command: it stops where it is, and cleans up."""

from __future__ import annotations

import signal
from math import inf
from time import monotonic


class Stopped(KeyboardInterrupt):
    """A signal has come; the exit code is that of shells."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


class _Stopper:
    """A handler that stops the command; a signal that comes twice at once stops it once."""

    def __init__(self) -> None:
        self.came: int | None = None
        self._last = -inf

    def __call__(self, number: int, _: object) -> None:
        before, self._last = self._last, monotonic()
        if self._last - before > 1:  # `timeout` and shells send it to the group as well
            self.came = number
            raise Stopped(number)


def heed_signals() -> None:
    """Let signals to end raise `Stopped` from now on, but those that are ignored, as by nohup."""
    stop = _Stopper()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)


def check_signals() -> None:
    """Stop now if a signal has come: Python drops what is raised in a `__del__` or a callback.

    Raises:
        Stopped: one has come.
    """
    for name in ("SIGINT", "SIGTERM"):  # one of them may be ignored
        handler = signal.getsignal(getattr(signal, name))
        if isinstance(handler, _Stopper) and handler.came is not None:
            raise Stopped(handler.came)
