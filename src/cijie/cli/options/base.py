"""Options as values: fields of dataclasses that commands take as parameters; and files as such.

The docstring of a dataclass is the help of its options, as that of a function is the help of its
command.

>>> @options("Running")
... class Trials:
...     '''Random trials.
...
...     Attributes:
...         trials: Random trials of each test.
...     '''
...
...     trials: int = option(10_000, at_least=1)
>>> @Command
... def evaluate(trials: Trials) -> None:
...     "Score systems."
>>> [param.opts for param in evaluate.params]
[['--trials']]
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, dataclass, field
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import click
import cloup

from cijie.cli.settings import SETTINGS_FILE
from cijie.errors import CijieError, UsageError
from cijie.files.opening import is_many, is_url, stem_and_ending, unique_names
from cijie.files.output import behind_links
from cijie.gold.shipped import builtin_gold

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda decorator: decorator


Choice = TypeVar("Choice")

Group = Literal["Input", "Output", "Method", "Segmenter", "Noise", "Edit", "Score", "Running"]
"""The groups of options, in the order in which help lists them."""

_PARAMS = "click_params"  # of a dataclass of options: its parameters, by the names of the fields
SHOW_ALL = "cijie.help"  # in the meta of a context: help shows all options
_READING = ("--from", "--encoding", "--columns")  # errors about files name them as the remedy


@dataclass_transform(frozen_default=True, kw_only_default=True)
def options(group: Group = "Running") -> Callable[[type[Choice]], type[Choice]]:
    """Make a dataclass of options, listed by help under the title `group`.

    A field that is neither an `option` nor an `argument` is an option with that default. What help
    says of an option is in the docstring of the class, under `Attributes:`.
    """

    def decorate(made: type[Choice]) -> type[Choice]:
        listed = inspect.cleandoc(made.__doc__ or "").partition("\nAttributes:\n")[2]
        found = re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", listed, re.MULTILINE)
        helps = {name: " ".join(text.split()).replace(" [d", "  [d") for name, text in found}
        params: dict[str, click.Parameter] = {}
        for base in reversed(made.__mro__[1:]):
            params |= vars(base).get(_PARAMS, {})
        for name, kind in inspect.get_annotations(made, eval_str=True).items():
            declared = vars(made)[name]
            field = declared if isinstance(declared, Field) else option(declared)
            settings = {"group": group, "help": helps.get(name), **field.metadata}
            params[name] = _parameter(name, kind, field.default, **settings)
        setattr(made, _PARAMS, params)
        return dataclass(frozen=True, kw_only=True)(made)

    return decorate


def option(default: Any = MISSING, names: str = "", **settings: Any) -> Any:
    """Declare a field that is an option; its type and, by default, its name are those of the field.

    A `bool` is a flag, a `Literal` is one of its names, a tuple may be given several times.

    Args:
        default: the default; without one it is required.
        names: what the option is called, if not as the field: `"-o --output"`.
        settings: `group`, the title under which help lists it, if not that of the dataclass;
            `rare`, whether `--help` leaves it out, and `--help-all` alone lists it; `at_least`, the
            smallest number that it may be; others are those of `click.Option`.
    """
    return field(default=default, metadata={"names": names, **settings})


def argument(default: Any = MISSING, **settings: Any) -> Any:
    """Declare a field that is an argument; a tuple takes all remaining values.

    Args:
        default: the default; without one it is required.
        settings: see `click.Argument`.
    """
    return field(default=default, metadata={"names": None, **settings})


def refuse(parameters: Iterable[str], where: str) -> None:
    """Refuse options on the command line that would have no effect.

    Those of a --config file are left alone, as it may serve several commands and methods.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and parameter.name in parameters:
            raise click.UsageError(f"{parameter.opts[-1]} has no effect {where}")


