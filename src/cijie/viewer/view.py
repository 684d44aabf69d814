"""Write the view page: systems side by side, with or without gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cijie.corpora.reading import ReadOptions, read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.errors import CijieError, UsageError
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.sentences import common_ids
from cijie.files.opening import StrPath, is_read_once, named_files
from cijie.files.output import open_output
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Sentence
from cijie.viewer.page_data import page_data
from cijie.viewer.pages import render_data, render_page
from cijie.viewer.shown import System, read_shown, side_by_side


@dataclass(frozen=True, slots=True)
class Viewed:
    """A summary of the contents of a view page.

    Attributes:
        sentences: the number of sentences.
        without_gold: the number of sentences that gold lacks, if there is gold.
        left_out: the number of sentences of each system not shown because others lack them; of a
            file of pairs, of those without a correction.
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
    recoverers: Callable[[], Mapping[str, Recoverer]] | None = None,
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
        results: one file or several, by system name or else named after the files. A file of
            pairs, which must be the only file, is recovered first; it needs no `pairs`.
        output: the output file; `-` is standard output.
        gold: the file with gold.
        pairs: a file with texts and targets, for results without them, and with further targets.
        recoverers: returns the recoverers for pairs, by system name; by default P3. It is called
            only for pairs, because methods take a second to load.
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
    left_out: dict[str, int] = {}
    to_recover: list[Sentence] = []
    if len(named) == 1 and pairs is None:
        [(name, path)] = named.items()
        to_recover, left_out[name] = _pairs(path, options)
    known = to_recover if pairs is None else list(read_shown(pairs))
    paths = [*([] if gold is None else [gold]), *([] if to_recover else named.values())]
    files: list[System] = []
    if paths:
        first, rest = read_to_compare(
            paths[0], paths[1:], known, any_target=any_target, options=options
        )
        files = [first, *rest]
    reference = None if gold is None else files.pop(0)
    systems = dict(zip(named, files, strict=False))
    if to_recover:
        loaded = recoverers() if recoverers else {"p3": Recoverer()}
        systems = {
            name: {each.id: each for each in recoverer.recover_all(known)}
            for name, recoverer in loaded.items()
        }
    shared = next(iter(systems.values()))
    owner = next(iter(systems)) if gold is None else f"the gold ({gold})"
    ids = common_ids(reference or shared, systems, intersection=intersection, owner=owner)
    if not ids:
        raise CijieError("no sentence to show")
    comparison = None
    if reference:
        comparison = compare(
            reference, systems, intersection=intersection, trials=trials, seed=seed
        )
        if not intersection:
            ids = common_ids(shared, systems, intersection=True)
    targets = {each.id: each.targets for each in known}
    sentences = side_by_side(ids, systems, gold=reference, targets=targets)
    title = title or (", ".join(named) if gold is None else Path(gold).stem)
    data = page_data(list(systems), sentences, title=title, comparison=comparison)
    if split:
        beside = Path(output).with_suffix(".data.js")
        with open_output(beside) as stream:
            stream.write(render_data(data))
        page = render_page("view", data_file=beside.name)
    else:
        page = render_page("view", data)
    with open_output(output) as stream:
        stream.write(page)
    left_out |= {name: len(system) - len(ids) for name, system in systems.items()}
    shown = data["sentences"]
    without_gold = sum(each.get("without_gold", False) for each in shown)
    return Viewed(len(shown), without_gold, left_out, comparison)


def _pairs(path: StrPath, options: ReadOptions | None) -> tuple[list[Sentence], int]:
    """Read a file of pairs, and count those without a correction; a file of words holds no pairs.

    The first sentence says which it is. Files that can be read only once hold words.
    """
    if is_read_once(path):
        return [], 0
    found = sentences_of(read(path, "sentences", options))
    try:
        first = next(found, None)
    except CijieError:  # words without texts; what else is wrong is said when they are read
        return [], 0
    if not first or first.segmentation or not (first.targets or first.status):
        return [], 0
    sentences = [first, *found]
    pairs = [each for each in sentences if each.targets and each.status is None]
    return pairs, len(sentences) - len(pairs)
