"""Measure D, P1, P2 and P3 against gold, over several segmenters, and print a Markdown table.

    python benchmarks/domains.py speech ocr --segmenters wapic rjieba wapic:traditional=on
    python benchmarks/domains.py MuCGEC_dev.txt=learner-dev.jsonl --segmenters pkuseg:model=DIR

A set is a name in `benchmarks/domains/`, which has `NAME.tsv` (id, source, target) and
`NAME.gold.jsonl` (id, words), or PAIRS=GOLD for files of your own; by default all sets there. p is
that of P3 against P2 (approximate randomisation). The calibration error is that of P3's decisions:
of all, and of those suggested by a word of the target that wapic, whose convention the gold has,
cuts in the same way. `--convert s2tw` measures on pairs whose characters OpenCC has converted.
Needs the extra traditional.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from opencc import OpenCC

from cijie.choices import HabitsName, Method
from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.evaluation.comparison import compare
from cijie.recovery.methods import MethodOptions
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery, Sentence
from cijie.segmenters import Segmenter, load_segmenter
from cijie.text.segmentation import Segmentation, Span

FOLDER = Path(__file__).parent / "domains"
METHODS: dict[str, Method] = {"D": "direct", "P1": "p1", "P2": "p2", "P3": "p3"}
HEADER = ["set", "segmenter", *METHODS, "p", "changes right, P2", "changes right, P3"]
HEADER += ["calibration error", "where T is cut as by wapic"]
SWITCHES = {"on": True, "off": False}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", metavar="NAME|PAIRS=GOLD")
    parser.add_argument("--segmenters", nargs="+", default=["wapic"], metavar="NAME[:OPTION=VALUE]")
    parser.add_argument("--habits", default="builtin", choices=["builtin", "none"], help="of P3")
    parser.add_argument("--convert", metavar="CONVERSION", help="a conversion of OpenCC, as s2tw")
    arguments = parser.parse_args()

    convert = OpenCC(arguments.convert).convert if arguments.convert else str
    sets = arguments.sets or sorted(path.stem for path in FOLDER.glob("*.tsv"))
    print(f"| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}")
    wapic = load_segmenter("wapic", {"traditional": True})
    for chosen in arguments.segmenters:
        segmenter = loaded(chosen)
        for each in sets:
            cells = measured(read_set(each, convert), segmenter, wapic, arguments.habits)
            print(f"| {Path(each).stem} | {chosen} | {' | '.join(cells)} |", flush=True)


def loaded(chosen: str) -> Segmenter:
    """Load a segmenter with its options."""
    name, *settings = chosen.split(":")
    options = dict(setting.split("=", 1) for setting in settings)
    return load_segmenter(
        name, {option: SWITCHES.get(value, value) for option, value in options.items()}
    )


Set = Mapping[str, tuple[Sentence, Segmentation]]
"""The pairs of a set by id, each with its gold."""


def read_set(chosen: str, convert: Callable[[str], str]) -> Set:
    """Read the pairs of a set, each with its gold, and convert their characters, one for one."""
    pairs_file, _, gold_file = chosen.partition("=")
    if not gold_file:
        pairs_file, gold_file = (str(FOLDER / f"{chosen}{end}") for end in (".tsv", ".gold.jsonl"))
    pairs = list(sentences_of(read(pairs_file, "pairs")))
    found, _ = read_to_compare(gold_file, (), pairs)
    read_pairs = {}
    for pair in pairs:
        if pair.id in found:
            source, target = convert(pair.source), convert(pair.target or "")
            ends = found.of_text(pair.id, pair.source).boundaries
            sentence = Sentence(pair.id, source, (target,))
            read_pairs[pair.id] = sentence, Segmentation(source, ends)
    return read_pairs


def measured(
    chosen: Set,
    segmenter: Segmenter,
    convention: Segmenter,
    habits: HabitsName,
) -> list[str]:
    """Return the cells of one set and segmenter; `convention` cuts as the gold does."""
    pairs = [pair for pair, _ in chosen.values()]
    gold = {id: words for id, (_, words) in chosen.items()}
    systems = {}
    for name, method in METHODS.items():
        options: MethodOptions = {"habits": habits} if method == "p3" else {}
        recoverer = Recoverer(segmenter, method, **options)
        systems[name] = {each.id: each for each in recoverer.recover_all(pairs)}
    comparison = compare(gold, systems)
    p = comparison.tests["P3", "P2"].p_randomisation
    p3 = list(systems["P3"].values())
    usual = convention.segment([each.target for each in p3])
    doubts = [
        (each, doubt, same_words(each.target_segmentation, words, doubt.by))
        for each, words in zip(p3, usual, strict=True)
        for doubt in each.doubts
    ]
    seen = [
        (doubt.confidence, doubt.boundary == (doubt.at in gold[each.id].boundaries), alike)
        for each, doubt, alike in doubts
    ]
    return [
        *(f"{comparison.systems[name].f1:.4f}" for name in METHODS),
        "–" if p is None else f"{p:.4f}",
        *(right_changes(gold, list(systems[name].values())) for name in ("P2", "P3")),
        calibration_error([(sure, right) for sure, right, _ in seen]),
        calibration_error([(sure, right) for sure, right, alike in seen if alike]),
    ]


def same_words(one: Segmentation, other: Segmentation, span: Span) -> bool:
    """Return whether two segmentations of a text agree on a span and its edges."""
    places = set(range(span[0], span[1] + 1))
    return places & set(one.boundaries) == places & set(other.boundaries)


def right_changes(gold: dict[str, Segmentation], recovered: Sequence[Recovery]) -> str:
    """Return how many boundaries were changed, and how many of the changes gold has."""
    changes = [
        (change.kind == "insert") == (change.at in gold[each.id].boundaries)
        for each in recovered
        for change in each.changes
    ]
    return f"{sum(changes)} of {len(changes)}"


def calibration_error(decisions: Sequence[tuple[float, bool]]) -> str:
    """Return the mean difference of confidence and share of right decisions, over ten bins."""
    bins: dict[int, list[float]] = {}
    for confidence, right in decisions:
        bins.setdefault(min(int(confidence * 10), 9), []).append(confidence - right)
    error = sum(abs(sum(some)) for some in bins.values()) / max(1, len(decisions))
    return f"{error:.3f} of {len(decisions)}"


if __name__ == "__main__":
    main()
