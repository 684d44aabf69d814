"""`cijie recover`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from cijie.cli.options import (
    check_output,
    echo_input,
    join_rule_option,
    make_aligner,
    make_segmenter,
    method_options,
    output_option,
    pair_options,
    quiet_option,
    read_pairs,
    segmenter_options,
)
from cijie.cli.progress import progress


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
@join_rule_option
@segmenter_options
@quiet_option
def recover(
    output: str,
    target_format: str | None,
    join_rule: Any,
    quiet: bool,
    input_options: dict[str, Any],
    aligner_options: dict[str, Any],
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
    pairs = read_pairs(**input_options, skipped=skipped)
    check_output(output, input_options["pairs"], input_options["orig"], input_options["cor"])
    recoverer = Recoverer(
        make_segmenter(**segmenter_options, skipped=skipped),
        make_aligner(**aligner_options),
        join_rule=join_rule,
    )
    as_text = (target_format or ("text" if output.endswith(".txt") else "jsonl")) == "text"
    coverage = Coverage()
    changes: Counter[str] = Counter()
    with open_output(output) as stream:
        for id, recovery in progress(recoverer.recover_with_ids(pairs), "pairs", quiet=quiet):
            if as_text:
                stream.write(f"{recovery}\n".encode())
            else:
                stream.write(dump_line(recovery.as_record(id)))
            coverage += Coverage.of(recovery.alignment)
            changes.update(change.kind for change in recovery.changes)
            changes["pairs"] += bool(recovery.changes)
    if not quiet:
        echo_input(coverage.pairs, skipped)
        click.echo(coverage, err=True)
        click.echo(
            f"{changes['insert']:,} boundaries inserted and {changes['remove']:,} removed, "
            f"in {changes['pairs']:,} pairs",
            err=True,
        )
        click.echo(recoverer.signature, err=True)
