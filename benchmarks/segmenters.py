"""Measure the speed of the installed segmenters, and print a Markdown table.

    python benchmarks/segmenters.py [OPTIONS] TEXTS.txt wapic jieba pkuseg:model=DIRECTORY

TEXTS has one text per line. Without names, all segmenters that need no option are run. Loading is
timed separately; the best of several rounds counts, as the machine may be busy.
"""

from __future__ import annotations

import argparse
import time
from itertools import islice

from cijie.files.lines import read_lines
from cijie.segmenters import LIBRARIES, Segmenter, load_segmenter

WITHOUT_OPTIONS = ("wapic", "rjieba", "jieba", "thulac")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", help="a file of texts, one a line")
    parser.add_argument("segmenters", nargs="*", metavar="NAME[:OPTION=VALUE]")
    parser.add_argument("--most", type=int, default=2000, help="how many texts to read")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()

    texts = [text for _, text in islice(read_lines(arguments.texts), arguments.most)]
    characters = sum(map(len, texts))
    print(f"{len(texts):,} texts, {characters:,} characters, one process.\n")
    print("| segmenter | loading, s | characters/s |")
    print("|---|---|---|")
    installed = (name for name in WITHOUT_OPTIONS if LIBRARIES[name].installed())
    for chosen in arguments.segmenters or installed:
        name, *settings = chosen.split(":")
        segmenter = load_segmenter(name, dict(setting.split("=", 1) for setting in settings))
        start = time.perf_counter()
        next(segmenter.segment(["我们"]))
        loading = time.perf_counter() - start
        best = min(seconds(segmenter, texts) for _ in range(arguments.rounds))
        print(f"| {segmenter.name} | {loading:.1f} | {characters / best:,.0f} |", flush=True)


def seconds(segmenter: Segmenter, texts: list[str]) -> float:
    start = time.perf_counter()
    for _ in segmenter.segment(texts):
        pass
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
