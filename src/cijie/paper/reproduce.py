"""The paper's experiments on files, and the page that shows them, which needs nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import UsageError, counted
from cijie.evaluation.tables import Table
from cijie.extras import library
from cijie.files.names import StrPath
from cijie.files.output import new_directory
from cijie.gold.learner import choose_targets
from cijie.noise.corpus import Corpus
from cijie.paper.claims import SIGNIFICANT
from cijie.paper.exhibits import Exhibit, exhibits
from cijie.paper.printed import printed
from cijie.paper.reproduction import Plan, Reproduction, Watch, run, unwatched
from cijie.viewer.pages import render_page


def reproduce(
    pairs: StrPath,
    gold: StrPath,
    output: StrPath,
    plan: Plan,
    *,
    votes: Sequence[StrPath] = (),
    corpus: Corpus | None = None,
    watch: Watch = unwatched,
) -> Reproduction:
    """Run the paper's experiments, and write the page, its tables and its figures.

    Args:
        pairs: a file of pairs; with several corrections of a source, the nearest is its target.
        gold: a file with gold segmentations of the sources.
        output: the directory to write, which must not be there, or be empty.
        plan: what to run.
        votes: files of votes on corrections, for the table that says how targets are chosen.
        corpus: what to make the synthetic benchmark of.
        watch: is given what takes long, and gives it on.

    Raises:
        CijieError: a malformed file, gold that is not of the pairs, too little of it.
        UsageError: votes on pairs that have one correction each.
        FileExistsError: the directory has files in it.
        MissingExtraError: Matplotlib is not installed.
    """
    library("matplotlib", "figures")  # before the work
    sentences = read(pairs, "pairs")
    has_corrections = pairs != "-" and not sentences.format.named
    if votes and not has_corrections:
        raise UsageError("votes have no effect on pairs with one correction each")
    known = list(sentences_of(sentences))
    reference, _ = read_to_compare(gold, (), known)
    selection = choose_targets(pairs, votes=votes).card if has_corrections else None
    with new_directory(output) as directory:
        results = run(known, reference, plan, corpus=corpus, watch=watch)
        for name, content in as_files(results, selection).items():
            (directory / name).write_bytes(content)
    return replace(results, skipped=Counter(sentences.skipped) + results.skipped)


def as_files(results: Reproduction, selection: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """The files of all exhibits, by name, and the page as `index.html`; see `exhibits`."""
    shown = exhibits(results, selection)
    written = {"index.html": _page(results, shown)}
    for exhibit in shown:
        written |= exhibit.files()
    return written


def _page(results: Reproduction, shown: Sequence[Exhibit]) -> bytes:
    """All exhibits on one page, the paper's figures beside those of the run."""
    return render_page(
        "page",
        folder=files(__package__) / "template",
        exhibits={exhibit.name: exhibit for exhibit in shown},
        printed=printed(),
        results=results,
        significant=SIGNIFICANT,
        verdicts=Counter(verdict for _, verdict, _ in shown[0].tables[0].rows),
        # How the template writes things.
        base64=lambda content: b64encode(content).decode(),
        counted=counted,
        heads=lambda table: [column.name for column in table.columns[1:]],
        kinds=_kinds,
        minus=lambda text: re.sub(r"^-(?=\d)", "−", text),
        rows_by_label=lambda table: {label: cells for label, *cells in table.formatted()},
    )


def _kinds(table: Table) -> list[str]:
    """What each column but the first holds."""
    columns = ([row[k] for row in table.rows] for k in range(1, len(table.columns)))
    return [
        "words" if any(cells) and all(isinstance(cell, str) for cell in cells) else "number"
        for cells in columns
    ]
