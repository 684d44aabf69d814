"""`cijie bench learner`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cijie.cli.options import (
    FILE,
    INPUT_GROUP,
    METHOD_GROUP,
    OUTPUT_GROUP,
    GoldFile,
    command,
    echo_input,
    option,
    quiet_option,
    refuse,
)


@command()
@click.argument("corpus", metavar="MUCGEC", type=FILE)
@option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    metavar="DIR",
    type=click.Path(file_okay=False),
    required=True,
    help="Where to write; it is made if it is not there.",
)
@option(
    "--context",
    group=METHOD_GROUP,
    metavar="CONTEXT",
    default="embedded",
    show_default=True,
    help="What gives characters their vectors: embedded, or the name or directory of a "
    "transformers model.",
)
@option(
    "--pooling",
    group=METHOD_GROUP,
    type=click.Choice(["mean", "idf"]),
    default="mean",
    show_default=True,
    help="How characters make up a sentence: all alike, or by inverse document frequency.",
)
@option(
    "--votes", group=INPUT_GROUP, type=FILE, multiple=True, help="A file of votes; may be repeated."
)
@option(
    "--gold",
    group=INPUT_GROUP,
    type=GoldFile(exists=True, dir_okay=False),
    help="Join this gold, or builtin, to the corrections that it was made with; choose none.",
)
@quiet_option
def learner(
    corpus: str,
    output: str,
    context: str,
    pooling: Any,
    votes: tuple[str, ...],
    gold: str | None,
    quiet: bool,
) -> None:
    """Choose one correction of each sentence in MUCGEC as its target, or join gold to them.

    Corrections are ranked by Levenshtein distance and by the cosine of sentence vectors. Where both
    put the same one first, it is chosen. The other sentences go to voting-sheet.jsonl; a majority
    of --votes decides on them, or else the Levenshtein distance. The chosen pairs go to
    pairs.jsonl, for `cijie recover` and `cijie annotate`.

    With --gold, pairs.jsonl holds the pairs that there is gold for, and gold.jsonl the gold with
    its texts, for `cijie evaluate`. Figures and checksums are in card.json. The other files hold
    texts of MUCGEC and stay under its licence. They take the place of an earlier run's in DIR.
    """
    from cijie.gold.learner import choose_targets, join

    if gold is not None:
        refuse(["votes", "context", "pooling"], "with --gold, which says what corrections to take")
    for name in (corpus, *votes, gold):
        if name is not None and Path(name).resolve().parent == Path(output).resolve():
            raise click.UsageError(f"{name} lies in {output}; write to another folder")
    if gold is None:
        benchmark = choose_targets(corpus, context=context, pooling=pooling, votes=votes)
    else:
        benchmark = join(corpus, gold)
    benchmark.write(output)
    if not quiet:
        card = benchmark.card
        echo_input(card["pairs"], card["left_out"])
        if gold is None:
            click.echo(
                "chosen: {automatic:,} automatic, {votes:,} by votes, "
                "{levenshtein:,} by Levenshtein distance".format(**card["chosen_by"]),
                err=True,
            )
            if card["votes"]:
                click.echo(card["votes"], err=True)
        click.echo(card["signature"], err=True)
