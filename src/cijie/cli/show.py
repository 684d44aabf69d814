"""`cijie show`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cijie.cli.options import (
    INPUT_GROUP,
    OUTPUT_GROUP,
    check_output,
    command,
    format_by_ending,
    make_recoverers,
    methods_option,
    option,
    output_option,
    refuse,
    segmenter_options,
    stem,
    told_options,
)

if TYPE_CHECKING:
    from cijie.viewer.render import Picture


@command()
@click.argument("texts", metavar="SOURCE TARGET... | FILE", nargs=-1, required=True)
@told_options
@option(
    "--id",
    "ids",
    group=INPUT_GROUP,
    multiple=True,
    metavar="ID",
    help="A sentence of FILE; several times for several.  [default: the first one]",
)
@methods_option
@segmenter_options
@format_by_ending(
    "form",
    ["text", "svg", "html", "json"],
    {".svg": "svg", ".html": "html", ".json": "json", ".jsonl": "json"},
    "For a terminal, a picture, a page, or an object a line.",
)
@option(
    "--style",
    group=OUTPUT_GROUP,
    type=click.Choice(["light", "dark", "auto"]),
    default="auto",
    show_default=True,
    help="The colours of SVG and HTML; auto has those of the reader's system.",
)
@option(
    "--width",
    group=OUTPUT_GROUP,
    type=click.IntRange(min=1),
    help="How wide a line of a picture is.  [default: the terminal's, 820 pixels]",
)
@output_option
def show(
    texts: tuple[str, ...],
    told: dict[str, Any],
    ids: tuple[str, ...],
    methods: str,
    segmenter_options: dict[str, Any],
    form: Any,
    style: Any,
    width: int | None,
    output: str,
) -> None:
    """Show how the words of a SOURCE are recovered from a TARGET, and why.

    Source and target stand character under character, with the links between them and the words of
    both; below them are the recovered words, and a sentence for each boundary that changed.
    Several TARGETS are shown one after the other.

    FILE has pairs or results of `cijie recover`, in any format that cijie reads. Results are shown
    as they are. Pairs are recovered first; so are results, if --methods is given.
    """
    from cijie.files.output import open_output
    from cijie.pictures.terminal import print_lines
    from cijie.viewer.render import render, text_lines

    check_output(output, *texts[:1] if len(texts) == 1 else ())
    if form in ("text", "json"):
        refuse(["style"], f"on --format {form}")
    if len(texts) > 1:
        refuse(["ids", *told], "without a FILE")
    names, pictures = _pictures(texts, ids, methods, segmenter_options, told)
    if form == "text" and output == "-":
        print_lines(lambda cells: text_lines(pictures, cells, names), width)
        return
    shown = render(pictures, format=form, style=style, page=True, width=width, ids=names)
    with open_output(output) as stream:
        stream.write(shown.encode())


def _pictures(
    texts: tuple[str, ...],
    ids: tuple[str, ...],
    methods: str,
    segmenter: dict[str, Any],
    told: dict[str, Any],
) -> tuple[list[str] | None, list[Picture]]:
    """What to show, and the ids of it if it is from a file."""
    from cijie.corpora.reading import ReadOptions
    from cijie.errors import FormatError
    from cijie.recovery.sentence import Sentence
    from cijie.viewer.shown import read_shown, recovered_by, recovery_of

    recoverers = make_recoverers(methods, segmenter)
    if len(texts) > 1:
        source, *targets = texts
        return None, [*recovered_by(Sentence("1", source, tuple(targets)), recoverers)]
    [file] = texts
    if not Path(file).is_file():
        raise click.UsageError(f"there is no file {file!r}; after a SOURCE comes its TARGET")
    given = click.get_current_context().get_parameter_source("methods")
    names: list[str] = []
    pictures: list[Picture] = []
    sentences = list(islice(read_shown(file, ids, options=ReadOptions(**told)), None if ids else 1))
    for sentence in sentences:
        kept = None if sentence.changes is None else recovery_of(sentence)
        if kept is not None and given is not ParameterSource.COMMANDLINE:
            found = [{stem(file): kept}]
        else:
            found = recovered_by(sentence, recoverers)
        pictures += found
        names += [sentence.id] * len(found)
    if not pictures:
        raise FormatError("no sentence with a correction", path=file)
    return names, pictures
