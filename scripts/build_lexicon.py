"""Build the word frequencies by which P3 judges the plausibility of words.

    python scripts/build_lexicon.py [--dictionary FILE] [--output FILE]

Requires the dependency group ``vectors``. The output holds the log frequencies of the words of one
to four Han characters that are frequent enough in jieba's dictionary (MIT licence), each under the
CRC-32 of the word: about 1 in 40,000 unknown strings is mistaken for a known word.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from zlib import crc32

import jieba
import numpy as np

from archives import npz

OUTPUT = Path(__file__).resolve().parent.parent / "src/cijie/projection/data/words-1.npz"
LONGEST = 4
LEAST_FREQUENCY = 11
STEPS = 40  # levels are log10(1 + frequency) in steps of 1 / STEPS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--dictionary", type=Path, default=Path(jieba.__file__).parent / "dict.txt")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    lines = arguments.dictionary.read_text(encoding="utf-8").splitlines()
    entries = (line.split(" ") for line in lines)
    frequencies = {
        word: int(frequency)
        for word, frequency, *_ in entries
        if len(word) <= LONGEST
        and int(frequency) >= LEAST_FREQUENCY
        and all("\u4e00" <= char <= "\u9fff" for char in word)
    }
    levels: dict[int, int] = {}
    for word, frequency in frequencies.items():
        key = crc32(word.encode())
        # For the few words with the same checksum, the more frequent word counts.
        levels[key] = max(levels.get(key, 0), round(STEPS * math.log10(1 + frequency)))
    keys = sorted(levels)
    arguments.output.write_bytes(
        npz(
            keys=np.array(keys, dtype="<u4"),
            levels=np.array([levels[key] for key in keys], dtype="u1"),
            steps=np.array([STEPS], dtype="<u2"),
        )
    )
    print(f"{len(frequencies)} words, {len(keys)} keys, {arguments.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
