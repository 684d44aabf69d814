"""Options for comparing results with one another or with gold, and for comparing methods."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cijie.cli.options.base import option, options
from cijie.cli.options.methods import METHODS, SegmenterChoice, make_method
from cijie.cli.options.output import Messages
from cijie.cli.options.paths import READ_FILE_OR_STDIN
from cijie.cli.options.reading import Reading
from cijie.errors import UsageError, counted

if TYPE_CHECKING:
    from cijie.evaluation.comparison import Comparison
    from cijie.recovery.methods import RecoveryMethod
    from cijie.recovery.recoverer import Recoverer


_SHORT = {"d": "direct"}
_NAMES = (*METHODS, *_SHORT)


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
class MethodNames:
    """Methods to compare, by name.

    Attributes:
        methods: The methods to compare, as `cijie recover` takes them; d is short for direct.
            Options come after colons: p2:position=local:threshold=.8.
    """

    methods: str = option("p3", metavar="NAME,…")

    def recoverers(self, segmenter: SegmenterChoice) -> dict[str, Recoverer]:
        """Build a recoverer for each method; they share the segmenter."""
        from cijie.recovery.recoverer import Recoverer

        methods, loaded = parse_methods(self.methods), segmenter.load()
        return {name: Recoverer(loaded, method) for name, method in methods.items()}


def parse_methods(text: str) -> dict[str, RecoveryMethod]:
    """Parse methods by name: `direct,p1,P2=p2,gaps=p2:position=local:weights=pos=1:threshold=.99`.

    A comma separates methods where the name of one follows; options, those of `make_method`, come
    after the method, each behind a colon. A method may be given a name of its own.

    Raises:
        UsageError: an unknown method or option, or two methods of one name.

    >>> list(parse_methods("direct,P2=p2:weights=emb=.5,pos=.5:context=none:threshold=.4"))
    ['direct', 'P2']
    """
    names = "|".join(_NAMES)
    methods: dict[str, RecoveryMethod] = {}
    for part in re.split(rf",(?=\s*(?:[^,:=]+=)?(?:{names})\s*(?:[:,]|$))", text):
        name, specification = part.strip(), part.strip()
        if "=" in name.partition(":")[0]:
            name, _, specification = name.partition("=")
        if name in methods:
            raise UsageError(f"duplicate method name {name!r}")
        methods[name] = _specified(specification)
    return methods


def _specified(specification: str) -> RecoveryMethod:
    """Parse a method with its options after colons."""
    names, *settings = specification.split(":")
    # Text after a comma that is not a known name belongs to the option before.
    method = next((name for name in names.split(",") if name not in _NAMES), names)
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"{specification!r}: expected an option NAME=VALUE, got {setting!r}")
        options[name.replace("-", "_")] = value
    try:
        if "method" in options:
            raise UsageError("unknown option 'method'")
        if "threshold" in options:
            options["threshold"] = _number(options["threshold"])
        return make_method(_SHORT.get(method, method), **options)
    except TypeError as error:  # of an unknown option
        raise UsageError(f"{specification!r}: {error}") from error


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(f"the threshold must be a number, not {text!r}") from error
