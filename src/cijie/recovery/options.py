"""The options of recovery methods, by name; light to import, for the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, get_args

from cijie.choices import Definition, HabitsName, JoinRule, Method, Position
from cijie.errors import UsageError, check_choice, unknown
from cijie.similarity.weights import Weights


@dataclass(frozen=True, slots=True)
class MethodOption:
    """An option of recovery methods.

    Attributes:
        defaults: the default for each method that takes the option.
        choices: the possible names, if the option is limited to a few.
    """

    defaults: Mapping[str, Any]
    choices: tuple[str, ...] = ()


# P2's defaults are the paper's; P3's were chosen by cross-validation, see docs/method.md.
METHOD_OPTIONS: Mapping[str, MethodOption] = {
    "weights": MethodOption({"p2": Weights(), "p3": Weights(0.0, 0.3, 0.2, 0.5)}),
    "threshold": MethodOption({"p2": 0.85, "p3": 0.4}),
    "glyph_table": MethodOption({"p2": "builtin", "p3": "builtin"}),
    "phonology": MethodOption({"p2": "pinyin-marks", "p3": "tone-aware"}, get_args(Definition)),
    "position": MethodOption({"p2": "global", "p3": "local"}, get_args(Position)),
    "context": MethodOption({"p2": "embedded", "p3": "none"}),
    "habits": MethodOption({"p3": "builtin"}, get_args(HabitsName)),
    "min_confidence": MethodOption({"p3": 0.5}),
    "join_rule": MethodOption({"p1": "equal-length", "p2": "equal-length"}, get_args(JoinRule)),
}


def check_options(given: Iterable[str], *functions: Callable[..., Any]) -> None:
    """Reject options that neither the methods nor the functions accept.

    Raises:
        TypeError: an option is unknown; the message suggests the closest match.

    >>> check_options(["target_token"], lambda source, target_tokens=None, **options: None)
    Traceback (most recent call last):
    TypeError: unknown option 'target_token': did you mean 'target_tokens'?
    """
    others = [name for name in given if name not in METHOD_OPTIONS]
    if not others:  # the usual case; signatures take time
        return
    named = [
        parameter.name
        for function in functions
        for parameter in signature(function).parameters.values()
        if parameter.kind is not Parameter.VAR_KEYWORD
    ]
    for name in others:
        if name not in named:
            raise TypeError(unknown("option", name, [*METHOD_OPTIONS, *named]))


def with_defaults(method: Method, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a method, with defaults for those missing or None.

    Raises:
        UsageError: the method or a choice is unknown, or the method does not take an option.
        TypeError: no method has such an option.

    >>> with_defaults("p1", {})
    {'join_rule': 'equal-length'}
    >>> with_defaults("p2", {"treshold": 0.8})
    Traceback (most recent call last):
    TypeError: unknown option 'treshold': did you mean 'threshold'?
    """
    check_choice("method", method, Method)
    for name, value in given.items():
        if name not in METHOD_OPTIONS:
            raise TypeError(unknown("option", name, METHOD_OPTIONS))
        option = METHOD_OPTIONS[name]
        if value is None:
            continue
        if method not in option.defaults:
            takes = [each for each, its in METHOD_OPTIONS.items() if method in its.defaults]
            raise UsageError(
                f"the method {method} has no option {name}: it takes {', '.join(takes) or 'none'}"
            )
        if option.choices and isinstance(value, str) and value not in option.choices:
            raise UsageError(unknown(name.replace("_", " "), value, option.choices))
    return {
        name: option.defaults[method] if given.get(name) is None else given[name]
        for name, option in METHOD_OPTIONS.items()
        if method in option.defaults
    }
