"""Write the view page: systems side by side, with or without gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cijie.corpora.reading import ReadOptions
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import CijieError, UsageError
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.sentences import common_ids
from cijie.files.opening import StrPath, named_files
from cijie.files.output import open_output
from cijie.viewer.page_data import page_data
from cijie.viewer.pages import render_data, render_page
from cijie.viewer.shown import System, read_shown, side_by_side


@dataclass(frozen=True, slots=True)
class Viewed:
    """A summary of the contents of a view page.

    Attributes:
        sentences: the number of sentences.
        without_gold: the number of sentences that gold lacks, if there is gold.
        left_out: the number of sentences of each system not shown because others lack them.
        comparison: the scores of the systems, if there is gold.
    """

    sentences: int
    without_gold: int
    left_out: Mapping[str, int]
    comparison: Comparison | None


def view(
    results: StrPath | Sequence[StrPath] | Mapping[str, StrPath],
    output: StrPath,
    *,
    gold: StrPath | None = None,
    pairs: StrPath | None = None,
    title: str | None = None,
    split: bool = False,
    intersection: bool = False,
    any_target: bool = False,
    trials: int = 10_000,
    seed: int = 0,
    options: ReadOptions | None = None,
) -> Viewed:
    """Write a page that shows the results of systems, sentence by sentence.

    Without gold it shows the differences between systems, their changes and the reasons; for a
    single result, its differences from the initial segmentation. With gold it also shows scores and
    errors; sentences that all systems have but gold lacks are marked as without gold.

    Args:
        results: one file or several, by system name or else named after the files.
        output: the output file; `-` is standard output.
        gold: the file with gold.
        pairs: a file with texts and targets, for results without them, and with further targets.
        title: the heading; if None, the name of the gold file, or else the names of the systems.
        split: whether to put the data into a separate file next to the page.
        intersection: whether to take only the sentences that all files have, including gold; else
            a sentence of gold, or else of the first file, that a later file lacks is an error.
        any_target: whether pairs may have other targets than the ones that gold is based on.
        trials: the number of random trials of each significance test.
        seed: the seed of the trials.
        options: reading options for results and gold; unset ones are inferred from name and
            content.

    Raises:
        CijieError: a file cannot be read, the files do not match, or nothing is left to show.
        UsageError: `split` with standard output.
    """
    if split and str(output) == "-":
        raise UsageError("--split writes two files: it requires -o FILE")
    named = named_files(results)
    if not named:
        raise UsageError("nothing to view")
    known = [] if pairs is None else list(read_shown(pairs))
    paths = [*([] if gold is None else [gold]), *named.values()]
    first, rest = read_to_compare(
        paths[0], paths[1:], known, any_target=any_target, options=options
    )
    found = [first, *rest] if gold is None else rest
    systems: dict[str, System] = dict(zip(named, found, strict=True))
    owner = next(iter(systems)) if gold is None else f"the gold ({gold})"
    ids = common_ids(first, systems, intersection=intersection, owner=owner)
    if not ids:
        raise CijieError("no sentence to show")
    reference, comparison = None, None
    if gold is not None:
        reference = first
        comparison = compare(first, systems, intersection=intersection, trials=trials, seed=seed)
        if not intersection:
            ids = common_ids(found[0], systems, intersection=True)
    targets = {each.id: each.targets for each in known}
    sentences = side_by_side(ids, systems, gold=reference, targets=targets)
    title = title or (", ".join(named) if gold is None else Path(gold).stem)
    data = page_data(list(systems), sentences, title=title, comparison=comparison)
    beside = Path(output).with_suffix(".data.js")
    if split:
        with open_output(beside) as stream:
            stream.write(render_data(data))
    page = render_page("view", data_file=beside.name) if split else render_page("view", data)
    with open_output(output) as stream:
        stream.write(page)
    left_out = {name: len(system) - len(ids) for name, system in systems.items()}
    shown = data["sentences"]
    without_gold = sum(each.get("without_gold", False) for each in shown)
    return Viewed(len(shown), without_gold, left_out, comparison)
