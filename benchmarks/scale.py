"""How the time grows with the length of sentences and the size of a corpus, beside its peers.

    python benchmarks/scale.py PAIRS.tsv

Two tables in Markdown. Sentences of a length are made by joining pairs of the file. Each figure is
the best of several rounds, in which all take turns. The peers: `difflib` and `edlib` align
characters, as cijie's anchors do (edlib by the Levenshtein distance, so not the same links);
`spacy_alignments` maps the words of one side to those of the other. Words are rjieba's, cut before
the clock starts. End to end is from file to file, segmenter included.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import cycle
from pathlib import Path

import edlib
import rjieba
import spacy_alignments

from cijie.corpora.mucgec import read_mucgec
from cijie.corpora.pair import Pair
from cijie.methods import RecoveryMethod, align_segmented, make_method
from cijie.segmentation import Segmentation

LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
SIZES = (1_000, 10_000, 100_000)
CHARACTERS = 20_000  # in all the pairs of one length, together
TOO_LONG = 20.0  # seconds; whoever takes longer is not asked about longer sentences

Run = Callable[[list[tuple[Segmentation, Segmentation]]], None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", help="a file in MuCGEC's format")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    arguments = parser.parse_args()
    pairs = list(read_mucgec(arguments.pairs))
    print_growth_with_length(pairs, arguments.rounds)
    print_growth_with_size(pairs, arguments.sizes)


def print_growth_with_length(pairs: list[Pair], rounds: int) -> None:
    rivals: dict[str, Run] = {
        "spacy_alignments": run_spacy,
        "difflib": run_difflib,
        "edlib": run_edlib,
        **{f"{name.upper()}, links": run_links(make_method(name)) for name in ("p1", "p2")},
        **{f"{name.upper()}, words": run_words(make_method(name)) for name in ("p1", "p2", "p3")},
    }
    best = {name: [math.inf] * len(LENGTHS) for name in rivals}
    for column, length in enumerate(LENGTHS):
        sentences = joined(pairs, length)
        for _ in range(rounds):
            for name, run in rivals.items():
                before = best[name][column - 1] if column else 0.0
                if before * len(sentences) < TOO_LONG:
                    start = time.perf_counter()
                    try:
                        run(sentences)
                    except ValueError:  # edlib: more than 256 different characters
                        continue
                    seconds = (time.perf_counter() - start) / len(sentences)
                    best[name][column] = min(best[name][column], seconds)
    print("Microseconds a pair, by characters a side; growth: the exponent from the last two.\n")
    print("| |", " | ".join(f"{length:,}" for length in LENGTHS), "| growth |")
    print("|---" * (len(LENGTHS) + 2) + "|")
    for name, times in best.items():
        cells = [f"{seconds * 1e6:,.0f}" if seconds < math.inf else "–" for seconds in times]
        known = [(n, t) for n, t in zip(LENGTHS, times, strict=True) if t < math.inf][-2:]
        (n, t), (n_longer, t_longer) = known
        growth = math.log(t_longer / t) / math.log(n_longer / n)
        print(f"| {name} |", " | ".join(cells), f"| {growth:.1f} |", flush=True)


def joined(pairs: list[Pair], length: int) -> list[tuple[Segmentation, Segmentation]]:
    """Pairs of sources with `length` characters and their targets, segmented."""
    endless = cycle(pairs)
    sentences = []
    for _ in range(max(1, CHARACTERS // length)):
        source = target = ""
        while len(source) < length:
            pair = next(endless)
            source, target = source + pair.source, target + pair.target
        target = target[: round(length * len(target) / len(source))]
        sentences.append((segmented(source[:length]), segmented(target)))
    return sentences


def segmented(text: str) -> Segmentation:
    words = [part for word in rjieba.cut(text) for part in word.split()]
    return Segmentation.from_tokens(text, words)


def run_spacy(sentences: list[tuple[Segmentation, Segmentation]]) -> None:
    for source, target in sentences:
        spacy_alignments.get_alignments(source.tokens, target.tokens)


def run_difflib(sentences: list[tuple[Segmentation, Segmentation]]) -> None:
    for source, target in sentences:
        SequenceMatcher(None, source.text, target.text, autojunk=False).get_matching_blocks()


def run_edlib(sentences: list[tuple[Segmentation, Segmentation]]) -> None:
    for source, target in sentences:
        edlib.align(source.text, target.text, task="path")


def run_links(method: RecoveryMethod) -> Run:
    def run(sentences: list[tuple[Segmentation, Segmentation]]) -> None:
        align_segmented(method.aligner, sentences)

    return run


def run_words(method: RecoveryMethod) -> Run:
    def run(sentences: list[tuple[Segmentation, Segmentation]]) -> None:
        aligned = align_segmented(method.aligner, sentences)
        for (source, target), links in zip(sentences, aligned, strict=True):
            method.projector(source, target, links)

    return run


def print_growth_with_size(pairs: list[Pair], sizes: list[int]) -> None:
    print("\nEnd to end with rjieba, one process: pairs/s (without start-up), and memory.\n")
    print("| pairs | segmenter alone, pairs/s | P1 | P2 | P3 | most memory, MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pairs.tsv")
        empty = Path(folder, "empty.tsv")
        empty.write_text("")
        for size in sizes:
            with path.open("w", encoding="utf-8") as stream:
                for number, pair in zip(range(size), cycle(pairs), strict=False):
                    stream.write(f"{number}\t{pair.source}\t{pair.target}\n")
            speeds = [size / segmenting(path)]
            for method in ("p1", "p2", "p3"):
                speeds.append(size / (recovering(path, method) - recovering(empty, method)))
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
            cells = [f"{speed:,.0f}" for speed in speeds]
            print(f"| {size:,} |", " | ".join(cells), f"| {memory:,} |", flush=True)


def segmenting(path: Path) -> float:
    """Seconds of processor time that rjieba by itself takes for both sides."""
    texts = [text for pair in read_mucgec(path) for text in (pair.source, pair.target)]
    start = time.process_time()
    for text in texts:
        rjieba.cut(text)
    return time.process_time() - start


def recovering(path: Path, method: str) -> float:
    """Seconds of processor time that a run takes, from file to file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "cijie", "recover", str(path), "--segmenter", "rjieba"]
    command += ["--method", method, "--quiet", "--output", str(path.with_suffix(".jsonl"))]
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
