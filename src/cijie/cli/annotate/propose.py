"""`cijie annotate propose`."""

from __future__ import annotations

from typing import Any

from cijie.cli.annotate.proposing import proposed, proposing_options
from cijie.cli.options import (
    check_output,
    command,
    output_option,
    pair_options,
    quiet_option,
    segmenter_options,
)


@command()
@pair_options
@output_option
@proposing_options
@segmenter_options
@quiet_option
def propose(output: str, proposing_options: dict[str, Any], **options: Any) -> None:
    """Propose segmentations of the sources in PAIRS, for annotators to start from.

    Methods have their default options. For other options, give a result of `cijie recover` as
    --system. The output contains the texts.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.files.output import open_output

    check_output(output)
    with open_output(output) as stream:
        for each in proposed(**proposing_options, **options):
            stream.write(dump_line(each.as_record()))
