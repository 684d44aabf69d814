"""Options of methods, as `cijie.recovery.options` declares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

import click

from cijie.choices import JoinRule, Method
from cijie.cli.options.base import METHOD_GROUP, Decorator, grouped, option, together
from cijie.cli.options.segmenters import make_segmenter
from cijie.cli.options.settings import refuse, settings_file
from cijie.errors import UsageError
from cijie.recovery.options import METHOD_OPTIONS, MethodOption

if TYPE_CHECKING:
    from cijie.recovery.methods import RecoveryMethod
    from cijie.recovery.recoverer import Recoverer

# The paper's IBM-style aligner has a model of its own, so the library takes it as an object, not by
# a name. Commands name it as they name the library's methods.
METHODS = (*get_args(Method), "ibm")
_OPTIONS: Mapping[str, MethodOption] = {
    **METHOD_OPTIONS,
    "ibm_model": MethodOption({"ibm": None}),
    "join_rule": replace(
        METHOD_OPTIONS["join_rule"],
        defaults={**METHOD_OPTIONS["join_rule"].defaults, "ibm": "equal-length"},
    ),
}
_SHORT = {"d": "direct"}
_HELP = {
    "weights": "Weights of the features; one that is not named is 0.",
    "threshold": "A residual link needs a score above this.",
    "glyph_table": "builtin, identity, or a CSV file CharA,CharB,similarity.",
    "phonology": "How alike characters sound: by pinyin with tone marks, as in the paper, or with "
    "tone numbers (pinyin is another name of that), or by what learners confuse.",
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
    "threshold": {"type": float},
    "glyph_table": {"metavar": "TABLE"},
    "context": {"metavar": "CONTEXT"},
    "habits": {"metavar": "HABITS"},
    "min_confidence": {"type": click.FloatRange(0.5, 1)},
    "ibm_model": {"type": click.Path(exists=True, dir_okay=False)},
}


def _method_option(name: str, method: Method | None = None) -> Decorator:
    """An option of one method, or of every method that takes it.

    Where methods have different defaults, its value is None if it is not given.
    """
    declared = _OPTIONS[name]
    settings = {"type": click.Choice(declared.choices)} if declared.choices else _SETTINGS[name]
    defaults = {method: its for method, its in declared.defaults.items() if its is not None}
    text = _HELP[name]
    if method:
        text += f"  [default: {defaults[method]}]"
    elif len(set(defaults.values())) > 1:
        each = (f"{default} for {method}" for method, default in defaults.items())
        text += f"  [default: {', '.join(each)}]"
    elif defaults:
        settings = {**settings, "default": next(iter(defaults.values())), "show_default": True}
    return option(f"--{name.replace('_', '-')}", name, group=METHOD_GROUP, help=text, **settings)


method_options = grouped(
    "method_options",
    method=option(
        "--method",
        group=METHOD_GROUP,
        type=click.Choice(METHODS),
        default="p3",
        show_default=True,
        help="direct: no projection. dictionary: the target's words are looked up in the source. "
        "p1: identical characters are linked. p2: similar ones too. p3: evidence about words is "
        "weighed too. ibm: a generative model of words.",
    ),
    **{name: _method_option(name) for name in _OPTIONS},
)
methods_option = option(
    "--methods",
    group=METHOD_GROUP,
    default="p3",
    show_default=True,
    metavar="NAME,…",
    help="The methods to compare, as `cijie recover` takes them; d is short for direct.",
)
glyph_table_option = _method_option("glyph_table")
join_rule_option = _method_option("join_rule")
p2_weights_option = _method_option("weights", "p2")
p2_threshold_option = _method_option("threshold", "p2")
_p2_features = grouped(
    "feature_options",
    glyph_table=glyph_table_option,
    **{name: _method_option(name, "p2") for name in ("phonology", "position", "context")},
)
# A file of settings says which method it is for.
_p2_only = option(
    "--method", type=click.Choice(["p2"]), default="p2", expose_value=False, hidden=True
)
p2_feature_options = together(_p2_only, _p2_features)


def make_chosen_method(**options: Any) -> RecoveryMethod:
    """The method that `method_options` describe."""
    return make_method(**chosen_options(**options))


def chosen_options(*, method: str, **options: Any) -> dict[str, Any]:
    """The method that `method_options` name, with no options but its own."""
    own = own_options(method, options)
    refuse(options.keys() - own.keys(), f"on {method}")
    context = click.get_current_context()
    settings = context.default_map or {}
    if settings.get("method", method) != method and _OPTIONS.keys() & settings.keys():
        wanted = settings["method"]
        path = settings_file(context)
        raise click.UsageError(f"{path} has settings of {wanted}, not of {method}")
    return {"method": method, **own}


def make_recoverers(methods: str, segmenter_options: Mapping[str, Any]) -> dict[str, Recoverer]:
    """A recoverer for each name that `methods_option` takes; they share the segmenter."""
    from cijie.recovery.recoverer import Recoverer

    segmenter = make_segmenter(**segmenter_options)
    names = methods.split(",")
    return {
        name: Recoverer(segmenter, make_method(method=_SHORT.get(name, name))) for name in names
    }


def own_options(method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `options` that the method takes."""
    return {k: value for k, value in options.items() if method in _OPTIONS[k].defaults}


def make_method(*, method: Any, **options: Any) -> RecoveryMethod:
    """A method, with what is wrong about its options as a usage error."""
    try:
        return any_method(method, **options)
    except FileNotFoundError as error:
        raise click.UsageError(f"there is no file {error.filename!r}") from error


def any_method(method: Any, **options: Any) -> RecoveryMethod:
    """The library's method of that name, or the IBM-style aligner.

    Raises:
        UsageError, TypeError, FormatError: as `cijie.recovery.methods.make_method`.
    """
    from cijie.recovery import methods

    return _ibm_method(**options) if method == "ibm" else methods.make_method(method, **options)


def _ibm_method(
    *, ibm_model: str | None = None, join_rule: JoinRule = "equal-length"
) -> RecoveryMethod:
    from cijie.paper.ibm import IbmAligner
    from cijie.paper.ibm_file import read_ibm_model
    from cijie.recovery.methods import BoundaryProjector, RecoveryMethod

    if ibm_model is None:
        raise UsageError(
            "the method ibm needs a trained model: give --ibm-model a file of cijie train-ibm"
        )
    return RecoveryMethod(IbmAligner(read_ibm_model(ibm_model)), BoundaryProjector(join_rule))
