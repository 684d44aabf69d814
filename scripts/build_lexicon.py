"""Build the word list by which P3 judges how plausible a word is.

    python scripts/build_lexicon.py

needs the dependency group ``vectors``. It holds the words of one to four Han characters of jieba's
dictionary (MIT licence) that are frequent enough there, with the logarithm of their frequency.
"""

from __future__ import annotations

import math
from pathlib import Path

import jieba
import numpy as np

from archive import npz

OUTPUT = Path(__file__).resolve().parent.parent / "src/cijie/evidence/data/words-1.npz"
LONGEST = 4
LEAST_FREQUENCY = 11
STEPS = 40  # levels are log10(1 + frequency) in steps of 1 / STEPS


def main() -> None:
    lines = Path(jieba.__file__).with_name("dict.txt").read_text(encoding="utf-8").splitlines()
    entries = (line.split(" ") for line in lines)
    frequencies = {
        word: int(frequency)
        for word, frequency, *_ in entries
        if len(word) <= LONGEST
        and int(frequency) >= LEAST_FREQUENCY
        and all("\u4e00" <= char <= "\u9fff" for char in word)
    }
    words = sorted(frequencies)
    levels = [round(STEPS * math.log10(1 + frequencies[word])) for word in words]
    OUTPUT.write_bytes(
        npz(
            words=np.frombuffer("\n".join(words).encode(), dtype="u1"),
            levels=np.array(levels, dtype="u1"),
            steps=np.array([STEPS], dtype="<u2"),
        )
    )
    print(f"{len(words)} words, {OUTPUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
