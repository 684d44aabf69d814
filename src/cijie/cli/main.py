"""The `cijie` command."""

from __future__ import annotations

from typing import Any

import click

from cijie import __version__
from cijie.cli.ablate import ablate
from cijie.cli.align import align
from cijie.cli.annotate import annotate
from cijie.cli.bench import bench
from cijie.cli.convert import convert
from cijie.cli.demo import demo
from cijie.cli.evaluate import evaluate
from cijie.cli.info import info
from cijie.cli.m2 import m2
from cijie.cli.recover import recover
from cijie.cli.reproduce import reproduce
from cijie.cli.segment import segment
from cijie.cli.similarity import similarity
from cijie.cli.train_ibm import train_ibm
from cijie.cli.tune import tune
from cijie.cli.view import view
from cijie.errors import CijieError, MissingExtraError, SegmenterError, WorkerError


class _Commands(click.Group):
    """Turns errors about data into one line and exit code 1; usage errors have code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (CijieError, SegmenterError, WorkerError, MissingExtraError) as error:
            raise click.ClickException(str(error)) from error
        except MemoryError as error:
            raise click.ClickException("there is not enough memory") from error
        except BrokenPipeError:
            raise  # click ends quietly then
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise click.ClickException(f"{where}{error.strerror or error}") from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cijie")
def cijie() -> None:
    """Recover the word boundaries of noisy Chinese sentences from their corrections."""


for command in (
    recover,
    align,
    segment,
    evaluate,
    view,
    bench,
    annotate,
    m2,
    convert,
    tune,
    ablate,
    reproduce,
    train_ibm,
    similarity,
    demo,
    info,
):
    cijie.add_command(command)
