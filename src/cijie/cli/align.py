"""`cijie align`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    check_output,
    command,
    config_option,
    echo_input,
    make_chosen_method,
    method_options,
    output_format,
    output_option,
    pair_options,
    quiet_option,
    read_pairs,
    refuse,
    target_format_option,
)
from cijie.cli.progress import progress
from cijie.signatures import signed

if TYPE_CHECKING:
    from cijie.recovery.sentence import Sentence

_BATCH = 256


@command()
@pair_options
@output_option
@target_format_option
@method_options
@config_option
@quiet_option
def align(
    output: str,
    target_format: str | None,
    quiet: bool,
    input_options: dict[str, Any],
    method_options: dict[str, Any],
) -> None:
    """Link the characters of the sources in PAIRS with those of their targets.

    Writes records with links; JSON lines, the default, have the coverage of each pair as well. No
    segmenter is needed. The method ibm links words, and is for `cijie recover`. A summary goes to
    standard error.
    """
    from cijie.batching import batched
    from cijie.corpora.jsonl import dump_line
    from cijie.evaluation.coverage import Coverage
    from cijie.files.output import open_output
    from cijie.recovery.linking import link_all, link_record
    from cijie.recovery.methods import WordAligner

    skipped: Counter[str] = Counter()
    pairs = read_pairs(**input_options, skipped=skipped)
    check_output(output)
    format = output_format(output, target_format, ["links", "target"])
    writer = format.writer(["links", "target"])
    refuse(["join_rule"], "on links")
    aligner = make_chosen_method(**method_options).aligner
    if isinstance(aligner, WordAligner):
        raise click.UsageError(
            f"the method {method_options['method']} needs the words of the targets: "
            "use cijie recover"
        )
    coverage = Coverage()
    counted = progress(pairs, "pairs", quiet=quiet)

    def row(linked: Sentence) -> Any:
        return dump_line(link_record(linked)) if format.name == "jsonl" else writer.row(linked)

    with open_output(output) as stream, writer.into(stream) as sink:
        for batch in batched(link_all(counted, aligner), _BATCH):
            coverage += Coverage.total([each.alignment for each in batch if each.alignment])
            sink.write(writer.pack([row(linked) for linked in batch]))
    if not quiet:
        echo_input(coverage.pairs, skipped)
        click.echo(coverage, err=True)
        click.echo(signed(aligner.signature), err=True)
