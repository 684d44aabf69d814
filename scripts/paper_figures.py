"""Print the figures in docs/paper.md that no cijie command prints.

    python scripts/paper_figures.py MuCGEC_dev.txt

- The shares of substitutions, deletions and insertions, counted in nine ways: in the nearest
  correction, the first, or all; by characters, runs of edits of one kind, or stretches between two
  unchanged characters.
- F1 of the IBM-style aligner under the join rule `endpoints`, on the gold that cijie ships: with
  all links, with links over at most five characters, and with links between identical characters.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from cijie.alignment.links import Alignment, Link
from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.evaluation.comparison import evaluate
from cijie.gold.shipped import builtin_gold
from cijie.paper.ibm import IbmAligner, train_ibm
from cijie.projection.boundaries import project
from cijie.recovery.recoverer import Recoverer, segment_pairs
from cijie.recovery.sentence import Recovery, Sentence
from cijie.segmenters import load_segmenter

KINDS = ("replace", "delete", "insert")


def characters(source: str, target: str) -> Iterator[str]:
    return (edit.tag for edit in Levenshtein.editops(target, source))


def runs(source: str, target: str) -> Iterator[str]:
    return (edit.tag for edit in Levenshtein.opcodes(target, source) if edit.tag != "equal")


def between(source: str, target: str) -> Iterator[str]:
    edits = groupby(Levenshtein.opcodes(target, source), key=lambda edit: edit.tag == "equal")
    for unchanged, found in edits:
        tags = {edit.tag for edit in found}
        if not unchanged:
            yield tags.pop() if len(tags) == 1 else "replace"


def print_shares(sentences: Sequence[Sentence]) -> None:
    chosen: dict[str, Callable[[Sentence], Iterable[str]]] = {
        "nearest": lambda each: each.of_pair().targets,
        "first": lambda each: each.targets[:1],
        "all": lambda each: each.targets,
    }
    print("substitutions, deletions, insertions:")
    for name, corrections in chosen.items():
        for count in (characters, runs, between):
            kinds = Counter(
                kind
                for each in sentences
                for target in corrections(each)
                for kind in count(each.source, target)
            )
            shares = ", ".join(f"{kinds[kind] / kinds.total():.3f}" for kind in KINDS)
            print(f"{name:8} {count.__name__:11} {shares}")


def print_ibm(pairs: Iterable[Sentence]) -> None:
    segmented = list(segment_pairs(load_segmenter("wapic"), pairs))
    aligner = IbmAligner(train_ibm((x.source, x.target_segmentation) for x in segmented))
    recovered = list(Recoverer(method=aligner).recover_all(segmented))
    gold, _ = read_to_compare(builtin_gold(), (), segmented)

    def f1(keep: Callable[[Recovery, Link], bool]) -> float:
        words = {}
        for each in recovered:
            links = [link for link in each.alignment.as_tuples() if keep(each, Link(*link))]
            alignment = Alignment.from_tuples(len(each.source), len(each.target), links)
            sides = each.initial, each.target_segmentation
            words[each.id] = project(*sides, alignment, join_rule="endpoints").segmentation
        return evaluate(gold, words).f1

    print("the IBM-style aligner under endpoints, token F1:")
    print(f"all links                 {f1(lambda *_: True):.4f}")
    print(
        f"over at most 5 characters {f1(lambda _, link: abs(link.source - link.target) <= 5):.4f}"
    )
    identical = f1(lambda each, link: each.source[link.source] == each.target[link.target])
    print(f"identical characters      {identical:.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Print figures of docs/paper.md.")
    parser.add_argument("pairs", help="MuCGEC's development file")
    path = parser.parse_args().pairs
    corrected = [each for each in sentences_of(read(path, "corrections")) if each.status is None]
    print_shares(corrected)
    print_ibm([each.of_pair() for each in corrected])


if __name__ == "__main__":
    main()
