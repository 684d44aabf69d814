"""Options that several commands share, and what becomes of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.errors import CijieError
    from cijie.recovery.methods import RecoveryMethod
    from cijie.recovery.pair import Pair
    from cijie.segmenters import Segmenter

INPUT = click.Path(exists=True, dir_okay=False, allow_dash=True)
FILE = click.Path(exists=True, dir_okay=False)
OUTPUT = click.Path(dir_okay=False, allow_dash=True)
_CONFIG = "cijie.config"  # what the context of a command calls the file of its settings


class GoldFile(click.Path):
    """A file, or `builtin` for the gold that cijie ships (a file of that name is `./builtin`)."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if value == "builtin":
            from cijie.gold.shipped import builtin_gold

            value = str(builtin_gold())
        return super().convert(value, param, ctx)


class Parts(click.Path):
    """A file, or a URL or a pattern that stands for many."""

    def __init__(self, *, dir_okay: bool = False) -> None:
        super().__init__(exists=True, dir_okay=dir_okay, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from cijie.files.urls import is_pattern

        return str(value) if is_pattern(str(value)) else super().convert(value, param, ctx)


class GoldParts(GoldFile, Parts):
    """As `GoldFile`, or many files, as `Parts`."""


def together(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def grouped(group: str, *options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options whose values a command takes as one mapping, its argument `group`."""

    def decorate(command: Any) -> Any:
        @wraps(command)
        def wrapped(**values: Any) -> Any:
            mapping = {name: values.pop(name) for name in names}
            return command(**values, **{group: mapping})

        before = len(getattr(command, "__click_params__", ()))
        together(*options)(wrapped)
        added = wrapped.__click_params__[before:]  # type: ignore[attr-defined]
        names = [option.name for option in added if option.expose_value]
        return wrapped

    return decorate


def _by_method(
    name: str, help: str, *, p2: str, p3: str, **settings: Any
) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """An option with a default of each method: for commands with --method, and with P2 alone."""
    every, alone = (
        click.option(name, help=f"{help}  [default: {default}]", **settings)
        for default in (f"{p2} for p2, {p3} for p3", p2)
    )
    return every, alone


def _take_config(ctx: click.Context, _: click.Parameter, path: str | None) -> None:
    """Make the settings of a file the defaults of the command's options."""
    if path is None:
        return
    from cijie.cli.config import read_config

    options = {
        name.removeprefix("--"): option.name
        for option in ctx.command.params
        if option.name != "config"
        for name in option.opts
        if name.startswith("--")
    }
    settings = read_config(path)
    ctx.meta[_CONFIG] = path
    for name, value in settings.items():
        if name not in options:
            raise click.UsageError(f"{path}: {ctx.info_name} has no option --{name}", ctx)
        if isinstance(value, (list, dict)):
            raise click.UsageError(f"{path}: --{name} takes one value, not {value!r}", ctx)
        if name == "segmenter" and ":" in str(value):
            # A file of settings may come from anybody, and must not say which code is run.
            raise click.UsageError(f"{path}: name {value} on the command line, not here", ctx)
    ctx.default_map = {str(options[name]): value for name, value in settings.items()}


output_option = click.option(
    "-o", "--output", type=OUTPUT, default="-", show_default=True, help="Where to write."
)
new_directory_option = click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(file_okay=False),
    required=True,
    help="The directory to make; it must not exist, or be empty.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")

workers_option = click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many processes share the work; each holds in memory what one alone would.",
)

format_option = click.option(
    "--format",
    "result_format",
    type=click.Choice(["text", "json", "tsv", "latex"]),
    default="text",
    show_default=True,
    help="Tables to read, all values, a value a line, or tables for booktabs.",
)
trial_options = together(
    click.option(
        "--trials",
        type=click.IntRange(min=1),
        default=10_000,
        show_default=True,
        help="Random trials of each significance test.",
    ),
    click.option(
        "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seeds the trials."
    ),
)

pair_format_option = click.option(
    "--from",
    "source_format",
    type=click.Choice(["mucgec", "parallel", "jsonl"]),
    help="Lines of id, source and references, separated by tabs; two files of lines; JSON lines.  "
    "[default: jsonl for *.jsonl, parallel with --orig, else mucgec]",
)
_pair_settings = (
    click.option(
        "-orig", "--orig", type=INPUT, help="Sources, one a line (instead of PAIRS, with --cor)."
    ),
    click.option("-cor", "--cor", type=INPUT, help="Targets, one a line."),
    pair_format_option,
    click.option(
        "--ids",
        type=click.Choice(["check", "unique", "any"]),
        default="check",
        show_default=True,
        help="An id that occurs again: an error, made unique, or kept.",
    ),
    click.option(
        "--keep-correct", is_flag=True, help="Also take MuCGEC rows without error, as S = T."
    ),
)
pair_options = grouped(
    "input_options", click.argument("pairs", type=INPUT, required=False), *_pair_settings
)
part_options = grouped(
    "input_options", click.argument("pairs", type=Parts(), required=False), *_pair_settings
)

config_option = click.option(
    "--config",
    type=INPUT,
    is_eager=True,
    expose_value=False,
    callback=_take_config,
    help="A TOML file with options by their long names, as `cijie tune --best` writes; options "
    "on the command line win.",
)
_weights_option, p2_weights_option = _by_method(
    "--weights",
    "Weights of the features; one that is not named is 0.",
    p2="emb=.1,glyph=.6,pinyin=0,pos=.3",
    p3="emb=0,glyph=.3,pinyin=.2,pos=.5",
    metavar="NAME=W,…",
)
_threshold_option, p2_threshold_option = _by_method(
    "--threshold",
    "What the score of a residual link must exceed.",
    p2=".85",
    p3=".4",
    type=float,
)
glyph_table_option = click.option(
    "--glyph-table",
    metavar="TABLE",
    default="builtin",
    show_default=True,
    help="builtin, identity, or a CSV file CharA,CharB,similarity.",
)
_feature_options, _p2_feature_options = zip(
    (glyph_table_option, glyph_table_option),
    _by_method(
        "--phonology",
        "How alike characters sound: the paper's definition, or one for learners' errors.",
        p2="pinyin",
        p3="tone-aware",
        type=click.Choice(["pinyin", "tone-aware"]),
    ),
    _by_method(
        "--position",
        "Position in the sentence, the paper's, or in the gap between anchors.",
        p2="global",
        p3="local",
        type=click.Choice(["global", "local"]),
    ),
    _by_method(
        "--context",
        "embedded, none, or the name or directory of a transformers model.",
        p2="embedded",
        p3="none",
        metavar="CONTEXT",
    ),
    strict=True,
)
join_rule_option = click.option(
    "--join-rule",
    type=click.Choice(["equal-length", "contiguous"]),
    default="equal-length",
    show_default=True,
    help="When a target word joins source characters.",
)
p2_feature_options = grouped("feature_options", *_p2_feature_options)
method_options = grouped(
    "method_options",
    config_option,
    click.option(
        "--method",
        type=click.Choice(["direct", "dictionary", "p1", "p2", "p3", "ibm"]),
        default="p3",
        show_default=True,
        help="No projection; the target's words as a dictionary; identical characters; and similar "
        "ones; and word-level evidence; a generative word model.",
    ),
    _weights_option,
    _threshold_option,
    *_feature_options,
    click.option(
        "--ibm-model",
        type=click.Path(exists=True, dir_okay=False),
        help="The model of the method ibm, from `cijie train-ibm`.",
    ),
    join_rule_option,
)
segmenter_options = grouped(
    "segmenter_options",
    click.option(
        "--segmenter",
        default="wapic",
        show_default=True,
        metavar="NAME",
        help="A segmenter that `cijie info` lists, or module:function.",
    ),
    click.option(
        "--segmenter-option",
        "segmenter_settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="An option of the segmenter, such as hmm=off.",
    ),
    click.option(
        "--user-words",
        type=click.Path(exists=True, dir_okay=False),
        metavar="FILE",
        help="Words that the segmenter keeps whole, one a line, as in jieba's dictionaries.",
    ),
)


def read_pairs(
    pairs: str | None,
    orig: str | None,
    cor: str | None,
    source_format: str | None,
    ids: Any,
    keep_correct: bool,
    skipped: Counter[str],
    unread: list[CijieError] | None = None,
) -> Iterator[Pair]:
    """The pairs that `pair_options` name; `unread` takes errors about single records.

    Lines of two files belong together, so that a line which cannot be read is an error there.
    """
    if (orig is None) != (cor is None):
        raise click.UsageError("--orig and --cor go together")
    if (pairs is None) == (orig is None):
        raise click.UsageError("give either PAIRS or --orig and --cor")
    source_format = pair_format(source_format, pairs, orig)
    if orig is not None and cor is not None:
        from cijie.corpora.parallel import read_parallel

        refuse(["ids", "keep_correct"], "on lines of two files")
        return read_parallel(orig, cor)
    assert pairs is not None
    if source_format == "jsonl":
        from cijie.corpora.jsonl import read_jsonl

        refuse(["keep_correct"], "on JSON lines")
        return read_jsonl(pairs, ids=ids, unread=unread)
    from cijie.corpora.mucgec import read_mucgec

    return read_mucgec(pairs, ids=ids, keep_correct=keep_correct, skipped=skipped, unread=unread)


def pair_format(source_format: str | None, pairs: str | None, orig: str | None) -> str:
    """The format of pairs: as `pair_format_option` has it, or by what else there is."""
    if source_format is None:
        jsonl = pairs is not None and Path(pairs).suffix in {".jsonl", ".ndjson"}
        source_format = "parallel" if orig else "jsonl" if jsonl else "mucgec"
    if (source_format == "parallel") != (orig is not None):
        raise click.UsageError("--from parallel and --orig with --cor go together")
    return source_format


def read_pair_file(path: str) -> Iterator[Pair]:
    """The pairs in a file that only names texts and ids: MuCGEC's format, or `*.jsonl`."""
    return read_pairs(path, None, None, None, ids="check", keep_correct=False, skipped=Counter())


def unique_names(paths: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """What to call the systems in files: the names of the files or folders, made unique."""
    from cijie.files.ids import id_checker

    unique = id_checker("unique", "")
    for name in taken:
        unique(name, 0)
    return [unique(_name(path), 0) for path in paths]


def _name(path: str) -> str:
    if path == "-":
        return "stdin"
    file = Path(path)
    if not file.exists() and any(mark in file.name for mark in "*?["):
        return click.format_filename(file.parent.resolve().name)
    return click.format_filename(file.resolve().name) if file.is_dir() else stem(path)


def refuse(parameters: Iterable[str], where: str) -> None:
    """Refuse options on the command line that would have no effect.

    Those of a --config file are left alone, as it may serve several commands and methods.
    """
    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        given = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if given and parameter.name in parameters:
            raise click.UsageError(f"{parameter.opts[-1]} has no effect {where}")


def stem(path: str) -> str:
    """The name of a file without its ending, as it can be written: bytes may not be UTF-8."""
    return click.format_filename(Path(path).stem)


def check_output(output: str, *others: str) -> None:
    """Refuse to write over a file that is being read, or into a folder that is not there.

    What is read is what the arguments and options of the command name, and `others`.
    """
    if Path(output).is_dir():
        raise click.UsageError(f"{output} is a folder")
    if "://" not in output and not Path(output).parent.is_dir():
        raise click.UsageError(f"there is no folder {Path(output).parent} for {output}")
    if output != "-" and Path(output).exists():
        for path in (*_inputs(), *(Path(name.removeprefix("file://")) for name in others)):
            if path.exists() and path.samefile(output):
                raise click.UsageError(f"{output} is an input; write to another file")


def _inputs() -> Iterator[Path]:
    """The files that the command which runs was told to read, those in folders included."""
    context = click.get_current_context()
    for param in context.command.params:
        value = context.params.get(str(param.name))
        if param.name == "config":
            value = context.meta.get(_CONFIG)
        elif param.name != "glyph_table" and not getattr(param.type, "exists", False):
            continue
        for name in value if isinstance(value, tuple) else (value,):
            if name is not None:
                yield Path(name)
                if Path(name).is_dir():
                    yield from Path(name).iterdir()


def check_outputs(outputs: Iterable[str | None], *others: str) -> None:
    """`check_output` for several outputs, which must be different files besides."""
    seen: set[Path] = set()
    for output in outputs:
        if output is None or output == "-":
            continue
        check_output(output, *others)
        path = Path(output).resolve()
        if path in seen:
            raise click.UsageError(f"{output} is to be written twice")
        seen.add(path)


def echo_input(pairs: int, skipped: Mapping[str, int]) -> None:
    """Say on standard error how many pairs were read, and what was left out."""
    click.echo(f"{counted(pairs, 'pairs')}{left_out(skipped)}", err=True)


def left_out(skipped: Mapping[str, int]) -> str:
    """What was not read, for the end of a summary's line."""
    return "".join(f"; {counted(count, what)} left out" for what, count in sorted(skipped.items()))


def make_chosen_method(**options: Any) -> RecoveryMethod:
    """The method that `method_options` describe, with no options but its own."""
    method = options["method"]
    has = {
        "glyph_table": {"p2", "p3"},
        "ibm_model": {"ibm"},
        "join_rule": {"p1", "p2", "ibm"},
    }
    refuse([name for name, methods in has.items() if method not in methods], f"on {method}")
    return make_method(**options)


def make_method(
    *, method: Any, weights: str | None, glyph_table: str, **options: Any
) -> RecoveryMethod:
    """A method, with what is wrong about its options as a usage error."""
    from cijie.errors import CijieError
    from cijie.recovery import methods
    from cijie.similarity.scoring import Weights

    try:
        return methods.make_method(
            method,
            weights=None if weights is None else Weights.parse(weights),
            glyph_table=glyph_table,
            **options,
        )
    except CijieError:
        raise
    except FileNotFoundError as error:
        raise click.UsageError(f"no glyph table {glyph_table!r}") from error
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def make_segmenter(
    *,
    segmenter: str,
    segmenter_settings: tuple[str, ...],
    user_words: str | None,
    skipped: Counter[str] | None = None,
) -> Segmenter:
    """The segmenter that `segmenter_options` name."""
    from cijie.corpora.words import read_words
    from cijie.segmenters import load_segmenter

    settings = [_setting(setting) for setting in segmenter_settings]
    options = dict(settings)
    if len(options) < len(settings):
        raise click.UsageError("--segmenter-option has one name twice")
    words = () if user_words is None else read_words(user_words, skipped=skipped)
    try:
        return load_segmenter(segmenter, options, words)
    except (ValueError, ModuleNotFoundError, AttributeError) as error:
        raise click.UsageError(str(error)) from error


def _setting(text: str) -> tuple[str, str | bool]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--segmenter-option takes NAME=VALUE, not {text!r}")
    switches = {"on": True, "true": True, "off": False, "false": False}
    return name, switches.get(value.lower(), value)
