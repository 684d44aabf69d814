"""Options for finding words: a segmenter, a method, and the file of settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from cijie.choices import JoinRule, Method
from cijie.cli.options.base import option, options, refuse
from cijie.cli.options.paths import READ_FILE, SETTINGS_FILE
from cijie.errors import UsageError
from cijie.recovery.options import METHOD_OPTIONS, MethodOption

if TYPE_CHECKING:
    from cijie.alignment.residual import ResidualAligner
    from cijie.recovery.methods import RecoveryMethod
    from cijie.segmenters import Segmenter
    from cijie.similarity.features import Feature

# The paper's IBM-style aligner has a model of its own, so the library takes it as an object, not by
# a name. Commands name it as they name the library's methods.
METHODS = (*get_args(Method), "ibm")
_SHORT = {"d": "direct"}
NAMES = (*METHODS, *_SHORT)
_NUMBERS = ("threshold", "min_confidence")
OPTIONS: Mapping[str, MethodOption] = {
    **METHOD_OPTIONS,
    "ibm_model": MethodOption({"ibm": None}),
    "join_rule": replace(
        METHOD_OPTIONS["join_rule"],
        defaults={**METHOD_OPTIONS["join_rule"].defaults, "ibm": "equal-length"},
    ),
}
_HELP = {
    "weights": "Weights of the features; the weight of one that is not named is 0.",
    "threshold": "A residual link needs a score above this.",
    "glyph_table": "builtin, literal, identity, or a CSV file CharA,CharB,similarity.",
    "phonology": "Similarity of sound: by pinyin with tone marks, as in the paper, or with "
    "tone numbers, or by what learners confuse.",
    "position": "global: where characters stand in their sentences, as in the paper. local: where "
    "they stand in the gap between anchors.",
    "context": "What gives characters their vectors: embedded, none, or the name or directory of a "
    "transformers model.",
    "habits": "How the segmenter cuts strings: builtin (wapic), none, or a file of `cijie habits`; "
    "run, with `cijie recover`, counts the run itself first.",
    "min_confidence": "Make a change only if its probability is at least this.",
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
    """Declare an option of one method, or of every method that takes it.

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
        return option(default, help=text, group="Method", rare=True, **settings)
    if method:
        text += f"  [default: {defaults[method]}]"
    elif defaults:
        each = (f"{default} for {method}" for method, default in defaults.items())
        text += f"  [default: {', '.join(each)}]"
    return option(None, help=text, group="Method", rare=True, **settings)


class _SettingsFile(click.Path):
    """A file of settings, which become the defaults of the command's options."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from cijie.cli.settings import read_settings, refusal

        path = str(super().convert(value, param, ctx))
        settings = read_settings(path)
        for name, setting in settings.items():
            if why := refusal(name, setting):
                raise click.UsageError(f"{path}: {why}", ctx)
        assert ctx is not None
        ctx.meta[SETTINGS_FILE] = path
        ctx.default_map = {
            str(option.name): settings[name.removeprefix("--")]
            for option in ctx.command.params
            if isinstance(option, click.Option) and not option.multiple
            for name in option.opts
            if name.removeprefix("--") in settings
        }
        return path


def _adapters(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a segmenter in a shell."""
    from cijie.segmenters import LIBRARIES

    return [name for name in LIBRARIES if name.startswith(incomplete)]


@options()
class Settings:
    """A file with defaults of other options.

    Attributes:
        config: A TOML file of settings, as `cijie config` and `cijie tune --best` write it. Options
            on the command line win.  [default: $CIJIE_CONFIG]
    """

    config: str | None = option(
        None,
        type=_SettingsFile(exists=True, dir_okay=False, allow_dash=True),
        is_eager=True,
        envvar="CIJIE_CONFIG",
        rare=True,
    )


@options("Segmenter")
class SegmenterChoice(Settings):
    """A segmenter, with its options.

    Attributes:
        segmenter: A segmenter that `cijie info` lists, or module:function.  [default:
            $CIJIE_SEGMENTER, else wapic; rjieba where wapic is not installed]
        segmenter_option: An option of the segmenter, such as hmm=off; of any, traditional=on: it
            gets a simplified copy of texts in Traditional characters.
        user_words: Words that the segmenter keeps whole: a file with one word per line, as jieba's.
            Projection may still cut or join them, as the target has it.
    """

    segmenter: str | None = option(None, metavar="NAME", shell_complete=_adapters)
    segmenter_option: tuple[str, ...] = option((), metavar="NAME=VALUE", rare=True)
    user_words: str | None = option(None, type=READ_FILE, metavar="FILE", rare=True)

    def load(self, skipped: Counter[str] | None = None) -> Segmenter:
        """Load the segmenter; count skipped lines of the file of words."""
        from cijie.corpora.words import read_words
        from cijie.segmenters import default_segmenter, load_segmenter

        settings = [_setting(setting) for setting in self.segmenter_option]
        options = dict(settings)
        if len(options) < len(settings):
            raise click.UsageError("--segmenter-option: the same name is given twice")
        name = self.segmenter or default_segmenter(partial(click.echo, err=True))
        words = () if self.user_words is None else read_words(self.user_words, skipped=skipped)
        return load_segmenter(name, options, words)

    def called(self, name: str) -> SegmenterChoice:
        """Return the same options for the segmenter of another name."""
        return replace(self, segmenter=name)


