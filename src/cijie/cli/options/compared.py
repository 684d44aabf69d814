"""Options of the commands that compare results, with one another or with gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cijie.cli.options.base import option, options
from cijie.cli.options.output import Messages
from cijie.cli.options.paths import READ_FILE_OR_STDIN
from cijie.cli.options.reading import Reading
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.evaluation.comparison import Comparison


@options("Input")
class Compared(Reading):
    """Which sentences of the results are compared."""

    pairs: str | None = option(
        None,
        "The file of pairs that the systems were given. It has the texts, if no other file has "
        "them, and the ids of plain lines.",
        type=READ_FILE_OR_STDIN,
    )
    intersection: bool = option(False, "Take only the sentences that gold and all systems have.")

    def settings(self) -> dict[str, Any]:
        """These options, as functions that compare results take them."""
        return {"pairs": self.pairs, "intersection": self.intersection, "options": self.options()}


@options("Input")
class Scored(Compared):
    """Which sentences of the results are compared with gold."""

    any_target: bool = option(
        False, "Also score results whose targets are not those that gold was made with."
    )

    def settings(self) -> dict[str, Any]:
        """These options, as functions that score results take them."""
        return super().settings() | {"any_target": self.any_target}


def say_compared(messages: Messages, comparison: Comparison) -> None:
    """Say how many sentences were compared, and how many were left out."""
    messages.say(counted(comparison.sentences, "sentences"))
    say_left_out(messages, {"gold": comparison.gold_left_out})
    say_left_out(messages, comparison.left_out)


def say_left_out(messages: Messages, left_out: Mapping[str, int]) -> None:
    """Say how many sentences of each result were left out."""
    for name, count in left_out.items():
        if count:
            messages.say(f"{name}: {counted(count, 'sentences')} left out")
