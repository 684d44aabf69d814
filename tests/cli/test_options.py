"""What holds for the options of every command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Literal

import click
import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.cli.options.base import Command, Option, argument, option, options


def commands(group: click.Group = cijie, *path: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        each = group.get_command(context, name)
        assert each is not None
        if isinstance(each, click.Group):
            yield from commands(each, *path, name)
        else:
            yield " ".join((*path, name)), each


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_a_group_of_the_help(name: str) -> None:
    options = [p for p in COMMANDS[name].params if isinstance(p, click.Option)]
    assert [each.name for each in options if not (each.help or each.hidden)] == []
    assert [each.name for each in options if not isinstance(each, Option)] == []
    run = partial(CliRunner().invoke, cijie)
    shown, every = (run([*name.split(), f"--help{a}"]).stdout for a in ("", "-all"))
    rare = [each for each in options if isinstance(each, Option) and each.rare]
    common = [each for each in options if each not in rare]
    assert all(f"  {each.opts[0]}" in shown for each in common if not each.hidden)
    assert not rare or all(
        f"  {x.opts[0]}" in every and f"  {x.opts[0]}" not in shown for x in rare
    )
    assert "--help" in shown
    assert ("--help-all" in shown) == bool(rare)


def test_what_most_users_need_fits_on_two_screens() -> None:
    lines = CliRunner().invoke(cijie, ["recover", "--help"], terminal_width=80).stdout.splitlines()
    assert len(lines) <= 48
    listed = [line.split()[0].rstrip(",") for line in lines if line.startswith("  -")]
    common = {"--from", "--method", "--segmenter", "-o", "--to", "--workers", "--resume"}
    assert {*common, "--on-error", "-q", "--help-all"} <= set(listed)


@options()
class Example:
    """An example.

    Attributes:
        count: How many,
            and where they end.
        names: Which.
        loud: Whether it is loud.  [default: if there is nothing else]
    """

    text: str = argument("-")
    count: int = 3
    names: tuple[Literal["a", "b"], ...] = option((), "--name -n", group="Score")
    loud: bool = option(False, rare=True)


def test_a_command_takes_values() -> None:
    taken: list[object] = []

    def example(given: Example) -> None:
        """Do something."""
        taken.append(given)

    made = Command(example)
    run = partial(CliRunner().invoke, made)
    assert run([]).exit_code == 0
    assert run(["x", "--count", "4", "--name", "a", "-n", "b", "--loud"]).exit_code == 0
    assert taken == [
        Example(),
        Example(text="x", count=4, names=("a", "b"), loud=True),
    ]
    assert run(["--name", "c"]).exit_code == 2
    help = run(["--help"]).stdout
    assert "Do something." in help
    assert "Score options:\n  -n, --name [a|b]" in help
    assert re.search(r"--count N +How many, and where they end\.  \[default: 3\]", help)
    assert "--loud" not in help


def test_help_lists_groups_in_one_order() -> None:
    shown = CliRunner().invoke(cijie, ["recover", "--help"]).stdout
    titles = [line for line in shown.splitlines() if line.endswith(" options:")]
    assert titles == [
        "Input options:",
        "Output options:",
        "Method options:",
        "Segmenter options:",
        "Running options:",
    ]


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["recover", "--method", "p1", "--method", "p2"], "--method"),
        (["segment", "-o", "a", "--output", "b"], "--output"),
        (["m2", "-orig", "a", "--orig", "b"], "--orig"),
        (["bench", "run", ".", "--methods", "p1", "--methods", "p2"], "--methods"),
    ],
)
def test_an_option_of_one_value_is_taken_once(arguments: list[str], option: str) -> None:
    result = CliRunner().invoke(cijie, arguments)
    assert result.exit_code == 2
    assert f"{option} is given 2 times" in result.stderr


def test_switches_and_options_of_many_values_may_be_repeated() -> None:
    words = ["--segmenter-option", "hmm=off", "--segmenter-option", "no=on"]
    result = CliRunner().invoke(cijie, ["segment", "-q", "-q", "--segmenter", "rjieba", *words])
    assert "unknown option of rjieba 'no'" in result.stderr


def test_a_misspelt_option_suggests_the_near_one() -> None:
    result = CliRunner().invoke(cijie, ["recover", "--treshold", "1"])
    assert result.exit_code == 2
    assert "--threshold" in result.stderr
