"""`cijie segment`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import (
    INPUT,
    check_output,
    command,
    left_out,
    make_segmenter,
    output_format,
    output_option,
    quiet_option,
    segmented_texts,
    segmenter_options,
    target_format_option,
    told_options,
)
from cijie.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cijie.recovery.sentence import Sentence


@command()
@click.argument("texts", type=INPUT, default="-")
@told_options
@output_option
@target_format_option
@segmenter_options
@quiet_option
def segment(
    texts: str,
    told: dict[str, Any],
    output: str,
    target_format: str | None,
    quiet: bool,
    segmenter_options: dict[str, Any],
) -> None:
    """Segment TEXTS, one a line, without looking at any target.

    TEXTS is a file, or - for standard input: lines as they are, or a file of sentences in any other
    format. By default the words are written as text, separated by spaces.
    """
    from cijie.corpora.writing import write
    from cijie.files.output import open_output

    check_output(output)
    format = output_format(output, target_format, ["words"], default="text")
    skipped: Counter[str] = Counter()
    chosen = make_segmenter(**segmenter_options, skipped=skipped)
    segmented = segmented_texts(texts, told, chosen, skipped, quiet=quiet)
    count = 0

    def records() -> Iterator[Sentence]:
        nonlocal count
        for record in segmented:
            count += 1
            yield record

    with open_output(output) as stream:
        write(records(), stream, format, ["words"])
    if not quiet:
        click.echo(
            f"{counted(count, 'texts')}{left_out(skipped)}; segmenter:{chosen.name}", err=True
        )
