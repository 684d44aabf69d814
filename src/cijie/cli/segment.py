"""`cijie segment`."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import click

from cijie.cli.options import (
    INPUT,
    OUTPUT_GROUP,
    check_output,
    command,
    left_out,
    make_segmenter,
    option,
    output_option,
    quiet_option,
    segmenter_options,
)
from cijie.cli.progress import progress
from cijie.errors import counted

_BATCH = 256


@command()
@click.argument("texts", type=INPUT, default="-")
@output_option
@option(
    "--to",
    "target_format",
    group=OUTPUT_GROUP,
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="Words joined by spaces, or JSON lines with spans.",
)
@segmenter_options
@quiet_option
def segment(
    texts: str,
    output: str,
    target_format: str,
    quiet: bool,
    segmenter_options: dict[str, Any],
) -> None:
    """Segment TEXTS, one a line, without looking at any target.

    TEXTS is a file, or - for standard input.
    """
    from cijie.corpora.jsonl import dump_line
    from cijie.corpora.records import Record
    from cijie.errors import SegmentationError
    from cijie.files.lines import read_lines
    from cijie.files.output import open_output

    check_output(output)
    skipped: Counter[str] = Counter()
    chosen = make_segmenter(**segmenter_options, skipped=skipped)
    count = 0
    lines = progress(read_lines(texts), "texts", quiet=quiet)
    with open_output(output) as stream:
        while batch := list(islice(lines, _BATCH)):
            try:
                for segmentation in chosen.segment([text for _, text in batch]):
                    count += 1
                    if target_format == "text":
                        stream.write(f"{segmentation}\n".encode())
                    else:
                        record = Record(str(count), segmentation.text, segmentation)
                        stream.write(dump_line(record.as_dict()))
            except SegmentationError as error:
                raise SegmentationError(error.message, path=texts, line=count + 1) from error
    if not quiet:
        click.echo(
            f"{counted(count, 'texts')}{left_out(skipped)}; segmenter:{chosen.name}", err=True
        )
