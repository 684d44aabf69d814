"""Run the paper's experiments on files, and write the results as a self-contained page."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any, Literal

import orjson

from cijie.choices import Language
from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import UsageError
from cijie.evaluation.tables import Table
from cijie.extras import library
from cijie.files.opening import StrPath
from cijie.files.output import new_directory
from cijie.gold.learner import choose_targets
from cijie.noise.conditions import Corpus
from cijie.paper.claims import SIGNIFICANT, claims, papers_table
from cijie.paper.exhibits import Exhibit, exhibits
from cijie.paper.reproduction import Plan, Reproduction, Watch, run, unwatched
from cijie.recovery.sentence import Sentence
from cijie.viewer.pages import render_page

Correction = Literal["nearest", "selected"]

_PAGES: Mapping[Language, str] = {"en": "index.html", "zh": "index.zh.html"}


def reproduce(
    pairs: StrPath,
    gold: StrPath,
    output: StrPath,
    plan: Plan,
    *,
    votes: Sequence[StrPath] = (),
    correction: Correction = "nearest",
    any_target: bool = False,
    corpus: Corpus | None = None,
    watch: Watch = unwatched,
) -> Reproduction:
    """Run the paper's experiments, and write the page, its tables and its figures.

    Args:
        pairs: a file of pairs, or of sources with several corrections.
        gold: a file with gold segmentations of the sources.
        output: the output directory, which must not exist or be empty.
        plan: the experiments to run.
        votes: files of votes on corrections.
        correction: the choice of the target among several corrections: `"nearest"` by Levenshtein
            distance, or `"selected"` by `choose_targets`, from both rankings or votes.
        any_target: whether pairs may have other targets than the ones that gold is based on.
        corpus: the corpus for the synthetic benchmark.
        watch: shows the progress of long steps, see `Watch`.

    Raises:
        CijieError: a malformed file, gold that does not match the pairs, or too little gold.
        UsageError: votes or a selection for pairs with one correction each.
        FileExistsError: the directory is not empty.
        MissingExtraError: Matplotlib is not installed.
    """
    library("matplotlib", "figures")  # before the work
    sentences = read(pairs, "pairs")
    has_corrections = pairs != "-" and not sentences.format.named
    if (votes or correction == "selected") and not has_corrections:
        raise UsageError("nothing can be selected among pairs with one correction each")
    known = list(sentences_of(sentences))
    chosen = choose_targets(pairs, votes=votes) if has_corrections else None
    if chosen and correction == "selected":
        records = chosen.files["pairs.jsonl"]
        known = [Sentence(each["id"], each["source"], (each["target"],)) for each in records]
    selection = {**chosen.card, "correction": correction} if chosen else None
    reference, _ = read_to_compare(gold, (), known, any_target=any_target)
    with new_directory(output) as directory:
        results = run(known, reference, plan, corpus=corpus, watch=watch)
        for name, content in as_files(results, selection).items():
            (directory / name).write_bytes(content)
    return replace(results, skipped=Counter(sentences.skipped) + results.skipped)


def as_files(results: Reproduction, selection: Mapping[str, Any] | None = None) -> dict[str, bytes]:
    """Return the files of all exhibits, by name, and the page in each language; see `exhibits`."""
    shown = exhibits(results, selection)
    written = {_PAGES[language]: _page(results, shown, selection, language) for language in _PAGES}
    for exhibit in shown:
        written |= exhibit.files()
    return written


def _page(
    results: Reproduction,
    shown: Sequence[Exhibit],
    selection: Mapping[str, Any] | None,
    language: Language,
) -> bytes:
    """Render all exhibits on one page, with the paper's figures beside the run's."""
    folder = files(__package__) / "template"
    messages = orjson.loads((folder / "page.messages.json").read_bytes())

    def say(key: str, values: Mapping[str, object] | None = None) -> str:
        """Return a message; a text that is none, such as a number, stays as it is."""
        text: str = messages.get(key, (key, key))[language == "zh"]
        return text if values is None else text.format(**values)

    return render_page(
        "page",
        folder=folder,
        lang="zh-Hans" if language == "zh" else "en",
        other=next(page for other, page in _PAGES.items() if other != language),
        t=say,
        exhibits={exhibit.name: exhibit for exhibit in shown},
        printed={**printed(), "claims/claims": papers_table(claims(results))},
        results=results,
        selection=selection,
        significant=SIGNIFICANT,
        verdicts=Counter(verdict for _, verdict, _ in shown[0].tables[0].rows),
        # Functions of the template.
        base64=lambda content: b64encode(content).decode(),
        kinds=_kinds,
        minus=lambda text: re.sub(r"^-(?=\d)", "−", text),
        rows_by_label=lambda table: {label: cells for label, *cells in table.lines[1:]},
    )


def printed() -> dict[str, Table]:
    """Read the paper's tables, by exhibit and name of the corresponding table of a run.

    All figures are copied from Wang, Li, Yuan and Park, "Chinese Word Boundary Recovery through
    Character Alignment Projection", and cover all 1,079 pairs of its learner benchmark. Nothing
    here is computed, and no result of a run depends on it. Rows are named as in the run, columns
    are the ones that the paper reports, and captions name the table in the paper.
    """
    tables = orjson.loads((files(__package__) / "printed.json").read_bytes())
    return {name: Table(name, **table) for name, table in tables.items()}


def _kinds(table: Table) -> list[str]:
    """Return the kind of content of each column except the first."""
    columns = ([row[k] for row in table.rows] for k in range(1, 1 + len(table.columns)))
    return [
        "words" if any(cells) and all(isinstance(cell, str) for cell in cells) else "number"
        for cells in columns
    ]
