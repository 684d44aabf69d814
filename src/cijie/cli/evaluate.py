"""`cijie evaluate`."""

from __future__ import annotations

from pathlib import Path

from cijie.cli.options.base import argument, command, options
from cijie.cli.options.compared import Scored, say_compared
from cijie.cli.options.output import TableOutput, Trials, Workers
from cijie.cli.options.paths import Named, Readable, named
from cijie.cli.progress import shown
from cijie.files.opening import is_many


@options()
class Evaluated(Scored):
    """Gold and systems."""

    gold: str = argument(type=Readable(folders=True, many=True, gold=True))
    systems: tuple[str, ...] = argument(metavar="SYSTEM...", type=Named(folders=True, many=True))


@command
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
    from cijie.evaluation.report import render
    from cijie.jobs.scores import evaluate_files

    many = is_many(given.gold) or Path(given.gold).is_dir()
    with shown("parts", "auto" if many and not output.quiet else "off") as show:
        comparison = evaluate_files(
            given.gold,
            named(given.systems),
            **vars(trials),
            workers=workers.workers,
            progress=lambda done, of: show(done, share=done / of),
            **given.settings(),
        )
    output.write_tables(render(comparison, output.table_format), comparison.signature)
    say_compared(output, comparison)
