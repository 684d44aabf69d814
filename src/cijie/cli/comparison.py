"""What the commands that compare systems with gold have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cijie.cli.options import INPUT, read_pairs

if TYPE_CHECKING:
    from cijie.corpora.pair import Pair
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
trials_option = click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    help="Random trials of each significance test.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seeds the trials."
)


def read_known_pairs(pairs: str | None) -> list[Pair]:
    """The pairs in the file that `pairs_option` names."""
    if pairs is None:
        return []
    skipped: Counter[str] = Counter()
    return list(
        read_pairs(pairs, None, None, None, ids="check", keep_correct=False, skipped=skipped)
    )


def read_compared(
    gold: str, systems: Sequence[str], pairs: Iterable[Pair]
) -> tuple[SegmentationFile, dict[str, SegmentationFile]]:
    """Gold, and the systems by the names of their files."""
    from cijie.corpora.ids import id_checker
    from cijie.corpora.segmentations import read_to_compare

    reference, files = read_to_compare(gold, systems, pairs)
    unique = id_checker("unique", "")
    names = ("stdin" if path == "-" else Path(path).stem for path in systems)
    return reference, {unique(name, 0): file for name, file in zip(names, files, strict=True)}


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


def echo_compared(comparison: Comparison) -> None:
    """Say on standard error how many sentences were compared, and how many were left out."""
    click.echo(f"{len(comparison.ids):,} sentences", err=True)
    for name, count in [("gold", comparison.gold_left_out), *comparison.left_out.items()]:
        if count:
            click.echo(f"{name}: {count:,} sentences left out", err=True)
