"""Options of methods, as `cijie.recovery.options` declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from cijie.choices import JoinRule, Method
from cijie.cli.options.base import option, options, refuse
from cijie.cli.options.paths import SETTINGS_FILE
from cijie.errors import UsageError
from cijie.recovery.options import METHOD_OPTIONS, MethodOption

if TYPE_CHECKING:
    from cijie.alignment.residual import ResidualAligner
    from cijie.recovery.methods import RecoveryMethod
    from cijie.recovery.recoverer import Recoverer
    from cijie.segmenters import Segmenter
    from cijie.similarity.features import Feature

# The paper's IBM-style aligner has a model of its own, so the library takes it as an object, not by
# a name. Commands name it as they name the library's methods.
METHODS = (*get_args(Method), "ibm")
OPTIONS: Mapping[str, MethodOption] = {
    **METHOD_OPTIONS,
    "ibm_model": MethodOption({"ibm": None}),
    "join_rule": replace(
        METHOD_OPTIONS["join_rule"],
        defaults={**METHOD_OPTIONS["join_rule"].defaults, "ibm": "equal-length"},
    ),
}
_SHORT = {"d": "direct"}
_NAMES = (*METHODS, *_SHORT)
_HELP = {
    "weights": "Weights of the features; the weight of one that is not named is 0.",
    "threshold": "A residual link needs a score above this.",
    "glyph_table": "builtin, literal, identity, or a CSV file CharA,CharB,similarity.",
    "phonology": "How alike characters sound: by pinyin with tone marks, as in the paper, or with "
    "tone numbers, or by what learners confuse.",
    "position": "global: where characters stand in their sentences, as in the paper. local: where "
    "they stand in the gap between anchors.",
    "context": "What gives characters their vectors: embedded, none, or the name or directory of a "
    "transformers model.",
    "habits": "How the segmenter cuts strings: builtin (wapic), none, or a file of `cijie habits`; "
    "run, with `cijie recover`, counts the run itself first.",
    "min_confidence": "How probable it must be that a change is right.",
    "ibm_model": "The model of the method ibm, from `cijie train-ibm`.",
    "join_rule": "What a target word joins. equal-length: a span as long as the word, if all its "
    "characters are linked to it. contiguous: the span that its linked characters cover. "
    "endpoints: all from its first to its last linked character.",
}
_SETTINGS: Mapping[str, dict[str, Any]] = {
    "weights": {"metavar": "NAME=W,…"},
    "glyph_table": {"metavar": "TABLE"},
    "context": {"metavar": "CONTEXT"},
    "habits": {"metavar": "HABITS"},
    "min_confidence": {"type": click.FloatRange(0.5, 1)},
    "ibm_model": {"type": click.Path(exists=True, dir_okay=False)},
}


def method_option(name: str, method: Method | None = None) -> Any:
    """An option of one method, or of every method that takes it.

    Where methods have different defaults, its value is None if it is not given.
    """
    declared = OPTIONS[name]
    settings = (
        {"type": click.Choice(declared.choices)} if declared.choices else _SETTINGS.get(name, {})
    )
    defaults = {method: its for method, its in declared.defaults.items() if its is not None}
    text = _HELP[name]
    if len(set(defaults.values())) == 1:
        default = next(iter(defaults.values()))
        return option(default, text, group="Method", rare=True, **settings)
    if method:
        text += f"  [default: {defaults[method]}]"
    elif defaults:
        each = (f"{default} for {method}" for method, default in defaults.items())
        text += f"  [default: {', '.join(each)}]"
    return option(None, text, group="Method", rare=True, **settings)


@options("Method")
class MethodChoice:
    """A method, with its options."""

    method: str = option(
        "p3",
        "direct: no projection. dictionary: looks the target's words up in the source. p1: links "
        "identical characters. p2: similar ones too. p3: weighs evidence about words, too. "
        "ibm: a generative model of words.",
        type=click.Choice(METHODS),
    )
    weights: str | None = method_option("weights")
    threshold: float | None = method_option("threshold")
    glyph_table: str = method_option("glyph_table")
    phonology: str | None = method_option("phonology")
    position: str | None = method_option("position")
    context: str | None = method_option("context")
    habits: str = method_option("habits")
    min_confidence: float = method_option("min_confidence")
    ibm_model: str | None = method_option("ibm_model")
    join_rule: JoinRule = method_option("join_rule")

    def options(self) -> dict[str, Any]:
        """The options that are given; options of other methods are refused."""
        own = options_of(self.method, self)
        refuse(OPTIONS.keys() - own.keys(), f"on {self.method}")
        context = click.get_current_context()
        settings = context.default_map or {}
        theirs = settings.get("method", self.method)
        if theirs != self.method and OPTIONS.keys() & settings.keys():
            path = context.meta[SETTINGS_FILE]
            raise click.UsageError(f"{path} has settings of {theirs}, not of {self.method}")
        return own

    def make(self) -> RecoveryMethod:
        """The method."""
        return make_method(self.method, **self.options())


@options()
class P2Features:
    """The options of P2's features."""

    # A file of settings says which method it is for.
    method: Literal["p2"] = option("p2", "", hidden=True)
    glyph_table: str = method_option("glyph_table")
    phonology: str | None = method_option("phonology", "p2")
    position: str | None = method_option("position", "p2")
    context: str | None = method_option("context", "p2")
    join_rule: JoinRule = method_option("join_rule")

    def given(self) -> dict[str, Any]:
        """The options that are given."""
        return options_of("p2", self)

    def aligner(self, **weighing: Any) -> ResidualAligner:
        """P2's aligner, with these weights and threshold."""
        from cijie.alignment.residual import ResidualAligner

        aligner = make_method("p2", **self.given() | weighing).aligner
        assert isinstance(aligner, ResidualAligner)
        return aligner

    def features(self) -> Mapping[str, Feature]:
        """All features that P2 may have."""
        # A feature is made if it has a weight, whatever the weight.
        return self.aligner(weights="emb=1,glyph=1,pinyin=1,pos=1").scorer.features


