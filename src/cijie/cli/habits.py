"""`cijie habits`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import click

from cijie.batching import batched
from cijie.cli.options import (
    INPUT,
    METHOD_GROUP,
    OUTPUT_GROUP,
    check_output,
    command,
    left_out,
    make_segmenter,
    option,
    quiet_option,
    segmenter_options,
)
from cijie.cli.progress import progress
from cijie.errors import SegmentationError, counted


@command()
@click.argument("texts", type=INPUT)
@option(
    "-o",
    "--output",
    group=OUTPUT_GROUP,
    type=click.Path(dir_okay=False),
    required=True,
    help="The habits to write, an .npz file.",
)
@option(
    "--fewest",
    group=METHOD_GROUP,
    metavar="N",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="Leave out strings that occur more rarely.",
)
@segmenter_options
@quiet_option
def habits(
    texts: str, output: str, fewest: int, quiet: bool, segmenter_options: dict[str, Any]
) -> None:
    """Count how a segmenter cuts short strings in TEXTS, one text a line.

    `cijie recover --habits FILE` weighs by them. The file has counts under checksums, no text.
    """
    from cijie.files.lines import read_lines
    from cijie.files.output import open_output
    from cijie.projection.habits import count_habits

    check_output(output)
    skipped: Counter[str] = Counter()
    segmenter = make_segmenter(**segmenter_options, skipped=skipped)

    def words() -> Iterator[list[str]]:
        for batch in batched(progress(read_lines(texts), "texts", quiet=quiet), 256):
            done = 0
            try:
                for segmentation in segmenter.segment([text for _, text in batch]):
                    done += 1
                    yield segmentation.tokens
            except SegmentationError as error:
                line, _ = batch[done]
                raise SegmentationError(error.message, path=texts, line=line) from error

    found = count_habits(words(), segmenter.name, fewest=fewest)
    with open_output(output) as stream:
        stream.write(found.to_bytes())
    if not quiet:
        click.echo(
            f"{counted(found.texts, 'texts')}{left_out(skipped)}, "
            f"{counted(len(found.counts), 'strings')}; habits:{found.name}",
            err=True,
        )
