"""Commands whose help lists options in groups, and which take no value twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from itertools import chain
from typing import Any

import click

from cijie.errors import CijieError, UsageError

Decorator = Callable[[Any], Any]

INPUT_GROUP = "Input"
METHOD_GROUP = "Method"
SEGMENTER_GROUP = "Segmenter"
OUTPUT_GROUP = "Output"
RUNNING_GROUP = "Running"
# The order in which help lists them; groups of one command's own stand in between.
_FIRST = (INPUT_GROUP, METHOD_GROUP, SEGMENTER_GROUP)
_LAST = (OUTPUT_GROUP, RUNNING_GROUP)
_READING = ("--from", "--encoding", "--columns")  # errors about files speak of them


class Option(click.Option):
    """An option that help lists under the title `group`."""

    def __init__(self, *args: Any, group: str = RUNNING_GROUP, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.group = group


class Command(click.Command):
    """A command with its options in groups; an option of one value is taken once.

    What the library says of wrong arguments is a usage error, whose exit code is 2.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args(args=[*args])
            for param, count in Counter(given).items():
                once = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
                if once and count > 1:
                    raise click.UsageError(f"{param.opts[-1]} is given {count} times", ctx)
        return super().parse_args(ctx, args)

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

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                # --help is an option of click.
                groups.setdefault(getattr(param, "group", RUNNING_GROUP), []).append(record)
        own = [title for title in groups if title not in _FIRST + _LAST]
        for title in (*_FIRST, *own, *_LAST):
            if title in groups:
                with formatter.section("Options" if len(groups) == 1 else f"{title} options"):
                    formatter.write_dl(groups[title])


class Group(click.Group):
    """A group of such commands, which help lists in order under titles.

    Args:
        sections: the commands under each title; those added later have no title of their own.
    """

    command_class = Command

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Sequence[click.Command]] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*args, **settings)
        self._sections = dict(sections or {})
        for command in chain(*self._sections.values()):
            self.add_command(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        listed = [*chain(*self._sections.values())]
        others = [command for command in self.commands.values() if command not in listed]
        for title, commands in [*self._sections.items(), ("Commands", others)]:
            if commands:
                with formatter.section(title):
                    formatter.write_dl([(str(each.name), _summary(each)) for each in commands])


def _summary(command: click.Command) -> str:
    """The first paragraph of a command's help."""
    return " ".join((command.help or "").partition("\n\n")[0].split())


command = partial(click.command, cls=Command)
option = partial(click.option, cls=Option)


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def grouped(argument: str, **options: Decorator) -> Decorator:
    """Options, by the names of their values, which a command takes as one mapping, `argument`."""

    def decorate(command: Any) -> Any:
        @wraps(command)
        def wrapped(**values: Any) -> Any:
            mapping = {name: values.pop(name) for name in options}
            return command(**values, **{argument: mapping})

        return together(*options.values())(wrapped)

    return decorate
