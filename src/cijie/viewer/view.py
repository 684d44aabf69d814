"""The view page: systems side by side, with gold or without."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cijie.corpora.reading import ReadOptions
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import CijieError, UsageError
from cijie.evaluation.comparison import Comparison
from cijie.evaluation.sentences import common_ids
from cijie.evaluation.statistics import statistics_of
from cijie.files.names import StrPath, named_files
from cijie.files.output import open_output
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence, nearest
from cijie.viewer.page_data import page_data
from cijie.viewer.pages import render_data, render_page
from cijie.viewer.shown import has_pairs, read_shown
from cijie.viewer.systems import System, Words, read_sentences


@dataclass(frozen=True, slots=True)
class Viewed:
    """What a view page shows.

    Attributes:
        sentences: how many there are.
        left_out: how many sentences of each system are not shown, because others lack them.
        comparison: the scores of the systems, if there is gold.
        skipped: how much was left out of the pairs, by reason.
    """

    sentences: int
    left_out: Mapping[str, int]
    comparison: Comparison | None
    skipped: Mapping[str, int]


def view(
    results: StrPath | Sequence[StrPath] | Mapping[str, StrPath],
    output: StrPath,
    *,
    gold: StrPath | None = None,
    pairs: StrPath | None = None,
    recoverers: Mapping[str, Recoverer] | None = None,
    title: str | None = None,
    split: bool = False,
    intersection: bool = False,
    any_target: bool = False,
    differing: bool = False,
    trials: int = 10_000,
    seed: int = 0,
    options: ReadOptions | None = None,
) -> Viewed:
    """Write a page that shows the results of systems, sentence by sentence.

    Without gold it shows where systems differ, what they changed and why; of a single result, where
    it differs from the words that it started from. With gold it also shows scores and errors.

    Args:
        results: one file or several, by the names of the systems or else called after the files. A
            file of pairs, which must be the only one, is recovered first.
        output: where to write; `-` is standard output.
        gold: the file with gold.
        pairs: a file with texts and targets for results that have none, and with further targets.
        recoverers: what recovers pairs, by the names to show; P3 if None.
        title: the heading; if None, the name of gold, or else those of the systems.
        split: whether to put the data beside the page, in a file of their own.
        intersection: whether to take only the sentences that all files have; else one that a
            later file lacks is an error.
        any_target: whether pairs may have other targets than those that gold was made with.
        differing: whether to take only the sentences that the systems do not all cut alike.
        trials: how many random trials each significance test makes.
        seed: seeds them.
        options: what is said about the files of results and gold; by default name and content say
            what they are.

    Raises:
        CijieError: files that cannot be read or do not fit, nothing to show.
        UsageError: `split` with standard output; a file of pairs for another.
    """
    if split and str(output) == "-":
        raise UsageError("split data need the name of a page, not standard output")
    named = named_files(results)
    if not named:
        raise UsageError("there is nothing to view")
    skipped: Counter[str] = Counter()
    [*others, last] = named.values()
    to_recover = not others and has_pairs(last, options)
    if to_recover and pairs is not None:
        raise UsageError(f"{last} has pairs itself, so it needs no other file of pairs")
    known: list[Sentence] = []
    if to_recover:
        known.extend(read_shown(last, skipped=skipped, options=options))
    elif pairs is not None:
        known.extend(read_shown(pairs, skipped=skipped))
    chosen = [each.of_pair(nearest(each.source, each.targets) + 1) for each in known]
    reference: Words | None = None
    if to_recover:
        systems = _recovered(chosen, recoverers or {"p3": Recoverer()})
        if gold is not None:
            reference, _ = read_to_compare(gold, (), chosen, any_target=any_target, options=options)
    else:
        reference, systems = _read(gold, named, chosen, any_target, options)
    if len(systems) == 1 and reference is None:
        systems = _with_initial(systems)
    words = {name: system.words for name, system in systems.items()}
    owner = next(iter(words)) if reference is None else f"the gold ({gold})"
    base = words[owner] if reference is None else reference
    ids = common_ids(base, words, intersection=intersection, owner=owner)
    if not ids:
        raise CijieError("there is no sentence to show")
    comparison = None
    if reference is not None:
        statistics = statistics_of(reference, words, intersection=intersection)
        comparison = Comparison.of(statistics, trials=trials, seed=seed)
    targets = {each.id: each.targets for each in known}
    sentences = read_sentences(ids, systems, gold=reference, targets=targets)
    if differing:
        sentences = (each for each in sentences if len(set(each.systems)) > 1)
    title = title or (", ".join(named) if gold is None else Path(gold).stem)
    data = page_data(list(systems), sentences, title=title, comparison=comparison)
    _write(data, output, split=split)
    left_out = {name: len(system.words) - len(ids) for name, system in systems.items()}
    return Viewed(len(data["sentences"]), left_out, comparison, skipped)


def _recovered(pairs: Sequence[Sentence], recoverers: Mapping[str, Recoverer]) -> dict[str, System]:
    ids = [pair.id for pair in pairs]
    return {
        name: System.of_recoveries(dict(zip(ids, recoverer.recover_all(pairs), strict=True)))
        for name, recoverer in recoverers.items()
    }


def _read(
    gold: StrPath | None,
    named: Mapping[str, StrPath],
    pairs: Sequence[Sentence],
    any_target: bool,
    options: ReadOptions | None,
) -> tuple[Words | None, dict[str, System]]:
    """Gold, if there is any, and the systems whose results are in files."""
    paths = [*([] if gold is None else [gold]), *named.values()]
    first, rest = read_to_compare(
        paths[0], paths[1:], pairs, any_target=any_target, options=options
    )
    files = [first, *rest] if gold is None else rest
    systems = {name: System.of_file(file) for name, file in zip(named, files, strict=True)}
    return (None if gold is None else first), systems


def _with_initial(systems: dict[str, System]) -> dict[str, System]:
    """One system with what it started from, if that is known, to be compared with."""
    [system] = systems.values()
    before = system.before()
    return systems if before is None else {"initial": before, **systems}


def _write(data: Mapping[str, Any], output: StrPath, *, split: bool) -> None:
    beside = Path(output).with_suffix(".data.js")
    if split:
        with open_output(beside) as stream:
            stream.write(render_data(data))
    page = render_page("view", data_file=beside.name) if split else render_page("view", data)
    with open_output(output) as stream:
        stream.write(page)
