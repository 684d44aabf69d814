"""Options that name pairs, and how these are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options.base import INPUT_GROUP, grouped, option
from cijie.cli.options.formats import TOLD
from cijie.cli.options.paths import INPUT, Parts
from cijie.cli.options.settings import refuse
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.corpora.reading import Sentences
    from cijie.recovery.sentence import Sentence

_OPTIONS = {
    "orig": option(
        "-orig",
        "--orig",
        group=INPUT_GROUP,
        type=INPUT,
        help="Sources, one a line (instead of PAIRS, with --cor).",
    ),
    "cor": option("-cor", "--cor", group=INPUT_GROUP, type=INPUT, help="Targets, one a line."),
    **TOLD,
    "ids": option(
        "--ids",
        group=INPUT_GROUP,
        type=click.Choice(["check", "unique", "any"]),
        default="check",
        show_default=True,
        help="If an id occurs again: check refuses it, unique makes another, any keeps it.",
    ),
    "keep_correct": option(
        "--keep-correct",
        group=INPUT_GROUP,
        is_flag=True,
        help="Also take sources without error; their target is their source.",
    ),
}
pair_options = grouped(
    "input_options", pairs=click.argument("pairs", type=INPUT, required=False), **_OPTIONS
)


class _PairParts(Parts):
    """As `Parts`, with a hint for who gives a text instead."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            message = f"{error.message} `cijie show SOURCE TARGET` takes texts."
            raise click.BadParameter(message, ctx, param) from error


part_options = grouped(
    "input_options", pairs=click.argument("pairs", type=_PairParts(), required=False), **_OPTIONS
)


def pair_file(
    pairs: str | None,
    orig: str | None,
    cor: str | None,
    format: str | None,
    encoding: str | None,
    columns: Mapping[str, str],
    ids: Any,
    keep_correct: bool,
    on_error: Any = "raise",
) -> Sentences:
    """The pairs in the file that `pair_options` name."""
    from cijie.corpora.reading import ReadOptions, read

    if (orig is None) != (cor is None):
        raise click.UsageError("--orig and --cor go together")
    if (pairs is None) == (orig is None):
        raise click.UsageError("give either PAIRS or --orig and --cor")
    if orig is not None:
        refuse(["ids", "keep_correct", "format", "columns"], "on lines of two files")
    options = ReadOptions(format, encoding, columns, ids, keep_correct, on_error)
    return read(str(pairs) if orig is None else (orig, str(cor)), "pairs", options)


def read_pairs(*, skipped: Counter[str], **input_options: Any) -> Iterator[Sentence]:
    """The pairs that `pair_options` name."""
    from cijie.corpora.reading import sentences_of

    pairs = pair_file(**input_options)
    _ = pairs.format  # so that what is wrong with it is said before anything is done

    def given() -> Iterator[Sentence]:
        yield from sentences_of(pairs)
        skipped.update(pairs.skipped)

    return given()


def read_pair_file(path: str) -> Iterator[Sentence]:
    """The pairs in a file that only names texts and ids."""
    from cijie.corpora.reading import read, sentences_of

    return sentences_of(read(path, "pairs"))


def echo_input(pairs: int, skipped: Mapping[str, int]) -> None:
    """Say on standard error how many pairs were read, and what was left out."""
    click.echo(f"{counted(pairs, 'pairs')}{left_out(skipped)}", err=True)


def left_out(skipped: Mapping[str, int]) -> str:
    """What was not read, for the end of a summary's line."""
    return "".join(f"; {counted(count, what)} left out" for what, count in sorted(skipped.items()))