@options("Method")
class MethodNames:
    """Methods by name, to be compared."""

    methods: str = option(
        "p3",
        "The methods to compare, as `cijie recover` takes them; d is short for direct. Options "
        "come after colons: p2:position=local:threshold=.8.",
        metavar="NAME,…",
    )

    def recoverers(self, segmenter: Segmenter) -> dict[str, Recoverer]:
        """A recoverer for each; they share the segmenter."""
        from cijie.recovery.recoverer import Recoverer

        methods = parse_methods(self.methods)
        return {name: Recoverer(segmenter, method) for name, method in methods.items()}


def parse_methods(text: str) -> dict[str, RecoveryMethod]:
    """Methods by name: `direct,p1,P2=p2,gaps=p2:position=local:weights=pos=1:threshold=.99`.

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
            raise UsageError(f"two methods have the name {name!r}")
        methods[name] = _specified(specification)
    return methods


def _specified(specification: str) -> RecoveryMethod:
    """A method with options behind colons."""
    names, *settings = specification.split(":")
    # What has no known name behind a comma is not split off.
    method = next((name for name in names.split(",") if name not in _NAMES), names)
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"{specification!r}: give options as NAME=VALUE, not as {setting!r}")
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


def options_of(method: str, values: object) -> dict[str, Any]:
    """Those attributes that are options of a method, and given."""
    taken = (name for name, its in OPTIONS.items() if method in its.defaults)
    found = {name: getattr(values, name, None) for name in taken}
    return {name: value for name, value in found.items() if value is not None}


def make_method(method: Any, **options: Any) -> RecoveryMethod:
    """The library's method of that name, or the IBM-style aligner.

    Raises:
        click.UsageError: a file does not exist.
        UsageError, TypeError, FormatError: see `cijie.recovery.methods.make_method`.
    """
    from cijie.recovery import methods

    try:
        return _ibm_method(**options) if method == "ibm" else methods.make_method(method, **options)
    except FileNotFoundError as error:
        raise click.UsageError(f"there is no file {error.filename!r}") from error


def _ibm_method(
    *, ibm_model: str | None = None, join_rule: JoinRule = "equal-length"
) -> RecoveryMethod:
    from cijie.paper.ibm import IbmAligner
    from cijie.paper.ibm_file import read_ibm_model
    from cijie.recovery.methods import BoundaryProjector, RecoveryMethod

    if ibm_model is None:
        raise click.UsageError(
            "the method ibm needs a trained model: give --ibm-model a file of cijie train-ibm"
        )
    return RecoveryMethod(IbmAligner(read_ibm_model(ibm_model)), BoundaryProjector(join_rule))
