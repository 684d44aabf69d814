"""`cijie diff`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from cijie.cli.options import (
    INPUT,
    check_output,
    command,
    format_by_ending,
    output_option,
    quiet_option,
    told_options,
    unique_names,
)
from cijie.cli.options.systems import echo_left_out, intersection_option, pairs_option
from cijie.errors import counted


@command()
@click.argument("a", type=INPUT)
@click.argument("b", type=INPUT)
@told_options
@pairs_option
@intersection_option
@format_by_ending(
    "form",
    ["text", "tsv", "html"],
    {".tsv": "tsv", ".html": "html"},
    "For a terminal, a region a line, or the page of `cijie view`.",
)
@output_option
@quiet_option
def diff(
    a: str,
    b: str,
    told: dict[str, Any],
    pairs: str | None,
    intersection: bool,
    form: str,
    output: str,
    quiet: bool,
) -> None:
    """Show where two results differ: each region that A and B do not cut alike, and why.

    A and B are results as `cijie evaluate` takes them; those of `cijie recover` have reasons.
    """
    from cijie.corpora.reading import ReadOptions
    from cijie.files.output import open_output
    from cijie.pictures.terminal import print_lines
    from cijie.viewer import diff as differences
    from cijie.viewer.view import view

    check_output(output)
    if [a, b, pairs].count("-") > 1:
        raise click.UsageError("only one file can be standard input")
    first, second = unique_names([a, b])
    settings: dict[str, Any] = {
        "pairs": pairs,
        "intersection": intersection,
        "options": ReadOptions(**told),
    }
    if form == "html":
        viewed = view({first: a, second: b}, output, differing=True, **settings)
        if not quiet:
            click.echo(f"{counted(viewed.sentences, 'sentences')} in which they differ", err=True)
            echo_left_out(viewed.left_out)
        return
    left_out: Counter[str] = Counter()
    names = first, second
    found = list(differences.diff(a, b, names=names, left_out=left_out, **settings))
    if form == "text" and output == "-":
        print_lines(lambda _: differences.difference_lines(found))
    elif form == "text":
        with open_output(output) as stream:
            for line in differences.difference_lines(found):
                stream.write(f"{line.plain}\n".encode())
    else:
        with open_output(output) as stream:
            for row in differences.difference_rows(found, (first, second)):
                fields = (field.translate(_SPACES) for field in row)
                stream.write(("\t".join(fields) + "\n").encode())
    if not quiet:
        sentences = len({each.id for each in found})
        click.echo(
            f"{counted(len(found), 'regions')} in {counted(sentences, 'sentences')}", err=True
        )
        echo_left_out(left_out)


_SPACES = str.maketrans("\t\r\n", "   ")  # which would end a field
