"""`cijie bench synthetic`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    INPUT,
    OUTPUT_GROUP,
    RUNNING_GROUP,
    Readable,
    command,
    new_directory_option,
    option,
    quiet_option,
    refuse,
    told_options,
)
from cijie.cli.options.corpus import corpus_options, make_noise, noise_option, read_corpus
from cijie.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cijie.noise.distribution import EditDistribution
    from cijie.noise.injection import Pool


@command()
@click.argument("corpus", type=Readable(dir_okay=True, allow_dash=False))
@new_directory_option
@told_options
@corpus_options
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
    default="0-10",
    show_default=True,
    help="Edits per 100 characters of the targets; each ratio makes a condition, 0 the clean "
    "baseline.",
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
    help="Where wrong characters come from: the corpus, or a text. Each is drawn as often as it "
    "occurs there.",
)
@noise_option
@option(
    "--insertions",
    group="Noise",
    type=click.Choice(["apart", "joined"]),
    default="apart",
    show_default=True,
    help="What is inserted at the edge of a word is a word of its own (apart), or belongs to that "
    "word (joined).",
)
@option(
    "--seed",
    group=RUNNING_GROUP,
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The seed of the noise.",
)
@quiet_option
def synthetic(
    corpus: str,
    output: str,
    told: dict[str, Any],
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
    corpus_options: dict[str, Any],
) -> None:
    """Make noisy sources of the segmented sentences in CORPUS, with their gold segmentation.

    CORPUS is CoNLL-U, segmented text, or a directory of the Penn Chinese Treebank. Each ratio gets
    a directory in DIR, with pairs.jsonl for `cijie recover`, gold.jsonl for `cijie evaluate` and
    card.json. The same corpus and options give the same bytes everywhere. What is made contains
    the corpus and is under its licence.
    """
    from cijie.corpora.reading import ReadOptions
    from cijie.files.output import new_directory
    from cijie.noise.conditions import write_benchmark
    from cijie.noise.ranges import parse_ratios

    if dist_from is not None:
        refuse(["dist"], "with --dist-from")
    wanted = parse_ratios(ratios)
    distribution = _distribution(dist, dist_from)
    sentences = read_corpus(
        corpus, name=name, licence=licence, **corpus_options, options=ReadOptions(**told)
    )
    characters = _pool(pool, sentences.texts)
    with new_directory(output) as directory:
        for condition, card in write_benchmark(
            directory,
            sentences,
            wanted,
            noise=make_noise(noise, characters),
            distribution=distribution,
            insertions=insertions,
            seed=seed,
        ):
            if not quiet:
                edits = ", ".join(f"{kind} {n:,}" for kind, n in condition.edits.items())
                click.echo(
                    f"{condition.name}: {counted(len(condition.pairs), 'pairs')}, "
                    f"{card['pairs']['unchanged']:,} unchanged; {edits}; "
                    f"{counted(condition.dropped['sentences'], 'empty sources')} dropped",
                    err=True,
                )


def _distribution(dist: str, pairs: str | None) -> EditDistribution:
    from cijie.corpora.reading import ReadOptions, read, sentences_of
    from cijie.noise.distribution import EditDistribution

    if pairs is None:
        return EditDistribution.parse(dist)
    read_pairs = sentences_of(read(pairs, "pairs", ReadOptions(ids="any")))
    return EditDistribution.estimate((pair.source, pair.target or "") for pair in read_pairs)


def _pool(pool: str, texts: Iterable[str]) -> Pool:
    from cijie.files.lines import read_lines
    from cijie.noise.injection import Pool

    if pool == "corpus":
        return Pool.of(texts, "corpus")
    if not Path(pool).is_file():
        raise click.UsageError(f"no file {pool} for --pool")
    return Pool.of((text for _, text in read_lines(pool)), Path(pool).name)
