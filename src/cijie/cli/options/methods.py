"""Options for finding words: a segmenter, a method or several, and the file of settings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import click

from cijie.choices import Definition, HabitsName, JoinRule, Position
from cijie.cli.options.base import READ_FILE, option, options, refuse
from cijie.cli.settings import METHODS, SETTINGS_FILE, SettingsFile
from cijie.corpora.words import read_words
from cijie.errors import UsageError, unknown
from cijie.recovery.options import METHOD_OPTIONS, MethodOption
from cijie.segmenters import LIBRARIES, Segmenter, default_segmenter, load_segmenter

if TYPE_CHECKING:  # commands that need no method are spared NumPy
    from cijie.alignment.residual import ResidualAligner
    from cijie.recovery.methods import RecoveryMethod
    from cijie.recovery.recoverer import Recoverer
    from cijie.similarity.features import Feature

OPTIONS: Mapping[str, MethodOption] = {
    **METHOD_OPTIONS,
    "ibm_model": MethodOption({"ibm": None}),
    "join_rule": replace(
        METHOD_OPTIONS["join_rule"],
        defaults={**METHOD_OPTIONS["join_rule"].defaults, "ibm": "equal-length"},
    ),
}
METHOD_FIELDS = ("method", *OPTIONS)
SEGMENTER_FIELDS = ("config", "segmenter", "segmenter_option", "user_words")
_SWITCHES = {"on": True, "true": True, "off": False, "false": False}


@options()
class Settings:
    """A file with defaults of other options.

    Attributes:
        config: A TOML file of settings, as `cijie config` and `cijie tune --best` write it. Options
            on the command line win.  [default: $CIJIE_CONFIG]
    """

    config: str | None = option(
        None,
        type=SettingsFile(exists=True, dir_okay=False, allow_dash=True),
        is_eager=True,
        envvar="CIJIE_CONFIG",
        rare=True,
    )


def _adapters(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Complete the name of a segmenter in a shell."""
    return [name for name in LIBRARIES if name.startswith(incomplete)]


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
        options: dict[str, str | bool] = {}
        for setting in self.segmenter_option:
            name, equals, value = setting.partition("=")
            if not equals:
                raise click.UsageError(f"--segmenter-option: expected NAME=VALUE, got {setting!r}")
            if name in options:
                raise click.UsageError(f"--segmenter-option: {name} is given twice")
            options[name] = _SWITCHES.get(value.lower(), value)
        name = self.segmenter or default_segmenter(partial(click.echo, err=True))
        words = () if self.user_words is None else read_words(self.user_words, skipped=skipped)
        return load_segmenter(name, options, words)


def _of_method(name: str, **settings: Any) -> Any:
    """Declare an option with a default for each method; its value is None if it is not given."""
    defaults = METHOD_OPTIONS[name].defaults
    shown = ", ".join(f"{default} for {method}" for method, default in defaults.items())
    return option(None, rare=True, show_default=shown, **settings)


@options("Method")
class P2Features:
    """The options of P2's features.

    Attributes:
        glyph_table: builtin, literal, identity, or a CSV file CharA,CharB,similarity.
        phonology: Similarity of sound: by pinyin with tone marks, as in the paper, or with tone
            numbers, or by what learners confuse.
        position: global: where characters stand in their sentences, as in the paper. local: where
            they stand in the gap between anchors.
        context: What gives characters their vectors: embedded, none, or the name or directory of a
            transformers model.
        join_rule: What a target word joins. equal-length: a span as long as the word, if all its
            characters are linked to it. contiguous: the span that its linked characters cover.
            endpoints: all from its first to its last linked character.
    """

    method: str = option("p2", type=click.Choice(["p2"]), hidden=True)  # of a file of settings
    glyph_table: str = option("builtin", metavar="TABLE", rare=True)
    phonology: Definition | None = _of_method("phonology")
    position: Position | None = _of_method("position")
    context: str | None = _of_method("context", metavar="CONTEXT")
    join_rule: JoinRule = option("equal-length", rare=True)

    def given(self, method: str = "p2") -> dict[str, Any]:
        """Return the given options that a method takes, none of them from settings of another."""
        taken = (name for name, its in OPTIONS.items() if method in its.defaults)
        found = {name: getattr(self, name, None) for name in taken}
        given = {name: value for name, value in found.items() if value is not None}
        context = click.get_current_context()
        settings = context.default_map or {}
        theirs = settings.get("method", method)
        if theirs != method and given.keys() & settings.keys():
            path = context.meta[SETTINGS_FILE]
            raise click.UsageError(
                f"{path} holds settings for the method {theirs}, not for {method}"
            )
        return given

    def aligner(self, **weighing: Any) -> ResidualAligner:
        """Build P2's aligner with these weights and threshold."""
        return cast("ResidualAligner", make_method("p2", **self.given() | weighing).aligner)

    def features(self) -> Mapping[str, Feature]:
        """Return all features that P2 may have."""
        # A feature is made if it has a weight, whatever the weight.
        return self.aligner(weights="emb=1,glyph=1,pinyin=1,pos=1").scorer.features


@options("Method")
class P2(P2Features):
    """The options of P2.

    Attributes:
        weights: Weights of the features; the weight of one that is not named is 0.
        threshold: A residual link needs a score above this.
    """

    weights: str | None = _of_method("weights", metavar="NAME=W,…")
    threshold: float | None = _of_method("threshold")


