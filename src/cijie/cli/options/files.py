"""Options for what is read and written: sentences, tables, figures; and messages meanwhile."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from itertools import zip_longest
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click
from click.core import ParameterSource

from cijie.choices import FormatName, Language
from cijie.cli.main import check_signals
from cijie.cli.options.base import (
    OUTPUT_FILE,
    OUTPUT_FILE_NO_DASH,
    READ_FILE_OR_STDIN,
    argument,
    option,
    options,
    refuse,
)
from cijie.corpora.formats import Format, Trait, format_to_write
from cijie.corpora.reading import Purpose, ReadOptions, Sentences
from cijie.errors import counted, printable, unknown
from cijie.files.output import open_output
from cijie.pictures.figures import check_figure, save_figure
from cijie.recovery.sentence import Field
from cijie.signatures import short

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.progress import Progress

Item = TypeVar("Item")
Style = Literal["auto", "plain", "off"]
_SOON, _MINUTE = 5.0, 60.0  # until the first line, and between lines


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
        with shown(what, "off" if self.quiet else "auto") as show:
            for done, item in enumerate(items, start=1):
                yield item
                show(done)


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


@options("Output")
class FormatChoice:
    """The format of what is written.

    Attributes:
        to: Format of the output.  [default: from its name, else what the command usually writes]
    """

    to: FormatName | None = option(None, metavar="FORMAT")


@options()
class RecordOutput(FormatChoice, Output):
    """A file of sentences, in any format."""

    def format(self, fields: Sequence[Field], default: str = "jsonl") -> Format:
        """Return the format of --to, or else of the name of the output.

        Records have these fields; see `Format.check_results`.
        """
        format = format_to_write(self.output, default, self.to)
        format.check_results(fields)
        return format


def by_ending(formats: Sequence[str], endings: Mapping[str, str], help: str, hint: str = "") -> Any:
    """Declare the option --format, whose default depends on the extension of the output.

    Args:
        formats: the formats, the default first.
        endings: the format of each ending.
        help: what help says.
        hint: what an error about another ending says in the end.
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
        type=click.Choice(formats),
        show_default=f"from the output file name, else {formats[0]}",
        callback=chosen,
    )


def table_option(html: str = "") -> Any:
    """Declare the option --format of tables; `html` says what a page holds, if there is one."""
    endings = {".json": "json", ".tsv": "tsv", ".tex": "latex", ".md": "markdown"}
    return by_ending(
        ["text", *endings.values(), *["html"] * bool(html)],
        endings | ({".html": "html"} if html else {}),
        "text: tables to read. json: all values. tsv: one value per line. latex: tables for "
        f"booktabs. markdown: tables for a README.{html}",
    )


@options()
class TableOutput(Output):
    """Tables, in a format that defaults to the extension of the output."""

    table_format: Any = table_option()

    def write_tables(self, rendered: str, signature: str) -> None:
        """Write tables that were rendered with this signature."""
        if self.output == "-" and self.table_format in ("text", "markdown"):
            rendered = rendered.replace(signature, self.signed(signature))
        self.write(rendered.encode())


@options()
class FigureOutput(TableOutput):
    """Tables, and figures of the same.

    Attributes:
        figures: Draw the results: a .pdf, .png or .svg file; may be repeated.
    """

    figures: tuple[str, ...] = option((), "--figure", type=OUTPUT_FILE_NO_DASH, group="Output")

    def __post_init__(self) -> None:
        for figure in self.figures:  # before the work
            check_figure(figure)

    def draw(self, made: Callable[[], Figure]) -> None:
        """Write the figures, each drawn anew."""
        for figure in self.figures:
            save_figure(made(), figure)


@options("Output")
class NewDirectory(Messages):
    """A directory to make.

    Attributes:
        output: The directory to make; it must not exist, or be empty.
    """

    output: str = option(names="-o --output", metavar="DIR", type=click.Path(file_okay=False))


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
    return "".join(f"; {counted(count, what)} left out" for what, count in sorted(skipped.items()))


_COLUMNS = (
    *("id", "source", "target", "references", "source_tokens", "target_tokens", "words", "spans"),
    *("initial_spans", "target_spans", "status"),
)


def _columns(text: str) -> Mapping[str, str]:
    """Parse the names of a file's columns, by cijie's names for them."""
    columns = {}
    for part in text.split(","):
        name, equals, theirs = part.partition("=")
        if not equals or not theirs:
            raise click.BadParameter(f"expected NAME=COLUMN,NAME=COLUMN, got {text!r}")
        if name not in _COLUMNS:
            raise click.BadParameter(unknown("column", name, _COLUMNS))
        if name in columns:
            raise click.BadParameter(f"{name} is given twice: {text!r}")
        columns[name] = theirs
    return columns


