"""What holds for the options of every command."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from cijie.cli.main import cijie
from cijie.cli.options.base import Option


def commands(group: click.Group = cijie, *path: str) -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_a_group_of_the_help(name: str) -> None:
    options = [p for p in COMMANDS[name].params if isinstance(p, click.Option)]
    assert [option.name for option in options if not isinstance(option, Option)] == []
    shown = CliRunner().invoke(cijie, [*name.split(), "--help"]).stdout
    assert all(f"  {option.opts[0]}" in shown for option in options if not option.hidden)
    assert "--help" in shown


def test_help_lists_groups_in_one_order() -> None:
    shown = CliRunner().invoke(cijie, ["recover", "--help"]).stdout
    titles = [line for line in shown.splitlines() if line.endswith(" options:")]
    assert titles == [
        "Input options:",
        "Method options:",
        "Segmenter options:",
        "Output options:",
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
