"""Measure the growth of time with sentence length and corpus size, beside other libraries.

    python benchmarks/scale.py PAIRS.tsv

Prints tables in Markdown. Sentences of a given length are made by joining pairs of the file. Each
figure is the best of several rounds, in which all libraries take turns. `difflib` and `edlib` align
characters, like cijie's anchors (edlib by Levenshtein distance, so links differ); `simalign`, if
installed, aligns them with a transformer, here a tiny untrained one of two layers, which gives a
lower bound for its time; `spacy_alignments` maps the words of one side to the words of the other.
Words are segmented by rjieba, before the clock starts. End to end is from file to file, including
the segmenter.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher
from itertools import cycle
from pathlib import Path
from typing import Any

import edlib
import rjieba
import spacy_alignments

from cijie.corpora.reading import read, sentences_of
from cijie.recovery.methods import RecoveryMethod, make_method
from cijie.recovery.sentence import Sentence
from cijie.segmenters import load_segmenter
from cijie.text.segmentation import Segmentation

LENGTHS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
WITHOUT_ANCHORS = (1_000, 2_000, 5_000, 8_000)
FIRSTS = (0x4E00, 0x4E00 + 10_000)  # the first code points of the two texts
SIZES = (1_000, 10_000, 100_000)
CHARACTERS = 20_000  # in all pairs of one length together
TOO_LONG = 60.0  # seconds; slower libraries are not run on longer sentences
MOST_POSITIONS = 512  # of simalign's model, two of them for the special tokens at the edges

Run = Callable[[list[tuple[Segmentation, Segmentation]]], None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", help="a file in MuCGEC's format")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--lengths", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--segmenters", nargs="*", default=["rjieba", "wapic"])
    arguments = parser.parse_args()
    pairs = list(sentences_of(read(arguments.pairs, "pairs")))
    if arguments.lengths:
        print_growth_with_length(pairs, arguments.rounds)
        print_without_anchors()
    for segmenter in arguments.segmenters:
        print_end_to_end(pairs, arguments.sizes, segmenter, arguments.rounds)


def print_growth_with_length(pairs: list[Sentence], rounds: int) -> None:
    rivals: dict[str, Run] = {
        "spacy_alignments": run_spacy,
        "difflib": run_difflib,
        "edlib": run_edlib,
        **{f"{name.upper()}, links": run_links(make_method(name)) for name in ("p1", "p2")},
        **{f"{name.upper()}, words": run_words(make_method(name)) for name in ("p1", "p2", "p3")},
        **simalign_if_installed(pairs),
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
        print(f"| {name} |", " | ".join(cells), f"| {growth(times)} |", flush=True)


def print_without_anchors() -> None:
    """Measure the worst case: no character of the source occurs in the target."""
    print("\nSeconds for one pair without anchors, by characters a side.\n")
    print("| |", " | ".join(f"{length:,}" for length in WITHOUT_ANCHORS), "|")
    print("|---" * (len(WITHOUT_ANCHORS) + 1) + "|")
    for name in ("p2", "p3"):
        run = run_words(make_method(name))
        for kind, step in (("all differ", 1), ("all are the same", 0)):
            cells = []
            for length in WITHOUT_ANCHORS:
                source, target = (
                    [chr(first + step * k) for k in range(length)] for first in FIRSTS
                )
                a, b = (Segmentation.from_tokens("".join(x), x) for x in (source, target))
                start = time.perf_counter()
                run([(a, b)])
                cells.append(f"{time.perf_counter() - start:.1f}")
            print(f"| {name.upper()}, {kind} |", " | ".join(cells), "|", flush=True)


def growth(times: list[float]) -> str:
    known = [(n, t) for n, t in zip(LENGTHS, times, strict=True) if t < math.inf][-2:]
    if len(known) < 2:
        return "–"
    (n, t), (n_longer, t_longer) = known
    return f"{math.log(t_longer / t) / math.log(n_longer / n):.1f}"


def joined(pairs: list[Sentence], length: int) -> list[tuple[Segmentation, Segmentation]]:
    """Build segmented pairs whose sources have `length` characters."""
    endless = cycle(pairs)
    sentences = []
    for _ in range(max(1, CHARACTERS // length)):
        source = target = ""
        while len(source) < length:
            pair = next(endless)
            source, target = source + pair.source, target + (pair.target or "")
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
        method.align(sentences)

    return run


def run_words(method: RecoveryMethod) -> Run:
    def run(sentences: list[tuple[Segmentation, Segmentation]]) -> None:
        aligned = method.align(sentences)
        for (source, target), links in zip(sentences, aligned, strict=True):
            method.projector(source, target, links)

    return run


def simalign_if_installed(pairs: list[Sentence]) -> dict[str, Run]:
    try:
        from simalign import SentenceAligner
    except ImportError:
        print("simalign is not installed and left out\n")
        return {}
    with tempfile.TemporaryDirectory() as folder:
        save_tiny_encoder(
            folder, {character for pair in pairs for character in (pair.target or "")}
        )
        os.environ["HF_HUB_OFFLINE"] = "1"
        aligner: Any = SentenceAligner(folder, matching_methods="i", layer=2)

    def run(sentences: list[tuple[Segmentation, Segmentation]]) -> None:
        for source, target in sentences:
            if max(len(source.text), len(target.text)) > MOST_POSITIONS - 2:
                raise ValueError("too long for the model")
            aligner.get_word_aligns(list(source.text), list(target.text))

    return {"simalign": run}


def save_tiny_encoder(folder: str, characters: Iterable[str]) -> None:
    from transformers import BertConfig, BertModel, BertTokenizerFast

    vocabulary = Path(folder, "vocab.txt")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *sorted(characters)]
    vocabulary.write_text("\n".join(words), encoding="utf-8")
    BertTokenizerFast(str(vocabulary)).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=128,
        max_position_embeddings=MOST_POSITIONS,
    )
    BertModel(config).save_pretrained(folder)


def print_end_to_end(pairs: list[Sentence], sizes: list[int], segmenter: str, rounds: int) -> None:
    print(f"\nEnd to end with {segmenter}, one process: pairs/s beyond start-up, and memory.\n")
    print("| pairs | segmenter alone | P1 | P2 | P3 | P3, most memory, MiB |")
    print("|---" * 6 + "|")
    with tempfile.TemporaryDirectory() as folder:
        one = write_pairs(pairs, 1, Path(folder, "one.tsv"))
        for size in sizes:
            path = write_pairs(pairs, size, Path(folder, "pairs.tsv"))
            speeds = [size / min(segmenting(path, segmenter) for _ in range(rounds))]
            for method in ("p1", "p2", "p3"):
                runs = [
                    recovering(path, method, segmenter)[0] - recovering(one, method, segmenter)[0]
                    for _ in range(rounds)
                ]
                speeds.append((size - 1) / min(runs))
            memory = recovering(path, "p3", segmenter)[1]
            cells = [f"{speed:,.0f}" for speed in speeds]
            print(f"| {size:,} |", " | ".join(cells), f"| {memory:,} |", flush=True)


def write_pairs(pairs: list[Sentence], size: int, path: Path) -> Path:
    with path.open("w", encoding="utf-8") as stream:
        for number, pair in zip(range(size), cycle(pairs), strict=False):
            stream.write(f"{number}\t{pair.source}\t{pair.target}\n")
    return path


def segmenting(path: Path, segmenter: str) -> float:
    """Return the processor seconds of a segmenter's library alone, for both sides."""
    cut: Any = load_segmenter(segmenter).load()
    texts = [
        text
        for pair in sentences_of(read(path, "pairs"))
        for text in (pair.source, (pair.target or ""))
    ]
    start = time.process_time()
    for text in texts:
        list(cut(text))  # some give their words one by one
    return time.process_time() - start


def recovering(path: Path, method: str, segmenter: str) -> tuple[float, int]:
    """Return the processor seconds and peak MiB of a run from file to file."""
    command = [sys.executable, "-m", "cijie", "recover", str(path), "--segmenter", segmenter]
    command += ["--method", method, "--quiet", "--output", str(path.with_suffix(".jsonl"))]
    process = subprocess.Popen(command)
    memory = 0
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        # The memory in `usage` is at least the memory of this process when it forked.
        memory = max(memory, most_memory(process.pid))
        time.sleep(0.02)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, memory


def most_memory(pid: int) -> int:
    """Return the peak memory of a process so far, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) // 1024 if found else 0


if __name__ == "__main__":
    main()
