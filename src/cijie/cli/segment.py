"""`cijie segment`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    INPUT,
    check_output,
    columns_option,
    command,
    encoding_option,
    left_out,
    make_segmenter,
    output_format,
    output_option,
    quiet_option,
    segmenter_options,
    source_format_option,
    target_format_option,
    usage_errors,
)
from cijie.cli.progress import progress
from cijie.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BATCH = 256


@command()
@click.argument("texts", type=INPUT, default="-")
@source_format_option
@encoding_option
@columns_option
@output_option
@target_format_option
@segmenter_options
@quiet_option
def segment(
    texts: str,
    source_format: str | None,
    encoding: str | None,
    columns: Mapping[str, str],
    output: str,
    target_format: str | None,
    quiet: bool,
    segmenter_options: dict[str, Any],
) -> None:
    """Segment TEXTS, one a line, without looking at any target.

    TEXTS is a file, or - for standard input: lines as they are, or a file of sentences in any other
    format. By default the words are written as text, separated by spaces.
    """
    from cijie.batching import batched
    from cijie.corpora.reading import placed_records
    from cijie.corpora.records import Record
    from cijie.corpora.writing import write_records
    from cijie.errors import SegmentationError
    from cijie.files.output import open_output

    check_output(output)
    format = output_format(output, target_format, ["words"], default="text")
    skipped: Counter[str] = Counter()
    chosen = make_segmenter(**segmenter_options, skipped=skipped)
    with usage_errors(ValueError):
        read = placed_records(
            texts,
            source_format,
            encoding=encoding,
            columns=columns,
            wanted="texts",
            skipped=skipped,
        )
    count = 0

    def segmented() -> Iterator[Record]:
        nonlocal count
        for batch in batched(progress(read, "texts", quiet=quiet), _BATCH):
            segmentations = chosen.segment([record.source for _, record in batch])
            for line, record in batch:
                try:
                    segmentation = next(segmentations)
                except SegmentationError as error:
                    error.at(path=texts, line=line, id=record.id)
                    raise
                count += 1
                yield Record(record.id, record.source, segmentation)

    with open_output(output) as stream:
        write_records(segmented(), stream, format, ["words"])
    if not quiet:
        click.echo(
            f"{counted(count, 'texts')}{left_out(skipped)}; segmenter:{chosen.name}", err=True
        )
