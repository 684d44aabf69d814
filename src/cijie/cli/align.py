"""`cijie align`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from cijie.cli.options import (
    check_output,
    command,
    config_option,
    echo_input,
    make_chosen_method,
    method_options,
    output_option,
    pair_options,
    quiet_option,
    read_pairs,
    refuse,
)
from cijie.cli.progress import progress
from cijie.signatures import signed


@command()
@pair_options
@output_option
@method_options
@config_option
@quiet_option
def align(
    output: str,
    quiet: bool,
    input_options: dict[str, Any],
    method_options: dict[str, Any],
) -> None:
    """Link the characters of the sources in PAIRS with those of their targets.

    Writes one JSON object a pair, with its links and coverage; no segmenter is needed. The method
    ibm links words, and is for `cijie recover`. A summary goes to standard error.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.evaluation.coverage import Coverage
    from cijie.files.output import open_output
    from cijie.recovery.linking import link_all
    from cijie.recovery.methods import WordAligner

    skipped: Counter[str] = Counter()
    pairs = read_pairs(**input_options, skipped=skipped)
    check_output(output)
    refuse(["join_rule"], "on links")
    aligner = make_chosen_method(**method_options).aligner
    if isinstance(aligner, WordAligner):
        raise click.UsageError(
            f"the method {method_options['method']} needs the words of the targets: "
            "use cijie recover"
        )
    coverage = Coverage()
    counted = progress(pairs, "pairs", quiet=quiet)
    with open_output(output) as stream:
        for linked in link_all(counted, aligner):
            coverage += Coverage.of(linked.alignment)
            stream.write(dump_line(linked.as_record()))
    if not quiet:
        echo_input(coverage.pairs, skipped)
        click.echo(coverage, err=True)
        click.echo(signed(aligner.signature), err=True)