class MethodName(click.Choice[str]):
    """A method, which may have options after colons."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name, colon, own = str(value).partition(":")
        return f"{super().convert(name, param, ctx)}{colon}{own}"


@options("Method")
class MethodChoice(P2):
    """A method, with its options.

    Attributes:
        method: direct: no projection. dictionary: looks the target's words up in the source. p1:
            links identical characters. p2: similar ones too. p3: weighs evidence about words, too.
            ibm: a generative model of words. Options may follow: p2:threshold=.8.
        habits: How a segmenter cuts strings: builtin (wapic), or none.
        min_confidence: Make a change only if its probability is at least this.
        ibm_model: The model of the method ibm, from `cijie train-ibm`.
    """

    method: str = option("p3", type=MethodName(METHODS))
    habits: HabitsName = option("builtin", rare=True)
    min_confidence: float = option(0.5, type=click.FloatRange(0.5, 1), rare=True)
    ibm_model: str | None = option(None, type=click.Path(exists=True, dir_okay=False), rare=True)

    def chosen(self) -> dict[str, tuple[str, dict[str, Any]]]:
        """Return methods and their options, by name; refuse options that none takes."""
        named = parse_methods(self.method)
        given = {name: self.given(method) for name, (method, _) in named.items()}
        used = {each for name, (_, own) in named.items() for each in given[name].keys() - own}
        refuse(OPTIONS.keys() - used, f"on {self.method}")
        return {name: (method, given[name] | own) for name, (method, own) in named.items()}

    def one(self) -> tuple[str, dict[str, Any]]:
        """Return the method and its options; refuse options that it does not take."""
        found, *others = self.chosen().values()
        if others:
            raise click.UsageError(f"expected one method, got {self.method!r}")
        return found

    def make(self) -> RecoveryMethod:
        """Build the method."""
        method, options = self.one()
        return make_method(method, **options)


@options("Method")
class MethodNames(MethodChoice):
    """Methods to compare, with their options.

    Attributes:
        method: direct, dictionary, p1, p2, p3 or ibm, or several with commas between, each with
            options of its own: direct,p2:threshold=.8,p3.
    """

    method: str = option("p3", "--method --methods", metavar="NAME,…")

    def recoverers(self, segmenter: SegmenterChoice) -> dict[str, Recoverer]:
        """Build a recoverer for each method, by its name; refuse options that none takes."""
        from cijie.recovery.recoverer import Recoverer

        chosen, loaded = self.chosen(), segmenter.load()
        return {
            name: Recoverer(loaded, make_method(method, **options))
            for name, (method, options) in chosen.items()
        }


def parse_methods(text: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Parse methods with commas between, each with a name and options or without.

    >>> parse_methods("p1,strict=p2:position=local:threshold=.9")
    {'p1': ('p1', {}), 'strict': ('p2', {'position': 'local', 'threshold': 0.9})}
    """
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    # Text after a comma that is not a known name belongs to the option before.
    for part in re.split(rf",(?=\s*(?:[^,:=]+=)?(?:{'|'.join(METHODS)})\s*(?:[:,]|$))", text):
        name, specification = part.strip(), part.strip()
        if "=" in name.partition(":")[0]:
            name, _, specification = name.partition("=")
        if name in found:
            raise UsageError(f"duplicate method name {name!r}")
        method, *settings = specification.split(":")
        for each in method.split(","):
            if each not in METHODS:
                raise UsageError(unknown("method", each, METHODS))
        own: dict[str, Any] = {}
        for setting in settings:
            called, equals, value = setting.partition("=")
            called = called.replace("-", "_")
            if not equals:
                raise UsageError(
                    f"{specification!r}: expected an option NAME=VALUE, got {setting!r}"
                )
            if called not in OPTIONS:
                raise UsageError(f"{specification!r}: {unknown('option', called, OPTIONS)}")
            if called in own:
                raise UsageError(f"{specification!r}: {called} is given twice")
            own[called] = value
            if called in ("threshold", "min_confidence"):
                with suppress(ValueError):
                    own[called] = float(value)
        found[name] = method, own
    return found


def make_methods(text: str) -> dict[str, RecoveryMethod]:
    """Build methods by name; see `parse_methods`."""
    return {name: make_method(method, **own) for name, (method, own) in parse_methods(text).items()}


def make_method(method: Any, **options: Any) -> RecoveryMethod:
    """Build the library's method of that name, or the IBM-style aligner.

    Raises:
        click.UsageError: a file does not exist, or the IBM-style aligner has no model.
        UsageError, FormatError: see `cijie.recovery.methods.make_method`.
    """
    from cijie.recovery import methods

    try:
        return _ibm_method(**options) if method == "ibm" else methods.make_method(method, **options)
    except FileNotFoundError as error:
        raise click.UsageError(f"file not found: {error.filename!r}") from error
    except TypeError as error:  # of an option of another method, or one that is no number
        raise UsageError(f"{method}: {error}") from error


def _ibm_method(
    *, ibm_model: str | None = None, join_rule: JoinRule = "equal-length"
) -> RecoveryMethod:
    from cijie.paper.ibm import IbmAligner, read_ibm_model
    from cijie.recovery.methods import by_links

    if ibm_model is None:
        raise click.UsageError(
            "the method ibm requires --ibm-model FILE; `cijie train-ibm` makes one"
        )
    return by_links(IbmAligner(read_ibm_model(ibm_model)), join_rule)
