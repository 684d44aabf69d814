"""Fit the model by which P3 weighs suggestions, and say how well it does on what it has not seen.

    python scripts/fit_evidence.py PAIRS GOLD [--folds 5] [--seeds 5] [--output FILE]

PAIRS is a MuCGEC file, GOLD its gold segmentation; the default segmenter cuts both sides. The model
is a logistic regression for cuts and one for joins, over two numbers each. The figures printed are
cross-validated by sentence; the model that is written is fitted to all sentences. With
``--without PART``, which shows what a part of P3 brings, nothing is written.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from cijie import Recoverer, Segmentation
from cijie.alignment.links import Alignment
from cijie.corpora.mucgec import read_mucgec
from cijie.corpora.segmentations import read_to_compare
from cijie.projection.lexicon import Lexicon
from cijie.projection.marks import agreed_marks, marks_of, runs_of
from cijie.projection.suggestions import Suggester, Suggestion
from cijie.projection.weighing import Model, Weigher
from cijie.recovery.methods import MethodOptions, RecoveryMethod, make_method
from cijie.recovery.recovery import Recovery
from cijie.similarity.weights import Weights

OUTPUT = Path(__file__).resolve().parent.parent / "src/cijie/projection/data/model-1.json"
INVERSE_PENALTY = 10.0
FEATURES = ("similarity", "frequency")
WITHOUT: dict[str, MethodOptions] = {
    "similarity": {},
    "frequency": {},
    "sound": {"weights": {"emb": 0, "glyph": 0.5, "pinyin": 0, "pos": 0.5}, "threshold": 0.45},
    "position": {"position": "global"},
    "links": {
        "weights": Weights(),
        "threshold": 0.85,
        "phonology": "pinyin-marks",
        "position": "global",
        "context": "embedded",
    },
}
"""Parts of P3: an input of the model, the sound in its links, the place in the gap, or all that
tells its links from P2's."""


@dataclass(frozen=True, slots=True)
class Case:
    """A pair with gold, and what its target suggests: each with whether it is right and fits."""

    initial: Segmentation
    target: Segmentation
    alignment: Alignment
    gold: Segmentation
    suggestions: list[tuple[Suggestion, bool, bool]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs")
    parser.add_argument("gold")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--without", choices=WITHOUT)
    arguments = parser.parse_args()
    without = arguments.without
    features = tuple(name for name in FEATURES if name != without)
    method = make_method("p3", **WITHOUT.get(without, {}))
    assert isinstance(method.projector, Weigher)
    cases = make_cases(arguments.pairs, arguments.gold, method)
    scores = []
    for seed in range(arguments.seeds):
        predicted = cross_validated(cases, method.projector, features, arguments.folds, seed)
        scores.append(token_f1(predicted))
        if not seed and not without:
            reliability(predicted)
    print(
        f"cross-validated F1, {arguments.seeds} divisions into {arguments.folds} folds:",
        *(f"{score:.5f}" for score in scores),
        f"mean {statistics.mean(scores):.5f}",
    )
    if without:
        return
    record = fit(cases, features)
    arguments.output.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(record, indent=2))


def make_cases(pairs_file: str, gold_file: str, method: RecoveryMethod) -> list[Case]:
    """The pairs that have gold, segmented and aligned, with their suggestions."""
    pairs = list(read_mucgec(pairs_file))
    reference, _ = read_to_compare(gold_file, (), pairs)
    chosen = [pair for pair in pairs if pair.id in reference]
    gold = [reference.of_text(pair.id, pair.source) for pair in chosen]
    weigher, lexicon = method.projector, Lexicon.builtin()
    assert isinstance(weigher, Weigher)
    return [
        Case(
            recovery.initial,
            recovery.target_segmentation,
            recovery.alignment,
            truth,
            suggestions(recovery, truth, weigher, lexicon),
        )
        for truth, recovery in zip(
            gold, Recoverer("wapic", method).recover_all(chosen), strict=True
        )
    ]


