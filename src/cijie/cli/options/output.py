"""Options for output and messages."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from click.core import ParameterSource

from cijie.choices import FormatName, Language
from cijie.cli import progress
from cijie.cli.options.base import REQUIRED, option, options
from cijie.cli.options.paths import OUTPUT_FILE, OUTPUT_FILE_NO_DASH
from cijie.errors import printable
from cijie.signatures import short

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cijie.corpora.formats import Format, Trait
    from cijie.recovery.sentence import Field

Item = TypeVar("Item")


@options()
class Messages:
    """Messages on standard error: progress, and a summary at the end.

    Attributes:
        quiet: Show no progress and no summary.
        signature: How much of the signature to show: the names of components and a digest, or
            everything. Files have everything.
    """

    quiet: bool = option(False, "-q --quiet")
    signature: Literal["short", "long"] = option("short", rare=True)

    def say(self, *lines: object) -> None:
        """Write lines, unless --quiet is given."""
        for line in () if self.quiet else lines:
            click.echo(printable(str(line)), err=True)

    def signed(self, signature: str) -> str:
        """Return a signature as messages show it."""
        return signature if self.signature == "long" else short(signature)

    def say_next(self, *lines: str) -> None:
        """Write the next steps."""
        for before, line in zip_longest(["next: "], lines, fillvalue=" " * 6):
            self.say(before + line)

    def warn_of_nothing(self, count: int, what: str) -> None:
        """Warn about empty input."""
        if not count:
            self.say(f"warning: no {what}")

    def watch(self, items: Iterable[Item], what: str) -> Iterator[Item]:
        """Yield the items and show their number, unless --quiet is given."""
        return progress.progress(items, what, quiet=self.quiet)


@options("Output")
class OutputFile:
    """One file, or standard output.

    Attributes:
        output: Where to write.
    """

    output: str = option("-", "-o --output", type=OUTPUT_FILE, is_eager=True)

    def write(self, data: bytes | Iterable[bytes]) -> None:
        """Write the output."""
        write(self.output, data)


@options("Output")
class LanguageChoice:
    """The language of pictures and reasons.

    Attributes:
        lang: The language of pictures and reasons.  [default: en; on a terminal, zh if LC_ALL,
            LC_MESSAGES or LANG says so]
    """

    lang: Language | None = None

    def language(self) -> Language:
        """Return the language; that of the locale is for terminals alone, never for files."""
        locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
        on_terminal = getattr(self, "output", "-") == "-" and sys.stdout.isatty()
        return self.lang or ("zh" if on_terminal and locale.startswith("zh") else "en")


@options()
class Output(OutputFile, Messages):
    """One file, or standard output, and messages about it."""


def to_option(default: str = "from the name of the output, else jsonl") -> Any:
    """Declare the option --to."""
    text = f"Format of the output.  [default: {default}]"
    return option(None, help=text, group="Output", metavar="FORMAT")


@options()
class RecordOutput(Output):
    """A file of sentences, in any format."""

    to: FormatName | None = to_option()

    def format(self, fields: Sequence[Field], default: str = "jsonl") -> Format:
        """Return the format of --to, or else of the name of the output.

        Records have these fields; see `Format.check_results`.
        """
        from cijie.corpora.formats import format_to_write

        format = format_to_write(self.output, default, self.to)
        format.check_results(fields)
        return format


class _Form(click.Choice[str]):
    def __init__(self, formats: Sequence[str], hint: str) -> None:
        super().__init__(formats)
        self._hint = hint

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        return super().get_invalid_choice_message(value, ctx) + self._hint


def by_ending(formats: Sequence[str], endings: Mapping[str, str], help: str, hint: str = "") -> Any:
    """Declare the option --format, whose default depends on the extension of the output.

    Args:
        formats: the formats, the default first.
        endings: the format of each ending.
        help: what help says.
        hint: what an error about another ending or format says in the end.
    """

    def chosen(context: click.Context, parameter: click.Parameter, value: str) -> str:
        if context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT:
            return value
        ending = Path(context.params["output"]).suffix.lower()
        if ending not in ("", ".txt", *endings):
            known = ", ".join([*endings, ".txt"])
            raise click.UsageError(f"cannot write {ending}: the output ends in {known}.{hint}")
        return endings.get(ending, value)

    return option(
        formats[0],
        "--format",
        help=help,
        group="Output",
        type=_Form(formats, hint),
        show_default=f"from the output file name, else {formats[0]}",
        callback=chosen,
    )


def table_option(html: str = "") -> Any:
    """Declare the option --format of tables; `html` says what a page holds, if there is one."""
    endings = {".json": "json", ".tsv": "tsv", ".tex": "latex"}
    return by_ending(
        ["text", *endings.values(), *["html"] * bool(html)],
        endings | ({".html": "html"} if html else {}),
        "text: tables to read. json: all values. tsv: one value per line. latex: tables for "
        f"booktabs.{html}",
    )


@options()
class TableOutput(Output):
    """Tables, in a format that defaults to the extension of the output."""

    table_format: Any = table_option()

    def write_tables(self, rendered: str, signature: str) -> None:
        """Write tables that were rendered with this signature."""
        if self.output == "-" and self.table_format == "text":
            rendered = rendered.replace(signature, self.signed(signature))
        self.write(rendered.encode())


@options()
class FigureOutput(TableOutput):
    """Tables, and figures of the same.

    Attributes:
        figures: Draw the results: a .pdf, .png or .svg file; may be repeated.
    """

    figures: tuple[str, ...] = option((), "--figure", type=OUTPUT_FILE_NO_DASH, group="Output")

    def check_figures(self) -> None:
        """Refuse other extensions of figures, before the work.

        Raises:
            MissingExtraError: Matplotlib is not installed.
        """
        from cijie.pictures.figures import check_figure

        for figure in self.figures:
            check_figure(figure)

    def draw(self, made: Callable[[], Figure]) -> None:
        """Write the figures, each drawn anew."""
        from cijie.pictures.figures import save_figure

        for figure in self.figures:
            save_figure(made(), figure)


@options("Output")
class NewDirectory(Messages):
    """A directory to make.

    Attributes:
        output: The directory to make; it must not exist, or be empty.
    """

    output: str = option(REQUIRED, "-o --output", metavar="DIR", type=click.Path(file_okay=False))


@options()
class Trials:
    """The random trials of significance tests.

    Attributes:
        trials: Random trials of each significance test.
        seed: The seed of the random trials.
    """

    trials: int = option(10_000, at_least=1, rare=True)
    seed: int = option(0, at_least=0, rare=True)


@options()
class Workers:
    """Processes that share the work.

    Attributes:
        workers: Number of processes that share the work; each needs memory of its own.
    """

    workers: int = option(1, at_least=1)


def write(path: str, data: bytes | Iterable[bytes]) -> None:
    """Write a file, which takes its name when it is whole."""
    from cijie.files.output import open_output

    with open_output(path) as stream:
        if isinstance(data, bytes):
            stream.write(data)
        else:
            stream.writelines(data)


def without_place(format: Format, fields: Iterable[Trait]) -> str:
    """List the fields that a format cannot hold, for the end of a summary line."""
    lost = [field for field in fields if field not in format.holds]
    return f"; left out ({format} cannot hold them): {', '.join(lost)}" if lost else ""


def left_out(skipped: Mapping[str, int]) -> str:
    """List the counts of skipped input, for the end of a summary line."""
    from cijie.errors import counted

    return "".join(f"; {counted(count, what)} left out" for what, count in sorted(skipped.items()))
