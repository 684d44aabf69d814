"""`cijie bench learner`."""

from __future__ import annotations

from typing import Any

import click

from cijie.cli.annotate import echo_next, guideline_option
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
    help="How characters make up a sentence. mean: all count alike. idf: rare ones count more.",
)
@option(
    "--votes", group=INPUT_GROUP, type=FILE, multiple=True, help="A file of votes; may be repeated."
)
@option(
    "--gold",
    group=INPUT_GROUP,
    type=GoldFile(exists=True, dir_okay=False),
    help="Choose nothing: join this gold, or builtin, to the corrections that it was made with.",
)
@option(
    "--voters",
    group=OUTPUT_GROUP,
    metavar="N|NAMES",
    help="Write a page for each voter: how many (called A, B, C, …), or their names, separated by "
    "commas.",
)
@guideline_option
@quiet_option
def learner(
    corpus: str,
    output: str,
    context: str,
    pooling: Any,
    votes: tuple[str, ...],
    gold: str | None,
    voters: str | None,
    guidelines: tuple[str, ...],
    quiet: bool,
) -> None:
    """Choose one correction of each sentence in MUCGEC as its target, or join gold to them.

    Corrections are ranked by Levenshtein distance and by the cosine of sentence vectors. Where both
    put the same one first, it is chosen. The other sentences go to voting-sheet.jsonl; a majority
    of --votes decides on them, or else the Levenshtein distance. If a majority finds no correction
    good, the sentence is left out. The chosen pairs go to pairs.jsonl, for `cijie recover` and
    `cijie annotate`.

    With --gold, pairs.jsonl has the pairs that have gold, and gold.jsonl the gold with its texts,
    for `cijie evaluate`. Figures and checksums are in card.json. The other files hold texts of
    MUCGEC and stay under its licence. The files of an earlier run in DIR are replaced.
    """
    from cijie.gold.guideline import read_guidelines
    from cijie.gold.learner import check_inputs, choose_targets, join
    from cijie.gold.sheets import names_given

    if gold is not None:
        refuse(
            ["votes", "voters", "context", "pooling"],
            "with --gold, which says what corrections to take",
        )
    if voters is None:
        refuse(["guidelines"], "without --voters")
    names = [] if voters is None else names_given(voters)
    check_inputs(output, [corpus, *votes, *([gold] if gold else [])])
    if gold is None:
        benchmark = choose_targets(corpus, context=context, pooling=pooling, votes=votes)
    else:
        benchmark = join(corpus, gold)
    benchmark.write(output)
    pages = benchmark.write_voting_pages(output, names, read_guidelines(guidelines))
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
        if pages:
            # A page that is called vote-A.html exports votes-A.jsonl.
            files = " ".join(f"--votes {output}/votes{page.stem[4:]}.jsonl" for page in pages)
            echo_next(
                f"give each voter a page of {output}: {', '.join(page.name for page in pages)}",
                f"put what they export into {output}",
                f"cijie bench learner {corpus} -o {output} {files}",
            )
        elif gold is None:
            echo_next(f"cijie annotate start {output}/pairs.jsonl --annotators 3 -o study")