class Option(click.Option):
    """An option under the title of its group; a rare one is listed by `--help-all` alone."""

    def __init__(self, *args: Any, group: Group, rare: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.title, self.rare = f"{group} options", rare

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return None if self.rare and SHOW_ALL not in ctx.meta else super().get_help_record(ctx)


class Command(cloup.Command):
    """A command made of a function of option dataclasses, whose docstring is the help.

    An option of one value is taken once. What the library says of wrong arguments is a usage error,
    whose exit code is 2.
    """

    def __init__(self, function: Callable[..., None]) -> None:
        kinds = inspect.get_annotations(function, eval_str=True)
        del kinds["return"]
        params = [param for kind in kinds.values() for param in getattr(kind, _PARAMS).values()]
        text = inspect.cleandoc(function.__doc__ or "")
        super().__init__(
            function.__name__.replace("_", "-"),
            params=params + [_help_all] * any(getattr(param, "rare", False) for param in params),
            help=text,
            short_help=text.partition("\n\n")[0],
        )
        self.function, self.kinds = function, kinds

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=[*args])
            for param, count in Counter(given).items():
                once = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
                if once and count > 1:
                    message = f"{param.opts[-1]} is given {count} times; use it once"
                    raise click.UsageError(message, ctx)
            if _help_all in given:
                ctx.meta[SHOW_ALL] = True
                click.echo(ctx.get_help(), color=ctx.color)
                ctx.exit()
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            many = any(getattr(param.type, "many", False) for param in self.params)
            if not many or "unexpected extra argument" not in error.message:
                raise
            hint = "quote a pattern that stands for many files: 'in/*.tsv'"
            raise click.UsageError(f"{error.message}; {hint}", ctx) from error

    def invoke(self, ctx: click.Context) -> None:
        try:
            check_files()
            values = {
                name: kind(**{field: ctx.params[field] for field in getattr(kind, _PARAMS)})
                for name, kind in self.kinds.items()
            }
            self.function(**values)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # its message begins with the usage
            raise
        except UsageError as error:
            path = ctx.meta.get(SETTINGS_FILE)
            too = f"; {path} sets options too" if path else ""
            raise click.UsageError(f"{error}{too}", ctx) from error
        except CijieError as error:
            has = {name for param in self.params for name in param.opts}
            lacking = [x for x in _READING if x in error.message and x not in has]
            if lacking:
                error.message += (
                    f"; `{ctx.command_path}` has no {' and no '.join(lacking)}: convert the file "
                    "first, with `cijie convert`"
                )
            raise

    def format_params(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        titles = [f"{group} options" for group in get_args(Group)]
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in titles}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)):
                sections[getattr(param, "title", titles[-1])].append(record)
        assert isinstance(formatter, cloup.HelpFormatter)
        formatter.write_many_sections(
            [cloup.HelpSection(*each) for each in sections.items() if each[1]]
        )


def _parameter(
    name: str,
    kind: Any,
    default: Any,
    *,
    names: str | None,
    group: Group,
    help: str | None,
    at_least: int | None = None,
    **settings: Any,
) -> click.Parameter:
    """Make the parameter of a field: an option, or without `names` an argument."""
    several = get_origin(kind) is tuple
    if several or NoneType in get_args(kind):
        kind = get_args(kind)[0]
    made: dict[str, Any] = {"required": default is MISSING}
    if names is None and several:
        made["nargs"] = -1
    elif default is not MISSING:
        made["default"] = default
    if names is None:
        return click.Argument([name], **made | settings)
    made |= {"multiple": several, "group": group, "help": help}
    made["show_default"] = default not in (MISSING, None, False, ())
    if kind is bool:
        made["is_flag"] = True
    elif get_origin(kind) is Literal:
        made["type"] = click.Choice(get_args(kind))
    elif kind in (int, float):
        made |= {"type": kind, "metavar": "N" if kind is int else "X"}
    if at_least is not None:
        made["type"] = click.IntRange(min=at_least)
        made["type"].name = "integer"  # in messages about words
    called = names.split() or [f"--{name.replace('_', '-')}"]
    return Option([*called, name], **made | settings)


_help_all = Option(
    ["--help-all"],
    is_flag=True,
    expose_value=False,
    group="Running",
    help="Show all options and exit.",
)


_STDOUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


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
GOLD_FILE = Readable(gold=True)
OUTPUT_FILE = Written()
OUTPUT_FILE_NO_DASH = Written(allow_dash=False)


def stem(path: str) -> str:
    """Return the printable name of a file without extensions: its bytes may not be UTF-8."""
    return click.format_filename(stem_and_ending(path)[0])


def check_files(outputs: Iterable[str] = (), read: Iterable[str] = ()) -> None:
    """Refuse to read standard input twice, to overwrite input, to write twice, or into no folder.

    Args:
        outputs: files to be written besides those that options name.
        read: files that are read besides those that arguments and options name.
    """
    context = click.get_current_context()
    inputs, written, folders = list(read), list(outputs), list[str]()
    for param in context.command.params:
        value = context.params.get(str(param.name))
        names = [name for name in (value if isinstance(value, tuple) else (value,)) if name]
        if param.name == "glyph_table" or getattr(param.type, "exists", False):
            inputs += names
        elif isinstance(param.type, Written):
            (folders if param.type.dir_okay else written).extend(names)
    if inputs.count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    if not any(map(is_many, inputs)):  # whose parts are written into a folder
        written += folders
    seen: set[Path] = set()
    for output in (name for name in written if name != "-"):
        if Path(output).is_dir():
            raise click.UsageError(f"expected a file, got a folder: {output}")
        if not is_url(output) and not Path(output).parent.is_dir():
            raise click.UsageError(f"{output}: the folder {Path(output).parent} does not exist")
        for path in _files(inputs) if Path(output).exists() else ():
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
            yield from path.rglob("*")
