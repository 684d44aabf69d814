"""Options about the segmented corpus that a synthetic benchmark is made of, and its noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options.base import INPUT_GROUP, grouped, option

if TYPE_CHECKING:
    from cijie.noise.corpus import Corpus
    from cijie.noise.injection import Noise, Pool

corpus_options = grouped(
    "corpus_options",
    files=option(
        "--files",
        group=INPUT_GROUP,
        metavar="N-N,…",
        help="The files to take of the Penn Chinese Treebank.",
    ),
    sentences=option(
        "--sentences",
        group=INPUT_GROUP,
        metavar="N",
        type=click.IntRange(min=1),
        help="Take only the first N sentences of the corpus.",
    ),
)
noise_option = option(
    "--noise",
    group="Noise",
    type=click.Choice(["uniform", "similar"]),
    default="uniform",
    show_default=True,
    help="Substitutes are any characters, or those that look or sound like the right one.",
)


def read_corpus(path: str, *, files: str | None, sentences: int | None, **options: Any) -> Corpus:
    """The corpus that `corpus_options` describe; `options` are those of `read_corpus` besides."""
    from cijie.noise.corpus import read_corpus
    from cijie.noise.ranges import parse_files

    numbers = parse_files(files) if files else None
    return read_corpus(path, files=numbers, sentences=sentences, **options)


def make_noise(noise: str, pool: Pool) -> Noise:
    """The noise that `noise_option` names."""
    from cijie.noise.injection import SimilarNoise, UniformNoise

    return SimilarNoise(pool) if noise == "similar" else UniformNoise(pool)
