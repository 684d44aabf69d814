"""Options as values: fields of dataclasses that commands take as parameters.

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
>>> @command
... def evaluate(trials: Trials) -> None:
...     "Score systems."
>>> [param.opts for param in evaluate.params]
[['--trials']]
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin

import click
import cloup

from cijie.cli.options.paths import check_files
from cijie.errors import CijieError, UsageError

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_):
        return lambda decorator: decorator


Choice = TypeVar("Choice")

REQUIRED: Any = MISSING

Group = Literal["Input", "Output", "Method", "Segmenter", "Noise", "Edit", "Score", "Running"]
"""The groups of options, in the order in which help lists them."""

_MAKE = "cijie.parameter"  # in the metadata of a field: makes the parameter of a command
SHOW_ALL = "cijie.help"  # in the meta of a context: help shows all options
_READING = ("--from", "--encoding", "--columns")  # errors about files name them as the remedy


@dataclass_transform(frozen_default=True, kw_only_default=True)
def options(group: Group = "Running") -> Callable[[type[Choice]], type[Choice]]:
    """Make a dataclass of options, listed by help under the title `group`.

    A field that is neither an `option` nor an `argument` is an option with that default. What help
    says of an option is in the docstring of the class, under `Attributes:`.
    """

    def decorate(made: type[Choice]) -> type[Choice]:
        helps = _attributes(made)
        for name, kind in inspect.get_annotations(made, eval_str=True).items():
            if not isinstance(declared := vars(made)[name], Field):
                declared = option(declared)
                setattr(made, name, declared)
            keywords = declared.metadata[_MAKE].keywords
            keywords.setdefault("group", group)
            keywords.setdefault("help", helps.get(name, ""))
            keywords["kind"] = kind
        return dataclass(frozen=True, kw_only=True)(made)

    return decorate


def option(
    default: Any,
    names: str = "",
    *,
    help: str | None = None,
    group: Group | None = None,
    rare: bool = False,
    at_least: int | None = None,
    **settings: Any,
) -> Any:
    """Declare a field that is an option; its type and, by default, its name are those of the field.

    A `bool` is a flag, a `Literal` is one of its names, a tuple may be given several times.

    Args:
        default: the default, or `REQUIRED`.
        names: what the option is called, if not as the field: `"-o --output"`.
        help: what help says, if the docstring of the class does not.
        group: the title under which help lists it, if not that of the dataclass.
        rare: whether `--help` leaves it out, and `--help-all` alone lists it.
        at_least: the smallest number that it may be.
        settings: see `click.Option`.
    """
    settings["rare"] = rare
    if at_least is not None:
        settings["type"] = click.IntRange(min=at_least)
        settings["type"].name = "integer"  # in messages about words
    make = partial(_make_option, names=names.split(), default=default, settings=settings)
    given = {"help": help, "group": group}
    make.keywords.update({name: value for name, value in given.items() if value is not None})
    return field(default=default, metadata={_MAKE: make})


def argument(default: Any = REQUIRED, **settings: Any) -> Any:
    """Declare a field that is an argument; a tuple takes all remaining values.

    Args:
        default: the default, or `REQUIRED`.
        settings: see `click.Argument`.
    """
    make = partial(_make_argument, default=default, settings=settings)
    return field(default=default, metadata={_MAKE: make})


def command(function: Callable[..., None]) -> Command:
    """Make a command from a function of option dataclasses, whose docstring is the help."""
    kinds = inspect.get_annotations(function, eval_str=True)
    del kinds["return"]
    groups: dict[str, cloup.OptionGroup] = {}
    params: list[click.Parameter] = []
    for kind in kinds.values():
        params += [each.metadata[_MAKE](each.name, groups) for each in fields(kind)]

    def call(**values: Any) -> None:
        check_files()
        function(
            **{
                name: kind(**{each.name: values[each.name] for each in fields(kind)})
                for name, kind in kinds.items()
            }
        )

    text = inspect.cleandoc(function.__doc__ or "")
    return Command(
        function.__name__.replace("_", "-"),
        callback=call,
        params=sorted(params, key=_rank) + [_help_all] * any(map(_is_rare, params)),
        help=text,
        short_help=text.partition("\n\n")[0],
    )


def refuse(parameters: Iterable[str], where: str) -> None:
    """Refuse options on the command line that would have no effect.

    Those of a --config file are left alone, as it may serve several commands and methods.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and parameter.name in parameters:
            raise click.UsageError(f"{parameter.opts[-1]} has no effect {where}")


