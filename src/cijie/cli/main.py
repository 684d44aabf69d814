"""The `cijie` command."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import inf
from time import monotonic
from typing import Any

import click

from cijie import __version__
from cijie.cli.ablate import ablate
from cijie.cli.align import align
from cijie.cli.annotate import annotate
from cijie.cli.bench import bench
from cijie.cli.config import config
from cijie.cli.convert import convert
from cijie.cli.demo import demo
from cijie.cli.diff import diff
from cijie.cli.evaluate import evaluate
from cijie.cli.habits import habits
from cijie.cli.info import info
from cijie.cli.m2 import m2
from cijie.cli.options import Group
from cijie.cli.recover import recover
from cijie.cli.reproduce import reproduce
from cijie.cli.score import score
from cijie.cli.segment import segment
from cijie.cli.show import show
from cijie.cli.similarity import similarity
from cijie.cli.train_ibm import train_ibm
from cijie.cli.tune import tune
from cijie.cli.view import view
from cijie.errors import CijieError, MissingExtraError, SegmenterError, WorkerError

# The commands by task, as help lists them.
_SECTIONS: Mapping[str, tuple[click.Command, ...]] = {
    "Recover word boundaries": (show, recover, align, segment, demo),
    "Score and look": (evaluate, score, diff, view, m2),
    "Files and benchmarks": (convert, annotate, bench),
    "Experiments": (tune, ablate, reproduce, train_ibm, habits),
    "Look something up": (similarity, config, info),
}


class _Stopped(KeyboardInterrupt):
    """A signal has come; the exit code is that of shells."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


class _Commands(Group):
    """Turns errors about data into one line and exit code 1; usage errors have code 2."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _in_one_line():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _in_one_line():
            return super().invoke(ctx)


@contextmanager
def _in_one_line() -> Iterator[None]:
    try:
        yield
    except (CijieError, SegmenterError, WorkerError, MissingExtraError) as error:
        raise click.ClickException(str(error)) from error
    except MemoryError as error:
        raise click.ClickException("there is not enough memory") from error
    except BrokenPipeError:
        raise  # click ends quietly then
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        if error.errno == errno.EBADF and not where:
            where = "a standard stream is closed: "
        raise click.ClickException(f"{where}{error.strerror or error}") from error
    except _Stopped as stopped:
        click.echo("Aborted!", err=True)
        raise SystemExit(stopped.code) from None


@click.group(
    cls=_Commands, sections=_SECTIONS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="cijie")
def cijie() -> None:
    """Recover the word boundaries of noisy Chinese sentences from their corrections."""


def main() -> None:
    """The program: the command in a process of its own.

    A signal to end lets the command clean up; the exit code is 128 and its number then, as shells
    have it. What goes to standard output is UTF-8 in every locale.
    """
    stop = _stopper()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it
            signal.signal(number, stop)
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="strict")
    try:
        cijie(prog_name="cijie")
    finally:
        _drop_unwritten()


def _open_closed_streams() -> None:
    """Open streams that were closed when Python began, so that no other file takes their place.

    What goes to standard error is dropped then. Who reads from standard input or writes to standard
    output gets the error that the system has for closed files.
    """
    for number, (name, mode, access) in enumerate(
        (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    ):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, access)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def _stopper() -> Callable[[int, object], None]:
    """A handler of signals that stops the command; one that comes twice at once stops it once."""
    last = -inf

    def stop(number: int, _: object) -> None:
        nonlocal last
        before, last = last, monotonic()
        if last - before > 1:  # `timeout` and shells send it to the group as well
            raise _Stopped(number)

    return stop


def _drop_unwritten() -> None:
    """Throw away what standard output does not take; Python would try, and complain, again."""
    try:
        sys.stdout.flush()
    except ValueError:
        pass  # it is closed
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