def suggestions(
    recovery: Recovery, gold: Segmentation, weigher: Weigher, lexicon: Lexicon
) -> list[tuple[Suggestion, bool, bool]]:
    initial, target = recovery.initial, recovery.target_segmentation
    before, words, truth = map(marks_of, (initial, target, gold))
    runs = runs_of(recovery.alignment, initial, target)
    evidence = Suggester(initial, target, before, words, runs, weigher.alike, lexicon)
    return [
        (
            suggestion,
            all(truth[k] != before[k] for k in suggestion.marks(before)),
            bool(before[suggestion.start] and before[suggestion.end]),
        )
        for suggestion in evidence.suggestions()
    ]


def fit(cases: Iterable[Case], features: Sequence[str]) -> dict[str, Any]:
    """The model of these cases, as plain values; inputs not among `features` have no weight."""
    cases = list(cases)
    record: dict[str, Any] = {}
    for kind in ("insert", "remove"):
        # Joins that do not fit are not weighed but refused.
        seen = [
            (suggestion, right)
            for case in cases
            for suggestion, right, fits in case.suggestions
            if suggestion.kind == kind and (kind == "insert" or fits)
        ]
        values = np.array([[getattr(one, name) for name in features] for one, _ in seen])
        regression = LogisticRegression(C=INVERSE_PENALTY).fit(values, [right for _, right in seen])
        record[kind] = {
            **dict.fromkeys(FEATURES, 0.0),
            **dict(zip(features, (round(float(x), 3) for x in regression.coef_[0]), strict=True)),
            "intercept": round(float(regression.intercept_[0]), 3),
        }
    unfit = [
        not right
        for case in cases
        for suggestion, right, fits in case.suggestions
        if suggestion.kind == "remove" and not fits
    ]
    record["unfit"] = round((sum(unfit) + 1) / (len(unfit) + 2), 3)
    rights: dict[str, list[bool]] = {"near": [], "agreed": []}
    for case in cases:
        before, words, truth = map(marks_of, (case.initial, case.target, case.gold))
        agreed = agreed_marks(case.alignment, before, words, case.initial, case.target)
        disputed = {k for one, _, _ in case.suggestions for k in one.marks(before)}
        for k in range(1, len(before) - 1):
            if before[k] and k not in disputed:
                rights["agreed" if agreed[k] else "near"].append(bool(truth[k]))
    for name, seen_right in rights.items():
        record[name] = round((sum(seen_right) + 1) / (len(seen_right) + 2), 4)
    return record


def cross_validated(
    cases: list[Case], weigher: Weigher, features: Sequence[str], folds: int, seed: int
) -> list[tuple[Case, Any]]:
    """Each case with what a model makes of it that was fitted to the other folds."""
    order = list(range(len(cases)))
    random.Random(seed).shuffle(order)
    predicted = []
    for fold in range(folds):
        held_out = set(order[fold::folds])
        weigher.model = Model.from_record(
            fit((c for k, c in enumerate(cases) if k not in held_out), features)
        )
        predicted += [
            (cases[k], weigher(cases[k].initial, cases[k].target, cases[k].alignment))
            for k in sorted(held_out)
        ]
    return predicted


def token_f1(predicted: Sequence[tuple[Case, Any]]) -> float:
    correct = total = 0
    for case, projection in predicted:
        system, gold = projection.segmentation.spans, case.gold.spans
        correct += len(set(system) & set(gold))
        total += len(system) + len(gold)
    return 2 * correct / total


def reliability(predicted: Sequence[tuple[Case, Any]]) -> None:
    """Print how often doubts are right, by their confidence."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for case, projection in predicted:
        true = set(case.gold.boundaries)
        for doubt in projection.doubts:
            right = doubt.boundary == (doubt.at in true)
            bins.setdefault(min(int(doubt.confidence * 10), 9), []).append(
                (doubt.confidence, right)
            )
    print("| confidence | decisions | mean confidence | right |\n|---|---|---|---|")
    for low, seen in sorted(bins.items()):
        mean, right = (statistics.mean(values) for values in zip(*seen, strict=True))
        print(f"| {low / 10:.1f}-{low / 10 + 0.1:.1f} | {len(seen)} | {mean:.2f} | {right:.2f} |")


if __name__ == "__main__":
    main()
