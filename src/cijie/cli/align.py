"""`cijie align`."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import click

from cijie.cli.options import (
    check_output,
    echo_input,
    make_method,
    method_options,
    output_option,
    pair_options,
    quiet_option,
    read_pairs,
)
from cijie.cli.progress import progress

_BATCH = 256


@click.command()
@pair_options
@output_option
@method_options
@quiet_option
def align(
    output: str,
    quiet: bool,
    input_options: dict[str, Any],
    method_options: dict[str, Any],
) -> None:
    """Link the characters of the sources in PAIRS with those of their targets.

    Writes one JSON object a pair, with its links and coverage; no segmenter is needed. A summary
    goes to standard error.
    """
    from cijie.corpora.files import open_output
    from cijie.corpora.jsonl import dump_line
    from cijie.evaluation.coverage import Coverage
    from cijie.methods import WordAligner

    skipped: Counter[str] = Counter()
    pairs = read_pairs(**input_options, skipped=skipped)
    check_output(output)
    aligner = make_method(**method_options).aligner
    if isinstance(aligner, WordAligner):
        raise click.UsageError(
            f"the method {method_options['method']} needs the words of the targets: "
            "use cijie recover"
        )
    coverage = Coverage()
    counted = progress(pairs, "pairs", quiet=quiet)
    with open_output(output) as stream:
        while batch := list(islice(counted, _BATCH)):
            alignments = aligner.align([(pair.source, pair.target) for pair in batch])
            for pair, alignment in zip(batch, alignments, strict=True):
                coverage += Coverage.of(alignment)
                record = {
                    "id": pair.id,
                    "source": pair.source,
                    "target": pair.target,
                    "links": alignment.as_tuples(),
                    "source_coverage": alignment.source_coverage,
                    "target_coverage": alignment.target_coverage,
                    "crossings": alignment.crossings,
                }
                stream.write(dump_line(record))
    if not quiet:
        echo_input(coverage.pairs, skipped)
        click.echo(coverage, err=True)
        click.echo(aligner.signature, err=True)
