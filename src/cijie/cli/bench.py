"""`cijie bench`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.bench_learner import learner
from cijie.cli.options import (
    INPUT,
    INPUT_GROUP,
    METHOD_GROUP,
    OUTPUT_GROUP,
    RUNNING_GROUP,
    Group,
    check_outputs,
    format_option,
    make_segmenter,
    new_directory_option,
    option,
    output_option,
    quiet_option,
    refuse,
    segmenter_options,
    trial_options,
)
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from cijie.noise.distribution import EditDistribution
    from cijie.noise.injection import Noise, Pool


@click.group(cls=Group)
def bench() -> None:
    """Make benchmarks of corpora that you have, and run methods on them."""


bench.add_command(learner)


@bench.command()
@click.argument("corpus", type=click.Path(exists=True))
@new_directory_option
@option(
    "--from",
    "source_format",
    group=INPUT_GROUP,
    metavar="FORMAT",
    help="conllu, text, ctb, jsonl or any other format with words.  [default: by name and content]",
)
@option(
    "--files",
    group=INPUT_GROUP,
    metavar="N-N,…",
    help="The files to take of the Penn Chinese Treebank.",
)
@option(
    "--name",
    group=OUTPUT_GROUP,
    help="Name of the corpus, for the data card.  [default: that of the file]",
)
@option(
    "--licence", group=OUTPUT_GROUP, default="", help="Licence of the corpus, for the data card."
)
@option(
    "--ratios",
    group="Noise",
    metavar="R-R,…",
    default="1-10",
    show_default=True,
    help="Edits per 100 characters of the targets, a condition each.",
)
@option(
    "--dist",
    group="Noise",
    metavar="SUB,DEL,INS",
    default=".483,.318,.199",
    show_default=True,
    help="Shares of substitutions, deletions and insertions.",
)
@option(
    "--dist-from",
    group="Noise",
    type=INPUT,
    metavar="PAIRS",
    help="Take the shares from these pairs.",
)
@option(
    "--pool",
    group="Noise",
    metavar="corpus|FILE",
    default="corpus",
    show_default=True,
    help="Draw characters from the corpus, or from this text; each as often as it occurs.",
)
@option(
    "--noise",
    group="Noise",
    type=click.Choice(["uniform", "similar"]),
    default="uniform",
    show_default=True,
    help="Substitutes are any characters, or those that look or sound like the right one.",
)
@option(
    "--insertions",
    group="Noise",
    type=click.Choice(["apart", "joined"]),
    default="apart",
    show_default=True,
    help="What is inserted at the edge of a word is a word of its own, or belongs to that word.",
)
@option(
    "--seed",
    group=RUNNING_GROUP,
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Makes the noise.",
)
@quiet_option
def synthetic(
    corpus: str,
    output: str,
    source_format: str | None,
    files: str | None,
    name: str | None,
    licence: str,
    ratios: str,
    dist: str,
    dist_from: str | None,
    pool: str,
    noise: Any,
    insertions: Any,
    seed: int,
    quiet: bool,
) -> None:
    """Make noisy sources of the segmented sentences in CORPUS, with their gold segmentation.

    CORPUS is CoNLL-U, segmented text, or a directory of the Penn Chinese Treebank. Each ratio gets
    a directory in DIR, with pairs.jsonl for `cijie recover`, gold.jsonl for `cijie evaluate` and
    card.json. The same corpus and options give the same bytes everywhere. What is made contains
    the corpus and is under its licence.
    """
    from cijie.corpora.formats import formats
    from cijie.files.output import new_directory
    from cijie.noise.conditions import write_benchmark
    from cijie.noise.corpus import read_corpus

    if dist_from is not None:
        refuse(["dist"], "with --dist-from")
    known = formats()
    if source_format and source_format not in known:
        raise click.UsageError(f"no format {source_format!r}: one of {', '.join(known)}")
    try:
        wanted = _ratios(ratios)
        distribution = _distribution(dist, dist_from)
        sentences = read_corpus(
            corpus,
            format=known[source_format] if source_format else None,
            files=_files(files) if files else None,
            name=name,
            licence=licence,
        )
    except ValueError as error:
        raise _usage(error) from error
    characters = _pool(pool, sentences.texts)
    try:
        with new_directory(output) as directory:
            for condition, card in write_benchmark(
                directory,
                sentences,
                wanted,
                noise=_noise(noise, characters),
                distribution=distribution,
                insertions=insertions,
                seed=seed,
            ):
                if not quiet:
                    edits = ", ".join(f"{kind} {n:,}" for kind, n in condition.edits.items())
                    click.echo(
                        f"{condition.name}: {counted(len(condition.pairs), 'pairs')}, "
                        f"{card['pairs']['unchanged']:,} unchanged; {edits}; "
                        f"{counted(condition.dropped.sentences, 'empty sources')} dropped",
                        err=True,
                    )
    except FileExistsError as error:
        raise click.UsageError(str(error)) from error


@bench.command()
@click.argument("directory", type=click.Path(exists=True, file_okay=False))
@option(
    "--methods",
    group=METHOD_GROUP,
    metavar="METHOD,…",
    default="direct,p1,p2",
    show_default=True,
    help="Methods, each with options after colons, as in p2:position=local:threshold=.8.",
)
@option(
    "--target",
    group=METHOD_GROUP,
    type=click.Choice(["gold", "auto", "both"]),
    default="gold",
    show_default=True,
    help="Project the target words of the corpus, or those of the segmenter.",
)
@output_option
@format_option
@option(
    "--figure",
    "figures",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    multiple=True,
    help="Draw F1 over the ratio of noise: a .png or .svg file; may be repeated.",
)
@trial_options
@segmenter_options
@quiet_option
def run(
    directory: str,
    methods: str,
    target: str,
    output: str,
    result_format: Any,
    figures: tuple[str, ...],
    trials: int,
    seed: int,
    quiet: bool,
    segmenter_options: dict[str, Any],
) -> None:
    """Run methods on the conditions in DIRECTORY, which `cijie bench synthetic` has made.

    Every method starts from the same segmentation of the sources. Files that are not those of
    their data card are refused.
    """
    from cijie.experiments.figures import check_figure, save_figure
    from cijie.files.output import open_output
    from cijie.noise.conditions import read_benchmark
    from cijie.noise.figures import f1_figure
    from cijie.noise.runs import Run, parse_methods, render_results

    try:
        for figure in figures:
            check_figure(figure)
        parsed = parse_methods(methods)
    except ValueError as error:
        raise _usage(error) from error
    except FileNotFoundError as error:
        raise click.UsageError(f"no file {error.filename}") from error
    conditions = read_benchmark(directory)
    check_outputs((output, *figures), *map(str, Path(directory).glob("*/*")))
    chosen = Run(make_segmenter(**segmenter_options), parsed, trials=trials, seed=seed)
    targets: Any = ("gold", "auto") if target == "both" else (target,)
    results = [
        result
        for condition in progress(conditions, "conditions", quiet=quiet)
        for result in chosen.on(condition, targets)
    ]
    with open_output(output) as stream:
        signature = chosen.signature(conditions)
        stream.write(render_results(results, signature, result_format).encode())
    for figure in figures:
        save_figure(f1_figure(results), figure)


def _usage(error: ValueError) -> Exception:
    """An error about an option, unless it is one about data."""
    from cijie.errors import CijieError

    return error if isinstance(error, CijieError) else click.UsageError(str(error))


def _numbers(text: str) -> Iterator[str]:
    """The numbers in `1-10,12.5`, ranges in steps of one."""
    for part in text.split(","):
        if match := re.fullmatch(r"\s*(\d+)-(\d+)\s*", part):
            yield from map(str, range(int(match[1]), int(match[2]) + 1))
        else:
            yield part


def _ratios(text: str) -> list[Fraction]:
    from decimal import Decimal, InvalidOperation
    from fractions import Fraction

    try:
        ratios = [Fraction(Decimal(percent)) / 100 for percent in _numbers(text)]
    except (InvalidOperation, ValueError, OverflowError) as error:
        raise ValueError(f"ratios are numbers in per cent, not {text!r}") from error
    if not ratios or min(ratios) < 0 or max(ratios) > 1 or len(set(ratios)) < len(ratios):
        raise ValueError(f"ratios are different numbers from 0 to 100, not {text!r}")
    return ratios


def _files(text: str) -> set[int]:
    try:
        return set(map(int, _numbers(text)))
    except ValueError as error:
        raise ValueError(f"files are whole numbers, not {text!r}") from error


def _distribution(dist: str, pairs: str | None) -> EditDistribution:
    from cijie.corpora.pairs import PairFile
    from cijie.noise.distribution import EditDistribution

    if pairs is None:
        return EditDistribution.parse(dist)
    read = PairFile(pairs, ids="any").read()
    return EditDistribution.estimate((pair.source, pair.target) for pair in read)


def _pool(pool: str, texts: Iterable[str]) -> Pool:
    from cijie.files.lines import read_lines
    from cijie.noise.injection import Pool

    if pool == "corpus":
        return Pool.of(texts, "corpus")
    if not Path(pool).is_file():
        raise click.UsageError(f"no file {pool} for --pool")
    return Pool.of((text for _, text in read_lines(pool)), Path(pool).name)


def _noise(noise: str, pool: Pool) -> Noise:
    from cijie.noise.injection import SimilarNoise, UniformNoise

    return SimilarNoise(pool) if noise == "similar" else UniformNoise(pool)
