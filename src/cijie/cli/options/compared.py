"""Options for comparing results with one another or with gold, and for comparing methods."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cijie.cli.options.base import option, options, refuse
from cijie.cli.options.methods import (
    NAMES,
    OPTIONS,
    MethodChoice,
    SegmenterChoice,
    make_method,
    specified,
)
from cijie.cli.options.output import Messages
from cijie.cli.options.paths import READ_FILE_OR_STDIN
from cijie.cli.options.reading import Reading
from cijie.errors import UsageError, counted

if TYPE_CHECKING:
    from cijie.evaluation.comparison import Comparison
    from cijie.recovery.methods import RecoveryMethod
    from cijie.recovery.recoverer import Recoverer


@options("Input")
class Compared(Reading):
    """The sentences of the results to compare.

    Attributes:
        pairs: The file of pairs that the systems were given. It has the texts, if no other file has
            them, and the ids of plain lines.
        intersection: Take only the sentences that gold and all systems have.
    """

    pairs: str | None = option(None, type=READ_FILE_OR_STDIN)
    intersection: bool = False

    def settings(self) -> dict[str, Any]:
        """Return these options as arguments of the functions that compare results."""
        return {"pairs": self.pairs, "intersection": self.intersection, "options": self.options()}


@options("Input")
class Scored(Compared):
    """The sentences of the results to compare with gold.

    Attributes:
        any_target: Also score results whose targets are not those that gold was made with.
    """

    any_target: bool = False

    def settings(self) -> dict[str, Any]:
        """Return these options as arguments of the functions that score results."""
        return super().settings() | {"any_target": self.any_target}


def say_compared(messages: Messages, comparison: Comparison) -> None:
    """Print how many sentences were compared, and how many were left out."""
    messages.say(counted(comparison.sentences, "sentences"))
    left_out = {name: each.left_out for name, each in comparison.systems.items()}
    say_left_out(messages, {"gold": comparison.gold_left_out} | left_out)


def say_left_out(messages: Messages, left_out: Mapping[str, int]) -> None:
    """Print how many sentences of each result were left out."""
    for name, count in left_out.items():
        if count:
            messages.say(f"{name}: {counted(count, 'sentences')} left out")


@options("Method")
class MethodNames(MethodChoice):
    """Methods to compare, by name, with their options.

    Attributes:
        method: The methods to compare, as `cijie recover` takes them. Options of one method come
            after colons: p2:position=local:threshold=.8. Options such as --threshold are for all
            that take them.
    """

    method: str = option("p3", "--method --methods", metavar="NAME,…")

    def recoverers(self, segmenter: SegmenterChoice) -> dict[str, Recoverer]:
        """Build a recoverer for each method; they share the segmenter."""
        from cijie.recovery.recoverer import Recoverer

        used: set[str] = set()

        def chosen(specification: str) -> tuple[str, dict[str, Any]]:
            name, options = self.chosen(specification)
            used.update(options)
            return name, options

        methods = parse_methods(self.method, chosen)
        refuse(OPTIONS.keys() - used, f"on {self.method}")
        loaded = segmenter.load()
        return {name: Recoverer(loaded, method) for name, method in methods.items()}


def parse_methods(
    text: str, chosen: Callable[[str], tuple[str, dict[str, Any]]] = specified
) -> dict[str, RecoveryMethod]:
    """Parse methods by name: `direct,p1,P2=p2,gaps=p2:position=local:weights=pos=1:threshold=.99`.

    A comma separates methods where the name of one follows; options, those of `make_method`, come
    after the method, each behind a colon. A method may be given a name of its own.

    Args:
        text: the methods.
        chosen: parses a method, with its options.

    Raises:
        UsageError: an unknown method or option, or two methods of one name.

    >>> list(parse_methods("direct,P2=p2:weights=emb=.5,pos=.5:context=none:threshold=.4"))
    ['direct', 'P2']
    """
    names = "|".join(NAMES)
    methods: dict[str, RecoveryMethod] = {}
    for part in re.split(rf",(?=\s*(?:[^,:=]+=)?(?:{names})\s*(?:[:,]|$))", text):
        name, specification = part.strip(), part.strip()
        if "=" in name.partition(":")[0]:
            name, _, specification = name.partition("=")
        if name in methods:
            raise UsageError(f"duplicate method name {name!r}")
        method, options = chosen(specification)
        methods[name] = make_method(method, **options)
    return methods
