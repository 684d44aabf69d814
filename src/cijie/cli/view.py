"""`cijie view` and `cijie diff`: results side by side."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from cijie.cli.options.base import REQUIRED, argument, command, option, options, refuse
from cijie.cli.options.compared import Compared, MethodNames, Scored, say_left_out
from cijie.cli.options.methods import SegmenterChoice
from cijie.cli.options.output import LanguageChoice, Messages, Output, Trials, by_ending, left_out
from cijie.cli.options.paths import (
    GOLD_FILE_OR_STDIN,
    NAMED_FILE_OR_STDIN,
    OUTPUT_FILE,
    check_files,
    named,
    stem,
)
from cijie.errors import counted, printable


@options()
class TwoResults(Compared):
    """Two results."""

    a: str = argument(type=NAMED_FILE_OR_STDIN)
    b: str = argument(type=NAMED_FILE_OR_STDIN)


@options()
class DiffOutput(LanguageChoice, Output):
    """Differences, in a format that defaults to the extension of the output."""

    diff_format: Any = by_ending(
        ["text", "tsv"],
        {".tsv": "tsv"},
        "For a terminal, or one region per line.",
        " `cijie view A B` makes a page.",
    )


@command
def diff(results: TwoResults, output: DiffOutput) -> None:
    """Show where two results differ: each region that A and B segment differently, and why.

    A and B are results as `cijie evaluate` takes them; those of `cijie recover` have reasons. They
    are called after their files, or as NAME=FILE says.
    """
    from cijie.pictures.terminal import print_lines
    from cijie.viewer.diff import diff as differences
    from cijie.viewer.render import difference_lines, difference_rows

    first, second = named([results.a, results.b])
    settings = results.settings()
    if output.diff_format != "text":
        refuse(["lang"], "on --format tsv")
    left_out: Counter[str] = Counter()
    found = list(
        differences(results.a, results.b, names=(first, second), left_out=left_out, **settings)
    )
    if output.diff_format == "text" and output.output == "-":
        print_lines(lambda _: difference_lines(found, output.language()))
    elif output.diff_format == "text":
        lines = difference_lines(found, output.language())
        output.write(f"{line.plain}\n".encode() for line in lines)
    else:
        rows = difference_rows(found, (first, second))
        output.write(("\t".join(map(printable, row)) + "\n").encode() for row in rows)
    sentences = len({each.id for each in found})
    output.say(f"{counted(len(found), 'regions')} in {counted(sentences, 'sentences')}")
    say_left_out(output, left_out)


@options("Input")
class Viewed(Scored):
    """Results, or one file of pairs.

    Attributes:
        gold: The gold segmentations; builtin for those that cijie ships for MuCGEC's development
            set.
    """

    results: tuple[str, ...] = argument(metavar="RESULTS... | PAIRS", type=NAMED_FILE_OR_STDIN)
    gold: str | None = option(None, type=GOLD_FILE_OR_STDIN)


@options("Output")
class PageOutput(Messages):
    """A page.

    Attributes:
        output: Where to write, *.html.
        split: Put the data beside the page, in a file of their own.
        title: The heading of the page.  [default: the name of gold, or those of RESULTS]
    """

    output: str = option(REQUIRED, "-o --output", metavar="PAGE", type=OUTPUT_FILE)
    split: bool = False
    title: str | None = None

    def __post_init__(self) -> None:
        if self.split:
            check_files([str(Path(self.output).with_suffix(".data.js"))])


@command
def view(
    given: Viewed,
    methods: MethodNames,
    segmenter: SegmenterChoice,
    output: PageOutput,
    trials: Trials,
) -> None:
    """Write a page that shows the RESULTS of systems, sentence by sentence.

    The page shows what the systems changed and why, where they differ, and how sure they are. With
    --gold it also has scores, errors and outcome patterns; sentences that gold lacks are shown
    without, unless --intersection is given. One result alone is compared with the
    words that it started from; a file of PAIRS is recovered first, by --methods.

    The page is one file that works from disk, without a network. RESULTS and gold are files as
    `cijie evaluate` takes them; those of `cijie recover` have links and reasons to show. Systems
    are called after their files, or as NAME=FILE says.
    """
    from cijie.viewer.view import view as write_view

    viewed = write_view(
        named(given.results),
        output.output,
        gold=given.gold,
        recoverers=partial(methods.recoverers, segmenter),
        title=output.title or (stem(given.gold) if given.gold else None),
        split=output.split,
        **vars(trials),
        **given.settings(),
    )
    without_gold = f", {viewed.without_gold:,} of them without gold" if viewed.without_gold else ""
    output.say(counted(viewed.sentences, "sentences") + without_gold + left_out(viewed.skipped))
    if viewed.comparison:
        say_left_out(output, {"gold": viewed.comparison.gold_left_out})
    say_left_out(output, viewed.left_out)
