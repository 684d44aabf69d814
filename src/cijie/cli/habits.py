"""`cijie habits`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

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
    segmented_texts,
    segmenter_options,
    told_options,
)
from cijie.errors import counted


@command()
@click.argument("texts", type=INPUT)
@told_options
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
    texts: str,
    told: dict[str, Any],
    output: str,
    fewest: int,
    quiet: bool,
    segmenter_options: dict[str, Any],
) -> None:
    """Count how a segmenter cuts short strings in TEXTS, one text a line.

    TEXTS may also be a file of sentences in any other format, of which the sources are cut.

    `cijie recover --habits FILE` weighs by them. The file has counts under checksums, no text.
    """
    from cijie.files.output import open_output
    from cijie.projection.lexicon import count_habits

    check_output(output)
    skipped: Counter[str] = Counter()
    segmenter = make_segmenter(**segmenter_options, skipped=skipped)

    segmented = segmented_texts(texts, told, segmenter, skipped, quiet=quiet)
    words = (record.cut().tokens for record in segmented)
    found = count_habits(words, segmenter.name, fewest=fewest)
    with open_output(output) as stream:
        stream.write(found.to_bytes())
    if not quiet:
        click.echo(
            f"{counted(found.texts, 'texts')}{left_out(skipped)}, "
            f"{counted(len(found.counts), 'strings')}; habits:{found.name}",
            err=True,
        )
