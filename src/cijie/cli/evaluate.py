"""`cijie evaluate`, `cijie diff` and `cijie view`: results against gold and against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from cijie.cli.options.base import (
    GOLD_FILE,
    NAMED_FILE_OR_STDIN,
    OUTPUT_FILE,
    READ_FILE_OR_STDIN,
    Command,
    Named,
    Readable,
    argument,
    check_files,
    named,
    option,
    options,
    refuse,
    stem,
)
from cijie.cli.options.files import (
    LanguageChoice,
    Messages,
    Output,
    Reading,
    TableOutput,
    Trials,
    Workers,
    by_ending,
    shown,
)
from cijie.cli.options.methods import MethodNames, SegmenterChoice
from cijie.errors import counted, printable
from cijie.evaluation.report import render
from cijie.files.opening import is_many
from cijie.jobs.scores import evaluate_files
from cijie.pictures.terminal import print_lines
from cijie.viewer.diff import diff as differences
from cijie.viewer.render import difference_lines, difference_rows
from cijie.viewer.view import view as write_view


@options("Input")
class Compared(Reading):
    """The sentences of the results to compare.

    Attributes:
        pairs: The file of pairs that the systems were given. It has the texts, if no other file has
            them, and the ids of plain lines.
        intersection: Take only the sentences that gold and all systems have.
    """

    pairs: str | None = option(None, type=READ_FILE_OR_STDIN)
    intersection: bool = False

    def settings(self) -> dict[str, Any]:
        """Return these options as arguments of the functions that compare results."""
        return {"pairs": self.pairs, "intersection": self.intersection, "options": self.options()}


@options("Input")
class Scored(Compared):
    """The sentences of the results to compare with gold.

    Attributes:
        any_target: Also score results whose targets are not those that gold was made with.
    """

    any_target: bool = False

    def settings(self) -> dict[str, Any]:
        """Return these options as arguments of the functions that score results."""
        return super().settings() | {"any_target": self.any_target}


def say_left_out(messages: Messages, left_out: Mapping[str, int]) -> None:
    """Print how many sentences of each result were left out."""
    for name, count in left_out.items():
        if count:
            messages.say(f"{name}: {counted(count, 'sentences')} left out")


@options()
class Evaluated(Scored):
    """Gold and systems."""

    gold: str = argument(type=Readable(folders=True, many=True, gold=True))
    systems: tuple[str, ...] = argument(metavar="SYSTEM...", type=Named(folders=True, many=True))


@Command
def evaluate(given: Evaluated, output: TableOutput, trials: Trials, workers: Workers) -> None:
    """Score the segmentations of each SYSTEM against GOLD, and compare the systems.

    Files may be in any format that holds words: JSON lines as `cijie recover` writes them or in
    the stand-off form with checksums, text with white space between words, and others; one may be
    - for standard input. --from, --encoding and --columns apply to GOLD and all SYSTEMs.
    GOLD may be builtin, the gold that cijie ships for MuCGEC's development set. Sentences that are
    not in GOLD are not scored. What was left out goes to standard error. Systems are called after
    their files, or as NAME=FILE says.

    GOLD and SYSTEMs may also be in parts, each a quoted pattern, or a folder for the *.jsonl in it.
    Parts with the same name belong together. They are scored one by one, so memory for one of them
    is enough.
    """
    many = is_many(given.gold) or Path(given.gold).is_dir()
    with shown("parts", "off" if output.quiet or not many else "auto") as show:
        comparison = evaluate_files(
            given.gold,
            named(given.systems),
            **vars(trials),
            workers=workers.workers,
            progress=lambda done, of: show(done, share=done / of),
            **given.settings(),
        )
    output.write_tables(render(comparison, output.table_format), comparison.signature)
    output.say(counted(comparison.sentences, "sentences"))
    left_out = {name: each.left_out for name, each in comparison.systems.items()}
    say_left_out(output, {"gold": comparison.gold_left_out} | left_out)


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


@Command
def diff(results: TwoResults, output: DiffOutput) -> None:
    """Show where two results differ: each region that A and B segment differently, and why.

    A and B are results as `cijie evaluate` takes them; those of `cijie recover` have reasons. They
    are called after their files, or as NAME=FILE says.
    """
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
    """Results, or pairs.

    Attributes:
        gold: The gold segmentations; builtin for those that cijie ships for MuCGEC's development
            set.
    """

    results: tuple[str, ...] = argument(metavar="RESULTS... | PAIRS", type=NAMED_FILE_OR_STDIN)
    gold: str | None = option(None, type=GOLD_FILE)


@options("Output")
class PageOutput(Messages):
    """A page.

    Attributes:
        output: Where to write, *.html.
        split: Put the data beside the page, in a file of their own.
        title: The heading of the page.  [default: the name of gold, or those of RESULTS]
    """

    output: str = option(names="-o --output", metavar="PAGE", type=OUTPUT_FILE)
    split: bool = False
    title: str | None = None

    def __post_init__(self) -> None:
        if self.split:
            check_files([str(Path(self.output).with_suffix(".data.js"))])


@Command
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
    without, unless --intersection is given. One result alone is compared with the words that it
    started from; a file of PAIRS is recovered first, by --methods.

    The page is one file that works from disk, without a network. RESULTS and gold are files as
    `cijie evaluate` takes them; those of `cijie recover` have links and reasons to show. Systems
    are called after their files, or as NAME=FILE says.
    """
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
    output.say(counted(viewed.sentences, "sentences") + without_gold)
    if viewed.comparison:
        say_left_out(output, {"gold": viewed.comparison.gold_left_out})
    say_left_out(output, viewed.left_out)