class Option(cloup.Option):
    """An option that `--help` may leave out."""

    def __init__(self, *args: Any, rare: bool = False, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.rare = rare

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        return None if self.rare and SHOW_ALL not in ctx.meta else super().get_help_record(ctx)


class Command(cloup.Command):
    """A command with its options in groups; an option of one value is taken once.

    What the library says of wrong arguments is a usage error, whose exit code is 2.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=[*args])
            for param, count in Counter(given).items():
                once = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
                if once and count > 1:
                    message = f"{param.opts[-1]} is given {count} times; use it once"
                    raise click.UsageError(message, ctx)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            many = any(getattr(param.type, "many", False) for param in self.params)
            if not many or "unexpected extra argument" not in error.message:
                raise
            hint = "quote a pattern that stands for many files: 'in/*.tsv'"
            raise click.UsageError(f"{error.message}; {hint}", ctx) from error

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise click.UsageError(str(error), ctx) from error
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
        sections: dict[str, list[tuple[str, str]]] = {}
        # --help and --help-all are in no group.
        for group in (*self.option_groups, self.get_default_option_group(ctx, True)):
            records = [record for each in group if (record := each.get_help_record(ctx))]
            title = group.title if "Running options" not in sections else "Running options"
            if records:
                sections.setdefault(title, []).extend(records)
        assert isinstance(formatter, cloup.HelpFormatter)
        formatter.write_many_sections([cloup.HelpSection(*each) for each in sections.items()])


def _make_option(
    name: str,
    groups: dict[str, cloup.OptionGroup],
    *,
    kind: Any,
    names: list[str],
    default: Any,
    group: str,
    help: str,
    settings: dict[str, Any],
) -> Option:
    kind, several = _inner(kind)
    made: dict[str, Any] = {"help": help, "multiple": several}
    if kind is bool:
        made["is_flag"] = True
    elif get_origin(kind) is Literal:
        made["type"] = click.Choice(get_args(kind))
    elif kind in (int, float):
        made |= {"type": kind, "metavar": "N" if kind is int else "X"}
    if default is MISSING:
        made["required"] = True
    else:
        made |= {"default": default, "show_default": default not in (None, False, ())}
    section = groups.setdefault(group, cloup.OptionGroup(f"{group} options"))
    names = names or [f"--{name.replace('_', '-')}"]
    return Option([*names, name], group=section, **made | settings)


def _make_argument(
    name: str, *_: object, kind: Any, default: Any, settings: dict[str, Any], **__: object
) -> click.Argument:
    required = default is MISSING
    made = {"nargs": -1} if _inner(kind)[1] else {} if required else {"default": default}
    return click.Argument([name], required=required, **made | settings)


def _attributes(made: type) -> dict[str, str]:
    """Return what the docstring of a class says of its attributes, by name."""
    listed = inspect.cleandoc(made.__doc__ or "").partition("\nAttributes:\n")[2]
    found = re.findall(r"^    (\w+): (.*(?:\n {5,}.*)*)", listed, re.MULTILINE)
    return {name: " ".join(text.split()).replace(" [default", "  [default") for name, text in found}


def _inner(kind: Any) -> tuple[Any, bool]:
    """Return the type without None, and whether several values are allowed."""
    kinds = [each for each in get_args(kind) if each is not type(None)]
    if get_origin(kind) is tuple:
        return kinds[0], True
    return (kinds[0] if type(None) in get_args(kind) else kind), False


def _rank(param: click.Parameter) -> int:
    group = getattr(param, "group", None)
    return -1 if group is None else get_args(Group).index(group.title.removesuffix(" options"))


def _is_rare(param: click.Parameter) -> bool:
    return isinstance(param, Option) and param.rare


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[SHOW_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


_help_all = Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Show all options and exit.",
)