@options("Input")
class Reading:
    """Options for reading a file of sentences.

    Attributes:
        format: Format of the input; `cijie convert --help` lists them.  [default: from its name,
            else what the command usually reads]
        encoding: The encoding of the input, such as gb18030 or utf-16.  [default: utf-8]
        columns: The names of the columns or keys for id, source, target and so on; of rows without
            a header, their numbers from 1.
        labels: Which texts in the place of a correction say that there is none: known ones such as
            没有错误 (others that look so are refused), known ones alone, or none.
    """

    format: FormatName | None = option(None, "--from", metavar="FORMAT")
    encoding: str | None = option(None, rare=True)
    columns: Mapping[str, str] | None = option(
        None, metavar="NAME=COLUMN,…", type=_columns, rare=True
    )
    labels: Literal["check", "known", "none"] = option("check", rare=True)

    def options(self, **more: Any) -> ReadOptions:
        """Return the reading options of the library, with further ones."""
        given = {"columns": self.columns or {}, "labels": self.labels, **more}
        return ReadOptions(self.format, self.encoding, **given)

    def read(self, source: str | tuple[str, ...], purpose: Purpose, **more: Any) -> Sentences:
        """Read the sentences of a file, or of parallel files of lines.

        An error about the format is raised before anything is done; many parts have each its own.
        """
        sentences = Sentences(source, purpose, self.options(**more))
        if isinstance(source, tuple) or not sentences.many:
            _ = sentences.format
        return sentences


READING = ("format", "encoding", "columns", "labels")
"""The names of the options of `Reading`."""


@options("Input")
class PairOptions(Reading):
    """Pairs: a file of them, or two parallel files of lines.

    Attributes:
        orig: Sources, one per line (instead of PAIRS, with --cor).
        cor: Targets, one per line.
        ids: Duplicate ids: check refuses them, unique renames them, any keeps them.
        keep_correct: Also read sources without a correction; their target is the source.
    """

    pairs: str | None = argument(None, type=READ_FILE_OR_STDIN)
    orig: str | None = option(None, "-orig --orig", type=READ_FILE_OR_STDIN, rare=True)
    cor: str | None = option(None, "-cor --cor", type=READ_FILE_OR_STDIN, rare=True)
    ids: Literal["check", "unique", "any"] = option("check", rare=True)
    keep_correct: bool = option(False, rare=True)

    def __post_init__(self) -> None:
        if (self.orig is None) != (self.cor is None):
            raise click.UsageError("--orig and --cor must be given together")
        if (self.pairs is None) == (self.orig is None):
            raise click.UsageError("give either PAIRS or --orig and --cor")
        if self.orig is not None:
            refuse(["ids", "columns"], "on lines of two files")

    def sentences(self, **more: Any) -> Sentences:
        """Read the pairs, with further reading options."""
        source = str(self.pairs) if self.orig is None else (self.orig, str(self.cor))
        return self.read(source, "pairs", ids=self.ids, keep_correct=self.keep_correct, **more)


@contextmanager
def shown(
    what: str, style: Style = "auto", first: str = "starting"
) -> Iterator[Callable[..., None]]:
    """Show progress on standard error: a bar on a terminal, elsewhere a line a minute.

    Yields a callback that stops the command after a signal. It takes how many are `done`, how many
    of them an earlier run did (`before`), and how much of the input they are (`share`, 0 to 1).

    Args:
        what: what is counted.
        style: `"plain"` for lines on a terminal as well, the first soon; `"off"` for nothing.
        first: what a bar shows before anything is done.
    """
    on_terminal = style == "auto" and sys.stderr is not None and sys.stderr.isatty()
    begun: tuple[float, int] | None = None  # loading a model says nothing about the rate
    due = monotonic() + (_SOON if style == "plain" else _MINUTE)
    with _bar(first) if on_terminal else nullcontext() as bar:

        def show(done: int, before: int = 0, share: float | None = None) -> None:
            nonlocal begun, due
            check_signals()
            if style == "off":
                return
            if begun is None and done > before:
                begun = monotonic(), done
            if bar and begun:
                said = _described(what, begun, done, share)
                task = bar.task_ids[0]
                bar.update(task, description=said, total=share and 1.0, completed=share or 0.0)
            elif not bar and monotonic() >= due:
                due = monotonic() + _MINUTE
                click.echo(_described(what, begun, done, share), err=True)

        yield show


def _bar(first: str) -> Progress:
    """Make a bar with one task, described as `first`; rich is loaded only where one is shown."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(first, total=None)
    return bar


def _described(what: str, begun: tuple[float, int] | None, done: int, share: float | None) -> str:
    """Describe the number done, the rate since it `begun`, percent and time left, where known."""
    start, first = begun or (monotonic(), done)
    rate = (done - first) / max(monotonic() - start, 0.001)
    said = [f"{done:,} {what}"] + [f"{rate:,.0f} a second"] * bool(rate)
    if share:
        said.append(f"{share:.0%}")
    if share and rate:
        said.append(f"{timedelta(seconds=round(done * (1 / share - 1) / rate))} left")
    return ", ".join(said)
