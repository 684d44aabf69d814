"""Compare the speed of alignment and projection with spaCy's token aligner, on the same pairs.

    python benchmarks/alignment.py PAIRS.tsv

Segmentations are given: rjieba segments both sides once, before the clock starts.
`spacy_alignments.get_alignments` maps tokens to tokens; cijie links characters and projects word
boundaries, except where a row says otherwise. They are timed in turn, several times; quote the
median of the ratios.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import rjieba
import spacy_alignments

from cijie.corpora.reading import read, sentences_of
from cijie.recovery.methods import RecoveryMethod, make_method
from cijie.recovery.sentence import Sentence
from cijie.text.segmentation import Segmentation

BATCH = 256


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", help="a file in MuCGEC's format")
    parser.add_argument("--repeat", type=int, default=15)
    arguments = parser.parse_args()

    pairs = list(sentences_of(read(arguments.pairs, "pairs")))
    tokens = [(rjieba.cut(pair.source), rjieba.cut(pair.target or "")) for pair in pairs]
    words = [
        (Segmentation.from_tokens(pair.source, a), Segmentation.from_tokens((pair.target or ""), b))
        for pair, (a, b) in zip(pairs, tokens, strict=True)
    ]

    def peer() -> None:
        for a, b in tokens:
            spacy_alignments.get_alignments(a, b)

    rivals = {
        "P1, links alone": alignment(pairs, make_method("p1")),
        "P1": recovery(pairs, words, make_method("p1")),
        "P2, identity for glyphs, no context": recovery(
            pairs, words, make_method("p2", glyph_table="identity", context="none")
        ),
        "P2": recovery(pairs, words, make_method("p2")),
        "P3": recovery(pairs, words, make_method("p3")),
    }
    times: dict[str, list[float]] = {name: [] for name in ("spacy_alignments", *rivals)}
    for _ in range(arguments.repeat):
        times["spacy_alignments"].append(seconds(peer))
        for name, rival in rivals.items():
            times[name].append(seconds(rival))
    print("| what | pairs/s | time against spacy_alignments |")
    print("|---|---|---|")
    for name, taken in times.items():
        ratios = [a / b for a, b in zip(taken, times["spacy_alignments"], strict=True)]
        speed = len(pairs) / statistics.median(taken)
        print(f"| {name} | {speed:,.0f} | {statistics.median(ratios):.2f} |")


def alignment(pairs: list[Sentence], method: RecoveryMethod) -> Callable[[], None]:
    def run() -> None:
        for start in range(0, len(pairs), BATCH):
            texts = [(pair.source, (pair.target or "")) for pair in pairs[start : start + BATCH]]
            method.aligner.align(texts)  # type: ignore[union-attr]

    return run


def recovery(
    pairs: list[Sentence], words: list[tuple[Segmentation, Segmentation]], method: RecoveryMethod
) -> Callable[[], None]:
    def run() -> None:
        for start in range(0, len(pairs), BATCH):
            texts = [(pair.source, (pair.target or "")) for pair in pairs[start : start + BATCH]]
            aligned = method.aligner.align(texts)  # type: ignore[union-attr]
            for (source, target), links in zip(words[start:], aligned, strict=False):
                method.projector(source, target, links)

    return run


def seconds(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
