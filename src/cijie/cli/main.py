"""The program `cijie`: its commands, its streams, and the signals that stop it."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from math import inf
from time import monotonic
from typing import Any

import click
import cloup

from cijie import __version__
from cijie.errors import CijieError, MissingExtraError, SegmenterError, WorkerError, printable

# The commands by task: the module of each, and its help in a line.
_SECTIONS = {
    "Recover word boundaries": {
        "show": ("show", "Show how the words of a SOURCE are recovered from a TARGET, and why."),
        "recover": ("recover", "Recover the word boundaries of the sources in PAIRS."),
        "align": ("recover", "Link the characters of the sources in PAIRS with their targets'."),
        "segment": ("convert", "Segment TEXTS, one per line, without looking at any target."),
        "demo": ("show", "Recover a handful of learner sentences and show what changed."),
    },
    "Score and inspect": {
        "evaluate": ("evaluate", "Score the segmentations of each SYSTEM against GOLD."),
        "score": ("score", "Score how each SYSTEM corrects sentences, and compare the systems."),
        "diff": ("evaluate", "Show where two results differ, and why."),
        "view": ("evaluate", "Write a page that shows the RESULTS of systems by sentence."),
        "m2": ("score", "Write the edits between sources and targets as M2, at word level."),
    },
    "Files and benchmarks": {
        "convert": ("convert", "Convert IN, a file of sentences, to OUT in another format."),
        "annotate": ("annotate", "Annotate how sources are segmented, and measure agreement."),
        "bench": ("bench", "Make benchmarks of corpora that you have, and run methods on them."),
    },
    "Experiments": {
        "tune": ("paper", "Choose P2's weights and threshold by cross-validation."),
        "ablate": ("paper", "Remove each of P2's features in turn, and score the rest."),
        "reproduce": ("paper", "Run the paper's experiments, beside the paper's figures."),
        "train-ibm": ("paper", "Train the model of the method ibm on PAIRS."),
    },
    "Information": {
        "similarity": ("lookup", "Show how similar two characters are, or list look-alikes."),
        "config": ("lookup", "Show the settings in force, and where each comes from."),
        "info": ("lookup", "Show the format of FILE, or versions, segmenters and data."),
    },
}
_MODULES = {name: its[0] for section in _SECTIONS.values() for name, its in section.items()}


class Stopped(KeyboardInterrupt):
    """A termination signal was received: the one of this number."""


class _Stopper:
    """A signal handler that stops the command, once for signals that arrive together."""

    came: int | None = None
    _last = -inf

    def __call__(self, number: int, _: object) -> None:
        before, self._last = self._last, monotonic()
        if self._last - before > 1:  # `timeout` and shells send it to the group as well
            self.came = number
            if number == signal.SIGINT and sys.stderr is not None and sys.stderr.isatty():
                os.write(2, b"\n")  # the terminal has shown ^C, in the line of what is said next
            raise Stopped(number)


def check_signals() -> None:
    """Raise `Stopped` if a signal was received: Python drops exceptions in `__del__` and callbacks.

    Raises:
        Stopped: one has come.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # one of them may be ignored
        handler = signal.getsignal(number)
        if isinstance(handler, _Stopper) and handler.came is not None:
            raise Stopped(handler.came)


class _Commands(cloup.Group):
    """A group whose commands are imported on first use.

    Errors about data become one line and exit code 1; usage errors have code 2.
    """

    def list_commands(self, _: click.Context) -> list[str]:
        return sorted(_MODULES)

    def get_command(self, _: click.Context, name: str) -> Any:
        if name not in _MODULES:
            return None
        return getattr(import_module(f"cijie.cli.{_MODULES[name]}"), name.replace("-", "_"))

    def list_sections(self, *_: Any, **__: Any) -> list[cloup.Section]:
        return [
            cloup.Section(
                title, [click.Command(name, short_help=its[1]) for name, its in each.items()]
            )
            for title, each in _SECTIONS.items()
        ]

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _in_one_line():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _in_one_line():
            result = super().invoke(ctx)
            check_signals()
            return result


@contextmanager
def _in_one_line() -> Iterator[None]:
    try:
        yield
    except (CijieError, SegmenterError, WorkerError, MissingExtraError) as error:
        raise click.ClickException(printable(str(error))) from error
    except MemoryError as error:
        raise click.ClickException(
            "out of memory; split the input, or use fewer --workers"
        ) from error
    except (click.exceptions.NoArgsIsHelpError, BrokenPipeError):
        raise  # click shows the help in lines, or ends quietly
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        if error.errno == errno.EBADF and not where:
            where = "a standard stream is closed: "
        raise click.ClickException(printable(f"{where}{error.strerror or error}")) from error
    except Stopped as stopped:
        click.echo("Aborted!", err=True)
        raise SystemExit(128 + stopped.args[0]) from None  # as shells have it


@cloup.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cijie")
def cijie() -> None:
    """Recover the word boundaries of noisy Chinese sentences from their corrections."""


def main() -> None:
    """Run the command in a process of its own.

    A signal to end lets the command clean up, unless it is ignored, as under nohup; the exit code
    is 128 and its number then, as shells have it. What goes to standard output is UTF-8 in every
    locale, and comes from cijie alone: what segmenters print, in C or from programs that they
    start, goes to standard error.
    """
    _open_closed_streams()
    stop = _Stopper()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    results = open(os.dup(1), "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    os.dup2(2, 1)
    sys.stdout = results
    try:
        cijie(prog_name="cijie")
    finally:
        # click puts another stream in the place of `sys.stdout` if the reader of a pipe is gone.
        # What is not accepted is discarded; Python would try, and complain, again.
        try:
            with suppress(ValueError):  # it is closed
                results.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), results.fileno())


def _open_closed_streams() -> None:
    """Open streams that were closed at start-up, so that no other file takes their place.

    What goes to standard error is dropped then. Reading standard input or writing standard
    output then raises the system's error for closed files.
    """
    for number, (name, mode, access) in enumerate(
        (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    ):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, access)
            if null == number:
                os.set_inheritable(null, True)  # processes that share the work need it, too
            else:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
