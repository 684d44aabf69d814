"""Files and folders on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from cijie.files.opening import is_many, is_url, stem_of, unique_names

_STDOUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")
SETTINGS_FILE = "cijie.config"  # in the meta of a context: the file of its settings


class Readable(click.Path):
    """An input file or URL.

    Args:
        stdin: whether `-` stands for standard input.
        folders: whether it may be a folder, too.
        many: whether a pattern may stand for many files.
        gold: whether `builtin` is the gold that cijie ships (a file of that name is `./builtin`).
        hint: what to say besides where there is no such file.
    """

    def __init__(
        self,
        *,
        stdin: bool = True,
        folders: bool = False,
        many: bool = False,
        gold: bool = False,
        hint: str = "",
    ) -> None:
        super().__init__(exists=True, dir_okay=folders, allow_dash=stdin)
        self.many, self.gold, self.hint = many, gold, hint

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name = str(value)
        if self.gold and name == "builtin":
            from cijie.gold.shipped import builtin_gold

            return str(builtin_gold())
        if is_url(name) or (self.many and is_many(name)):
            return name
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            hint = self.hint
            if self.many and Path(name).is_dir():
                hint = f" '{name}/*.tsv', in quotes, stands for the files in it."
            raise click.BadParameter(error.message + hint, ctx, param) from error


class NamedPath(str):
    """The path of a file with a display name."""

    called: str


class Named(Readable):
    """An input file or URL, with an optional display name: NAME=FILE."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = re.fullmatch("([^=/:]+)=(.+)", str(value))
        if found is None or Path(str(value)).exists():
            return super().convert(value, param, ctx)
        path = NamedPath(super().convert(found[2], param, ctx))
        path.called = found[1]
        return path


def named(paths: Iterable[str]) -> dict[str, str]:
    """Map display names to paths; the default is the name of the file.

    Raises:
        click.UsageError: two are called the same.
    """
    paths = list(paths)
    called = [path.called for path in paths if isinstance(path, NamedPath)]
    if len(set(called)) < len(called):
        raise click.UsageError(f"duplicate names: {', '.join(sorted(called))}")
    others = iter(unique_names((x for x in paths if not isinstance(x, NamedPath)), called))
    return {x.called if isinstance(x, NamedPath) else next(others): x for x in paths}


class Written(click.Path):
    """An output file; a command checks that it can be written before it begins.

    Args:
        allow_dash: whether `-`, or a name that the system has for it, stands for standard output.
        folders: whether it may be a folder, too.
    """

    def __init__(self, *, allow_dash: bool = True, folders: bool = False) -> None:
        super().__init__(dir_okay=folders, allow_dash=allow_dash)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) in _STDOUT:  # whose descriptor is that of standard error by now
            if not self.allow_dash:
                raise click.BadParameter("cannot be standard output; name a file", ctx, param)
            value = "-"
        return super().convert(value, param, ctx)


READ_FILE = Readable(stdin=False)
READ_FILE_OR_STDIN = Readable()
NAMED_FILE_OR_STDIN = Named()
GOLD_FILE = Readable(stdin=False, gold=True)
GOLD_FILE_OR_STDIN = Readable(gold=True)
OUTPUT_FILE = Written()
OUTPUT_FILE_NO_DASH = Written(allow_dash=False)


def stem(path: str) -> str:
    """Return the printable name of a file without extensions: its bytes may not be UTF-8."""
    return click.format_filename(stem_of(path))


def check_files(outputs: Iterable[str] = (), read: Iterable[str] = ()) -> None:
    """Refuse to read standard input twice, to overwrite input, to write twice, or into no folder.

    Args:
        outputs: files to be written besides those that options name.
        read: files that are read besides those that arguments and options name.
    """
    from cijie.files.output import behind_links

    context = click.get_current_context()
    inputs: list[str] = []
    written: list[str] = []
    for param in context.command.params:
        value = context.params.get(str(param.name))
        names = [name for name in (value if isinstance(value, tuple) else (value,)) if name]
        if param.name == "glyph_table" or getattr(param.type, "exists", False):
            inputs += names
        elif isinstance(param.type, Written) and not param.type.dir_okay:
            written += names
    if inputs.count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    seen: set[Path] = set()
    for output in (*written, *outputs):
        if output == "-":
            continue
        if Path(output).is_dir():
            raise click.UsageError(f"expected a file, got a folder: {output}")
        if not is_url(output) and not Path(output).parent.is_dir():
            raise click.UsageError(f"{output}: the folder {Path(output).parent} does not exist")
        if Path(output).exists():
            for path in _files((*inputs, *read)):
                pattern = is_many(str(path)) and Path(output).absolute().match(str(path.absolute()))
                if pattern or (path.exists() and path.samefile(output)):
                    raise click.UsageError(f"{output} is an input; write to another file")
        path = behind_links(output)
        if path in seen:
            raise click.UsageError(f"{output} would be written twice; write to different files")
        seen.add(path)


def _files(names: Iterable[str]) -> Iterator[Path]:
    """Yield the files of these names, including those in folders."""
    for name in names:
        path = Path(name.removeprefix("file://"))
        yield path
        if path.is_dir():
            yield from path.iterdir()
