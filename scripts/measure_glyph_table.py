"""Measure a glyph table on pairs of characters that people confuse, against random pairs.

    python scripts/measure_glyph_table.py PAIRS.tsv [PAIRS.tsv ...] [--table TABLE.csv]

A file has two characters per line, separated by a tab. Prints the area under the ROC curve and the
share of pairs at or above each level; the last line is for random pairs (of GB2312).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from build_glyph_table import gb2312
from cijie.similarity.glyph import GlyphTable

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVELS = (0.75, 0.80, 0.85, 0.90)
RANDOM_PAIRS = 500_000


def read_pairs(path: Path) -> NDArray[np.uint32]:
    """Read code points, of shape (2, pairs)."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line]
    return np.array([[ord(row[0]), ord(row[1])] for row in rows], dtype=np.uint32).T


def area(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> float:
    """Return the probability that a positive value exceeds a negative one; ties count half."""
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left")
    not_above = np.searchsorted(ordered, positive, side="right")
    return float((below + not_above).mean() / (2 * len(ordered)))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--table", type=Path, help="CSV; by default, the table that is shipped")
    options = parser.parse_args(arguments)
    table = GlyphTable.from_csv(options.table) if options.table else GlyphTable.builtin()
    draw = np.random.default_rng(1)
    codes = np.array([ord(c) for c in gb2312()], dtype=np.uint32)
    first, second = draw.choice(codes, (2, RANDOM_PAIRS))
    random = table.similarities(first[first != second], second[first != second])
    print(f"{table.name}, {len(table):,} pairs")
    print("AUC   " + "".join(f" >={level:.2f}" for level in LEVELS))
    for name, values in (
        *((str(path), table.similarities(*read_pairs(path))) for path in options.pairs),
        ("random pairs", random),
    ):
        shares = "".join(f" {(values >= level).mean():6.4f}" for level in LEVELS)
        print(f"{area(values, random):.4f}{shares}  {name} ({len(values):,})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
