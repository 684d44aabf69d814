"""Files and folders that are named on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from cijie.cli.options.settings import settings_file
from cijie.files.urls import is_many, is_url


class Readable(click.Path):
    """A file or a URL; or `-` for standard input, if that is allowed."""

    def __init__(self, *, dir_okay: bool = False, allow_dash: bool = True) -> None:
        super().__init__(exists=True, dir_okay=dir_okay, allow_dash=allow_dash)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if is_url(str(value)) else super().convert(value, param, ctx)


INPUT = Readable()
FILE = Readable(allow_dash=False)
OUTPUT = click.Path(dir_okay=False, allow_dash=True)


class GoldFile(click.Path):
    """A file, or `builtin` for the gold that cijie ships (a file of that name is `./builtin`)."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if value == "builtin":
            from cijie.gold.shipped import builtin_gold

            value = str(builtin_gold())
        return super().convert(value, param, ctx)


class Parts(Readable):
    """A file or a URL, or a pattern of either that stands for many."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return str(value) if is_many(str(value)) else super().convert(value, param, ctx)


class GoldParts(GoldFile, Parts):
    """As `GoldFile`, or many files, as `Parts`."""


def unique_names(paths: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """What to call the systems in files: the names of the files or folders, made unique."""
    from cijie.files.ids import file_name, id_checker

    unique = id_checker("unique", "")
    for name in taken:
        unique(name, 0)
    return [unique(file_name(path), 0) for path in paths]


def stem(path: str) -> str:
    """The name of a file without its endings, as it can be written: bytes may not be UTF-8."""
    from cijie.files.compression import stem_of

    return click.format_filename(Path(stem_of(path)).stem)


def check_output(output: str, *others: str) -> None:
    """Refuse to write over a file that is being read, or into a folder that is not there.

    What is read is what the arguments and options of the command name, and `others`.
    """
    if Path(output).is_dir():
        raise click.UsageError(f"{output} is a folder")
    if not is_url(output) and not Path(output).parent.is_dir():
        raise click.UsageError(f"there is no folder {Path(output).parent} for {output}")
    if output != "-" and Path(output).exists():
        for path in (*_inputs(), *(Path(name.removeprefix("file://")) for name in others)):
            if path.exists() and path.samefile(output):
                raise click.UsageError(f"{output} is an input; write to another file")


def check_outputs(outputs: Iterable[str | None], *others: str) -> None:
    """`check_output` for several outputs, which must be different files besides."""
    from cijie.files.output import behind_links

    seen: set[Path] = set()
    for output in outputs:
        if output is None or output == "-":
            continue
        check_output(output, *others)
        path = behind_links(output)
        if path in seen:
            raise click.UsageError(f"{output} is to be written twice")
        seen.add(path)


def _inputs() -> Iterator[Path]:
    """The files that the command which runs was told to read, those in folders included."""
    context = click.get_current_context()
    for param in context.command.params:
        value = context.params.get(str(param.name))
        if param.name == "config":
            value = settings_file(context)
        elif param.name != "glyph_table" and not getattr(param.type, "exists", False):
            continue
        for name in value if isinstance(value, tuple) else (value,):
            if name is not None:
                yield Path(name)
                if Path(name).is_dir():
                    yield from Path(name).iterdir()
