"""Options that `cijie tune` and `cijie ablate` share, and what becomes of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    GoldFile,
    echo_input,
    format_option,
    join_rule_option,
    make_method,
    make_segmenter,
    p2_feature_options,
    pair_options,
    read_pairs,
    segmenter_options,
    together,
)
from cijie.cli.options.base import INPUT_GROUP, option

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cijie.paper.cases import Case
    from cijie.similarity.features import Feature

experiment_options = together(
    pair_options,
    option(
        "--gold",
        group=INPUT_GROUP,
        type=GoldFile(exists=True, dir_okay=False),
        required=True,
        help="Gold segmentations of the sources, as `cijie evaluate` takes them.",
    ),
    p2_feature_options,
    join_rule_option,
    segmenter_options,
    format_option,
)


def make_cases(
    gold: str,
    quiet: bool,
    input_options: Mapping[str, Any],
    segmenter_options: Mapping[str, Any],
) -> list[Case]:
    """The pairs that have gold, segmented.

    Raises:
        CijieError: a file cannot be read, or no pair has gold.
    """
    from cijie.corpora.segmentations import read_to_compare
    from cijie.errors import CijieError
    from cijie.paper import cases

    skipped: Counter[str] = Counter()
    pairs = list(read_pairs(**input_options, skipped=skipped))
    reference, _ = read_to_compare(gold, (), pairs)
    chosen = make_segmenter(**segmenter_options)
    made = cases.make_cases(pairs, reference, chosen, skipped=skipped)
    if not quiet:
        echo_input(len(made), skipped)
        click.echo(f"segmenter:{chosen.name}", err=True)
    if not made:
        raise CijieError("no pair has gold")
    return made


def make_features(feature_options: Mapping[str, Any]) -> Mapping[str, Feature]:
    """All features of P2 that there are."""
    from cijie.alignment.residual import ResidualAligner

    # A feature is made if it has a weight, whatever the weight.
    weights = "emb=1,glyph=1,pinyin=1,pos=1"
    aligner = make_method(method="p2", weights=weights, **feature_options).aligner
    assert isinstance(aligner, ResidualAligner)
    return aligner.scorer.features
