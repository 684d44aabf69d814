"""What the commands that compare systems with gold have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import INPUT
from cijie.wording import counted

if TYPE_CHECKING:
    from cijie.corpora.segmentations import SegmentationFile
    from cijie.evaluation.comparison import Comparison
    from cijie.evaluation.coverage import Coverage

pairs_option = click.option(
    "--pairs",
    type=INPUT,
    help="Where the texts are, if no other file has them, and the ids of plain lines: the file of "
    "pairs (MuCGEC or *.jsonl) that the systems were given.",
)
intersection_option = click.option(
    "--intersection", is_flag=True, help="Take only the sentences that gold and all systems have."
)


def link_coverage(
    systems: Mapping[str, SegmentationFile], ids: Sequence[str]
) -> dict[str, Coverage]:
    """How much of those sentences each system has linked, for the systems that use links."""
    from cijie.evaluation.coverage import Coverage

    return {
        name: coverage
        for name, file in systems.items()
        if (coverage := sum(map(Coverage.of, file.alignments(ids)), Coverage())).links
    }


def compare(
    gold: SegmentationFile, systems: Mapping[str, SegmentationFile], **options: Any
) -> Comparison:
    """Compare systems; `options` are those of `cijie.evaluation.comparison.compare`.

    Raises:
        CijieError: as it does, or there is nothing to compare.
    """
    from cijie.errors import CijieError
    from cijie.evaluation import comparison

    compared = comparison.compare(gold, systems, **options)
    if not compared.ids:
        raise CijieError("there is no sentence to score")
    return compared


def echo_compared(comparison: Comparison) -> None:
    """Say on standard error how many sentences were compared, and how many were left out."""
    click.echo(f"{counted(len(comparison.ids), 'sentences')}", err=True)
    for name, count in [("gold", comparison.gold_left_out), *comparison.left_out.items()]:
        if count:
            click.echo(f"{name}: {counted(count, 'sentences')} left out", err=True)
