"""What the commands that compare systems with gold have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cijie.cli.options import INPUT
from cijie.cli.options.base import INPUT_GROUP, option
from cijie.errors import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cijie.evaluation.comparison import Comparison

pairs_option = option(
    "--pairs",
    group=INPUT_GROUP,
    type=INPUT,
    help="The file of pairs that the systems were given. It has the texts, if no other file has "
    "them, and the ids of plain lines.",
)
intersection_option = option(
    "--intersection",
    group=INPUT_GROUP,
    is_flag=True,
    help="Take only the sentences that gold and all systems have.",
)
any_target_option = option(
    "--any-target",
    group=INPUT_GROUP,
    is_flag=True,
    help="Also score results whose targets are not those that gold was made with.",
)


def echo_compared(comparison: Comparison) -> None:
    """Say on standard error how many sentences were compared, and how many were left out."""
    click.echo(counted(comparison.sentences, "sentences"), err=True)
    echo_left_out({"gold": comparison.gold_left_out})
    echo_left_out(comparison.left_out)


def echo_left_out(left_out: Mapping[str, int]) -> None:
    """Say on standard error how many sentences of each result were left out."""
    for name, count in left_out.items():
        if count:
            click.echo(f"{name}: {counted(count, 'sentences')} left out", err=True)
