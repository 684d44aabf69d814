"""Measure D, P1, P2 and P3 against gold, over several segmenters, and print a Markdown table.

    python benchmarks/domains.py speech ocr --segmenters wapic rjieba wapic:traditional=on
    python benchmarks/domains.py MuCGEC_dev.txt=learner-dev.jsonl --segmenters pkuseg:model=DIR

A set is a name in `benchmarks/domains/`, which has `NAME.tsv` (id, source, target) and
`NAME.gold.jsonl` (id, words), or PAIRS=GOLD for files of your own; by default all sets there. p is
that of P3 against P2 (approximate randomisation). The calibration error is that of P3's decisions.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from cijie.choices import Method
from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.evaluation.comparison import compare
from cijie.recovery.methods import MethodOptions
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.recovery import Recovery
from cijie.segmenters import Segmenter, load_segmenter
from cijie.text.segmentation import Segmentation

FOLDER = Path(__file__).parent / "domains"
METHODS: dict[str, Method] = {"D": "direct", "P1": "p1", "P2": "p2", "P3": "p3"}
HEADER = (
    "set", "segmenter", *METHODS, "p", "changes right, P2", "changes right, P3", "calibration error"
)  # fmt: skip
SWITCHES = {"on": True, "off": False}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", metavar="NAME|PAIRS=GOLD")
    parser.add_argument("--segmenters", nargs="+", default=["wapic"], metavar="NAME[:OPTION=VALUE]")
    parser.add_argument("--habits", default="builtin", help="of P3: builtin, none, or a file")
    arguments = parser.parse_args()

    sets = arguments.sets or sorted(path.stem for path in FOLDER.glob("*.tsv"))
    print(f"| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}")
    for chosen in arguments.segmenters:
        segmenter = loaded(chosen)
        for each in sets:
            cells = measured(each, segmenter, arguments.habits)
            print(f"| {Path(each).stem} | {chosen} | {' | '.join(cells)} |", flush=True)


def loaded(chosen: str) -> Segmenter:
    """Load a segmenter with its options."""
    name, *settings = chosen.split(":")
    options = dict(setting.split("=", 1) for setting in settings)
    return load_segmenter(
        name, {option: SWITCHES.get(value, value) for option, value in options.items()}
    )


def measured(chosen: str, segmenter: Segmenter, habits: str) -> list[str]:
    """Return the cells of one set and segmenter."""
    pairs_file, _, gold_file = chosen.partition("=")
    if not gold_file:
        pairs_file, gold_file = (str(FOLDER / f"{chosen}{end}") for end in (".tsv", ".gold.jsonl"))
    pairs = list(sentences_of(read(pairs_file, "pairs")))
    found, _ = read_to_compare(gold_file, (), pairs)
    pairs = [pair for pair in pairs if pair.id in found]
    gold = {pair.id: found.of_text(pair.id, pair.source) for pair in pairs}
    systems = {}
    for name, method in METHODS.items():
        options: MethodOptions = {"habits": habits} if method == "p3" else {}
        recoverer = Recoverer(segmenter, method, **options)
        systems[name] = {each.id: each for each in recoverer.recover_all(pairs)}
    comparison = compare(gold, systems)
    p = comparison.tests["P3", "P2"].p_randomisation
    return [
        *(f"{comparison.systems[name].f1:.4f}" for name in METHODS),
        "–" if p is None else f"{p:.4f}",
        *(right_changes(gold, list(systems[name].values())) for name in ("P2", "P3")),
        f"{calibration_error(gold, list(systems['P3'].values())):.3f}",
    ]


def right_changes(gold: dict[str, Segmentation], recovered: Sequence[Recovery]) -> str:
    """Return how many boundaries were changed, and how many of the changes gold has."""
    changes = [
        (change.kind == "insert") == (change.at in gold[each.id].boundaries)
        for each in recovered
        for change in each.changes
    ]
    return f"{sum(changes)} of {len(changes)}"


def calibration_error(gold: dict[str, Segmentation], recovered: Sequence[Recovery]) -> float:
    """Return the mean difference of confidence and share of right decisions, over ten bins."""
    bins: dict[int, list[float]] = {}
    for each in recovered:
        for doubt in each.doubts:
            right = doubt.boundary == (doubt.at in gold[each.id].boundaries)
            bins.setdefault(min(int(doubt.confidence * 10), 9), []).append(doubt.confidence - right)
    return sum(abs(sum(some)) for some in bins.values()) / max(1, sum(map(len, bins.values())))


if __name__ == "__main__":
    main()
