"""`cijie recover`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    check_output,
    echo_input,
    make_method,
    make_segmenter,
    method_options,
    output_option,
    pair_options,
    quiet_option,
    read_pairs,
    segmenter_options,
)
from cijie.cli.progress import progress

if TYPE_CHECKING:
    from cijie.recovery import Recovery


@click.command()
@pair_options
@output_option
@click.option(
    "--to",
    "target_format",
    type=click.Choice(["jsonl", "text"]),
    help="JSON lines with spans, links and changes, or words joined by spaces.  "
    "[default: text for *.txt, else jsonl]",
)
@method_options
@segmenter_options
@click.option(
    "--review",
    metavar="N",
    type=click.IntRange(min=1),
    help="Write only the N pairs that p3 is least sure of, the least sure first.",
)
@quiet_option
def recover(
    output: str,
    target_format: str | None,
    review: int | None,
    quiet: bool,
    input_options: dict[str, Any],
    method_options: dict[str, Any],
    segmenter_options: dict[str, Any],
) -> None:
    """Recover the word boundaries of the sources in PAIRS from their targets.

    PAIRS is a file of pairs, or - for standard input. A summary goes to standard error.
    """
    from cijie.corpora.files import open_output
    from cijie.corpora.jsonl import dump_line
    from cijie.evaluation.coverage import Coverage
    from cijie.recovery import Recoverer

    skipped: Counter[str] = Counter()
    if review and method_options["method"] != "p3":
        raise click.UsageError("--review goes with --method p3")
    pairs = read_pairs(**input_options, skipped=skipped)
    check_output(output, input_options["pairs"], input_options["orig"], input_options["cor"])
    recoverer = Recoverer(
        make_segmenter(**segmenter_options, skipped=skipped),
        make_method(**method_options),
    )
    as_text = (target_format or ("text" if output.endswith(".txt") else "jsonl")) == "text"
    coverage = Coverage()
    changes: Counter[str] = Counter()

    def counted() -> Iterator[tuple[str, Recovery]]:
        nonlocal coverage
        for id, recovery in progress(recoverer.recover_with_ids(pairs), "pairs", quiet=quiet):
            coverage += Coverage.of(recovery.alignment)
            changes.update(change.kind for change in recovery.changes)
            changes["pairs"] += bool(recovery.changes)
            yield id, recovery

    with open_output(output) as stream:
        recovered: Iterable[tuple[str, Recovery]] = counted()
        if review:
            recovered = nsmallest(review, recovered, key=lambda one: one[1].confidence)
        for id, recovery in recovered:
            if as_text:
                stream.write(f"{recovery}\n".encode())
            else:
                stream.write(dump_line(recovery.as_record(id)))
    if not quiet:
        echo_input(coverage.pairs, skipped)
        click.echo(coverage, err=True)
        click.echo(
            f"{changes['insert']:,} boundaries inserted and {changes['remove']:,} removed, "
            f"in {changes['pairs']:,} pairs",
            err=True,
        )
        click.echo(recoverer.signature, err=True)
