"""The `cijie` command."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain
from typing import Any

import click
import cloup

from cijie import __version__
from cijie.cli.progress import Stopped, check_signals, heed_signals
from cijie.errors import CijieError, MissingExtraError, SegmenterError, WorkerError, printable

_SECTIONS = {
    "Recover word boundaries": ("show", "recover", "align", "segment", "demo"),
    "Score and inspect": ("evaluate", "score", "diff", "view", "m2"),
    "Files and benchmarks": ("convert", "annotate", "bench"),
    "Experiments": ("tune", "ablate", "reproduce", "train-ibm", "habits"),
    "Information": ("similarity", "config", "info"),
}
_NAMES = frozenset(chain.from_iterable(_SECTIONS.values()))
# The modules of commands that are not called like them.
_MODULES = dict.fromkeys(_SECTIONS["Experiments"], "paper") | {
    "align": "recover",
    "demo": "show",
    "diff": "view",
    "m2": "score",
    "habits": "segment",
    "similarity": "lookup",
    "config": "lookup",
    "info": "convert",
}


class _Commands(cloup.Group):
    """A group whose commands are imported on first use.

    Errors about data become one line and exit code 1; usage errors have code 2.
    """

    def list_commands(self, _: click.Context) -> list[str]:
        return sorted(_NAMES)

    def get_command(self, _: click.Context, name: str) -> Any:
        if name not in _NAMES:
            return None
        module = import_module(f"cijie.cli.{_MODULES.get(name, name)}")
        return getattr(module, name.replace("-", "_"))

    def list_sections(self, ctx: click.Context, *_: Any, **__: Any) -> list[cloup.Section]:
        return [
            cloup.Section(title, [self.get_command(ctx, name) for name in names])
            for title, names in _SECTIONS.items()
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
    except click.exceptions.NoArgsIsHelpError:
        raise  # its message is the help, in lines
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]
        raise
    except BrokenPipeError:
        raise  # click ends quietly then
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        if error.errno == errno.EBADF and not where:
            where = "a standard stream is closed: "
        raise click.ClickException(printable(f"{where}{error.strerror or error}")) from error
    except Stopped as stopped:
        click.echo("Aborted!", err=True)
        raise SystemExit(stopped.code) from None


@cloup.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cijie")
def cijie() -> None:
    """Recover the word boundaries of noisy Chinese sentences from their corrections."""


def main() -> None:
    """Run the command in a process of its own.

    A signal to end lets the command clean up; the exit code is 128 and its number then, as shells
    have it. What goes to standard output is UTF-8 in every locale, and comes from cijie alone.
    """
    heed_signals()
    _open_closed_streams()
    with _results_apart():
        cijie(prog_name="cijie")


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


@contextmanager
def _results_apart() -> Iterator[None]:
    """Give standard output its own descriptor, and let the old one lead to standard error.

    Segmenters may be in C, or start programs, whose prints must not be among the results. What
    standard output does not accept is discarded in the end; Python would try, and complain, again.
    """
    results = open(os.dup(1), "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    os.dup2(2, 1)
    sys.stdout = results
    try:
        yield
    finally:
        # click puts another stream in the place of `sys.stdout` if the reader of a pipe is gone.
        try:
            results.flush()
        except ValueError:
            pass  # it is closed
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), results.fileno())
