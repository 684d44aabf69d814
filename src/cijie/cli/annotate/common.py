"""What the commands of `cijie annotate` share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cijie.cli.options import INPUT, INPUT_GROUP, OUTPUT_GROUP, left_out, option, read_pair_file
from cijie.errors import counted

if TYPE_CHECKING:
    from cijie.gold.annotation import Annotation
    from cijie.gold.study import Study
    from cijie.recovery.pair import Pair

FOLDER_OR_FILE = click.Path(exists=True, allow_dash=True)

intersection_option = option(
    "--intersection",
    group=INPUT_GROUP,
    is_flag=True,
    help="Take only the sentences that all annotators have done.",
)
start_option = option(
    "--start",
    group=OUTPUT_GROUP,
    metavar="START",
    default="agreed",
    show_default=True,
    help="What annotation starts from: agreed (the boundaries that all proposals have), none, or "
    "the name of a proposal.",
)
guideline_option = option(
    "--guideline",
    "guidelines",
    group=OUTPUT_GROUP,
    type=INPUT,
    multiple=True,
    help="A text in Markdown that pages show; twice for two languages, as *.en.md and *.zh.md.  "
    "[default: cijie's guideline; none for votes]",
)


def study_in(path: str, **files: Any) -> Study | None:
    """The study in a folder, or None if the path is that of a file.

    Args:
        path: what the command was given.
        files: what goes with files only, by the name that the user knows.
    """
    from cijie.gold.study import Study

    if not Path(path).is_dir():
        return None
    for name, value in files.items():
        if value:
            raise click.UsageError(f"{path} is a folder, which has its own files: no {name}")
    return Study.open(path)


def guideline_texts(paths: Iterable[str], *, mode: str = "annotate") -> dict[str, str]:
    """The guidelines in files, or cijie's, which says nothing about votes."""
    from cijie.gold.guideline import builtin_guidelines, read_guidelines

    return read_guidelines(paths) or ({} if mode == "vote" else builtin_guidelines())


def names_of(annotators: str) -> list[str]:
    """The names of annotators, or voters, from what the user gave."""
    from cijie.gold.study import annotator_names

    return annotator_names(annotators)


def read_all(
    pairs: str | Path, annotations: Iterable[str | Path]
) -> tuple[dict[str, Pair], dict[str, dict[str, Annotation]], Counter[str]]:
    """Pairs by id, annotations of them by annotator and id, and what was left out."""
    from cijie.gold.annotation import read_annotations

    known = {pair.id: pair for pair in read_pair_file(str(pairs))}
    skipped: Counter[str] = Counter()
    return known, read_annotations(annotations, known, skipped), skipped


def echo_read(
    known: dict[str, Pair],
    read: dict[str, dict[str, Annotation]],
    skipped: Counter[str],
    taken: int,
) -> None:
    """Say how many sentences were taken, and what was left out."""
    if nobody := len(known.keys() - set().union(*read.values())):
        skipped["sentences that nobody annotated"] = nobody
    for name, annotated in read.items():
        if len(annotated) > taken:
            skipped[f"sentences of {name}"] = len(annotated) - taken
    click.echo(f"{counted(taken, 'sentences')}{left_out(skipped)}", err=True)


def echo_next(*lines: str) -> None:
    """Say what comes next."""
    click.echo("next: " + "\n      ".join(lines), err=True)
