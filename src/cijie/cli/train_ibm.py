"""`cijie train-ibm`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from cijie.cli.options import (
    METHOD_GROUP,
    OUTPUT_GROUP,
    check_output,
    command,
    echo_input,
    make_segmenter,
    option,
    pair_options,
    quiet_option,
    read_pairs,
    segmenter_options,
)
from cijie.cli.progress import progress
from cijie.errors import counted
from cijie.signatures import signed


@command("train-ibm")
@pair_options
@option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    required=True,
    help="The model to write, an .npz file.",
)
@option(
    "--iterations",
    group=METHOD_GROUP,
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="The most iterations of EM, after those with uniform positions.",
)
@option(
    "--lexical-iterations",
    group=METHOD_GROUP,
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="The most iterations with uniform positions, which come first.",
)
@option(
    "--tolerance",
    group=METHOD_GROUP,
    type=click.FloatRange(min=0),
    default=0.001,
    show_default=True,
    help="Stop when the log-likelihood per character grows by less.",
)
@option(
    "--positions",
    "position_table",
    group=METHOD_GROUP,
    type=click.Choice(["distortion", "alignment"]),
    default="distortion",
    show_default=True,
    help="The table of positions: d(j | i, m, K), or a(i | j, m, K) as in IBM Model 2.",
)
@segmenter_options
@quiet_option
def train_ibm(
    output: str,
    iterations: int,
    lexical_iterations: int,
    tolerance: float,
    position_table: Any,
    quiet: bool,
    input_options: dict[str, Any],
    segmenter_options: dict[str, Any],
) -> None:
    """Train the model of the method ibm on PAIRS.

    `cijie recover --method ibm --ibm-model MODEL` uses it, on the same pairs or on others.
    """
    from cijie.paper import ibm
    from cijie.paper.ibm_file import write_ibm_model
    from cijie.recovery.segmenting import segment_pairs

    skipped: Counter[str] = Counter()
    pairs = read_pairs(**input_options, skipped=skipped)
    check_output(output)
    segmented = segment_pairs(make_segmenter(**segmenter_options), pairs)
    model = ibm.train_ibm(
        (
            (pair.source, pair.target_segmentation)
            for pair in progress(segmented, "pairs", quiet=quiet)
        ),
        lexical_iterations=lexical_iterations,
        iterations=iterations,
        tolerance=tolerance,
        position_table=position_table,
    )
    write_ibm_model(model, output)
    if not quiet:
        training = model.training
        if training.skipped:
            skipped["pairs with an empty side"] += training.skipped
        echo_input(training.pairs, skipped)
        click.echo(
            f"{counted(training.iterations, 'iterations')}, "
            f"perplexity {training.perplexity:.4g} a character",
            err=True,
        )
        click.echo(signed(ibm.IbmAligner(model).signature), err=True)