def _setting(text: str) -> tuple[str, str | bool]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--segmenter-option: expected NAME=VALUE, got {text!r}")
    switches = {"on": True, "true": True, "off": False, "false": False}
    return name, switches.get(value.lower(), value)


class MethodName(click.Choice[str]):
    """A method, which may have options after colons."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name, *settings = str(value).split(":")
        return ":".join([super().convert(_SHORT.get(name, name), param, ctx), *settings])


@options("Method")
class MethodChoice:
    """A method, with its options.

    Attributes:
        method: direct, or d: no projection. dictionary: looks the target's words up in the source.
            p1: links identical characters. p2: similar ones too. p3: weighs evidence about words,
            too. ibm: a generative model of words. Options may follow: p2:threshold=.8.
    """

    method: str = option("p3", type=MethodName(METHODS))
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

    def chosen(self, specification: str) -> tuple[str, dict[str, Any]]:
        """Return the name of a method and its options, those after colons and those given apart."""
        method, own = specified(specification)
        refuse(own, f"on {specification}")
        context = click.get_current_context()
        settings = context.default_map or {}
        theirs = settings.get("method", method)
        given = options_of(method, self)
        if theirs != method and given and OPTIONS.keys() & settings.keys():
            path = context.meta[SETTINGS_FILE]
            raise click.UsageError(
                f"{path} holds settings for the method {theirs}, not for {method}"
            )
        return method, given | own

    def options(self) -> tuple[str, dict[str, Any]]:
        """Return the name of the method and its options; refuse options of other methods."""
        method, options = self.chosen(self.method)
        refuse(OPTIONS.keys() - options.keys(), f"on {method}")
        return method, options

    def make(self) -> RecoveryMethod:
        """Build the method."""
        method, options = self.options()
        return make_method(method, **options)


@options()
class P2Features:
    """The options of P2's features."""

    # A file of settings says which method it is for.
    method: Literal["p2"] = option("p2", hidden=True)
    glyph_table: str = method_option("glyph_table")
    phonology: str | None = method_option("phonology", "p2")
    position: str | None = method_option("position", "p2")
    context: str | None = method_option("context", "p2")
    join_rule: JoinRule = method_option("join_rule")

    def given(self) -> dict[str, Any]:
        """Return the given options."""
        return options_of("p2", self)

    def aligner(self, **weighing: Any) -> ResidualAligner:
        """Build P2's aligner with these weights and threshold."""
        from cijie.alignment.residual import ResidualAligner

        aligner = make_method("p2", **self.given() | weighing).aligner
        assert isinstance(aligner, ResidualAligner)
        return aligner

    def features(self) -> Mapping[str, Feature]:
        """Return all features that P2 may have."""
        # A feature is made if it has a weight, whatever the weight.
        return self.aligner(weights="emb=1,glyph=1,pinyin=1,pos=1").scorer.features


def specified(specification: str) -> tuple[str, dict[str, Any]]:
    """Parse a method with its options after colons.

    >>> specified("p2:position=local:threshold=.8")
    ('p2', {'position': 'local', 'threshold': 0.8})
    """
    names, *settings = specification.split(":")
    # Text after a comma that is not a known name belongs to the option before.
    method = next((name for name in names.split(",") if name not in NAMES), names)
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"{specification!r}: expected an option NAME=VALUE, got {setting!r}")
        name = name.replace("-", "_")
        if name in options:
            raise UsageError(f"{specification!r}: {name} is given twice")
        options[name] = _number(name, value) if name in _NUMBERS else value
    if "method" in options:
        raise UsageError(f"{specification!r}: unknown option 'method'")
    return _SHORT.get(method, method), options


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise UsageError(f"the {name} must be a number, not {text!r}") from error


def options_of(method: str, values: object) -> dict[str, Any]:
    """Return the given options of a method among the attributes."""
    taken = (name for name, its in OPTIONS.items() if method in its.defaults)
    found = {name: getattr(values, name, None) for name in taken}
    return {name: value for name, value in found.items() if value is not None}


def make_method(method: Any, **options: Any) -> RecoveryMethod:
    """Build the library's method of that name, or the IBM-style aligner.

    Raises:
        click.UsageError: a file does not exist.
        UsageError, FormatError: see `cijie.recovery.methods.make_method`.
    """
    from cijie.recovery import methods

    if options.get("habits") == "run":
        raise click.UsageError("habits=run is for `cijie recover`, which reads all pairs first")
    try:
        return _ibm_method(**options) if method == "ibm" else methods.make_method(method, **options)
    except FileNotFoundError as error:
        raise click.UsageError(f"file not found: {error.filename!r}") from error
    except TypeError as error:  # of an unknown option
        raise UsageError(f"{method}: {error}") from error


def _ibm_method(
    *, ibm_model: str | None = None, join_rule: JoinRule = "equal-length"
) -> RecoveryMethod:
    from cijie.paper.ibm import IbmAligner, read_ibm_model
    from cijie.recovery.methods import BoundaryProjector, RecoveryMethod

    if ibm_model is None:
        raise click.UsageError(
            "the method ibm requires --ibm-model FILE; `cijie train-ibm` makes one"
        )
    return RecoveryMethod(IbmAligner(read_ibm_model(ibm_model)), BoundaryProjector(join_rule))
