"""Fit the model by which P3 weighs suggestions, and measure it on held-out data.

    python scripts/fit_evidence.py PAIRS GOLD [CONTESTED …] [--without PART] [--output FILE]

PAIRS is a MuCGEC file, GOLD its gold segmentation; the default segmenter segments both sides. A
CONTESTED file has an object per line: `source`, `target` and the words of both, a `region` of the
source in code points, and the correct `cuts` inside it; the rest of the sentence is not judged.

One logistic regression weighs all suggestions. It predicts that a string of the source is one word,
so that evidence for a join counts equally against a cut. `SHARED` lists the situations that share a
coefficient. A second regression does without the habits of a segmenter. The printed figures are
cross-validated by sentence over all files together, and given for each file by a model fitted to
the other files, which decides on the features; the model written is fitted to all sentences.
``--without`` measures the contribution of a part of P3, and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from random import Random

import numpy as np
import orjson
from sklearn.linear_model import LogisticRegression

from cijie.alignment.links import Alignment
from cijie.corpora.reading import read, sentences_of
from cijie.corpora.segmentations import read_to_compare
from cijie.files.lines import read_lines
from cijie.paper.grid import assign_folds
from cijie.projection.boundaries import Projection, marks_of
from cijie.projection.evidence import NUMBERS, Habits, Model, is_odd, situation
from cijie.projection.suggestions import Suggester, Suggestion
from cijie.projection.weighing import Weigher
from cijie.recovery.methods import MethodOptions, RecoveryMethod, make_method
from cijie.segmenters import load_segmenter
from cijie.similarity.weights import Weights
from cijie.text.segmentation import Segmentation

OUTPUT = Path(__file__).resolve().parent.parent / "src/cijie/projection/data/model-2.json"
INVERSE_PENALTY = 0.3
MODERATION = 1.1
"""The divisor of log-odds: a fit is overconfident on unseen data. It changes no decision; no set's
calibration error is above .05; the likelihood of held-out data is the same as without it."""

CUT, JOIN = ("other string, cut",), ("other string, join",)
SAME_CUT, SAME_JOIN = ("same string, cut",), ("same string, join",)
SAME, OTHER = SAME_CUT + SAME_JOIN, CUT + JOIN
SITUATIONS = SAME + OTHER
SHARED: Mapping[str, Sequence[Sequence[str]]] = {
    "intercept": [[each] for each in SITUATIONS],
    "likeness": [CUT, JOIN],
    "nearer": [CUT],
    "nearness": [SAME_CUT, SAME_JOIN],
    "whole": [CUT],
    "unknown": [SAME],
    "commonest": [SITUATIONS],
    "reduplicated": [SITUATIONS],
    "particle": [OTHER],
    "habit": [OTHER],
    "freedom": [SAME, OTHER],
}
"""For each number, the situations that share a coefficient; it has no weight in others."""
HABITS = ("habit", "freedom")
RULED: Mapping[str, Sequence[Sequence[str]]] = {
    "intercept": [[each] for each in SITUATIONS],
    "likeness": [CUT, JOIN],
    "whole": [CUT],
}
"""The same for target words of another origin, for which the usual words are weak evidence."""

LINKS: dict[str, MethodOptions] = {
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
"""Parts of P3 other than numbers: the sound in its links, the position in the gap, or all
differences between its links and P2's."""
DRAWS = 1_000
LEAST = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with gold, the boundaries judged, and the suggestions of its target."""

    of: str
    initial: Segmentation
    target: Segmentation
    alignment: Alignment
    truth: bytearray
    judged: range
    suggestions: Sequence[tuple[Suggestion, bool, bool]] = ()

    def right(self, marks: bytearray) -> bool:
        return all(marks[k] == self.truth[k] for k in self.judged)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("pairs")
    parser.add_argument("gold")
    parser.add_argument("contested", nargs="*", type=Path)
    parser.add_argument("--segmenter", default="wapic")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--without", choices=[*LINKS, "habits", *list(SHARED)[1:]])
    arguments = parser.parse_args()
    without = arguments.without
    method = make_method("p3", **LINKS.get(without, {}))
    weigher = method.projector
    assert isinstance(weigher, Weigher)
    weigher.habits = None if without == "habits" else Habits.builtin()
    cases = [
        weighed(case, weigher)
        for case in (
            *gold_cases(arguments.pairs, arguments.gold, arguments.segmenter, method),
            *(one for path in arguments.contested for one in contested_cases(path, method)),
        )
    ]
    names = [name for name in SHARED if name != without]
    rounds = []
    for seed in range(arguments.seeds):
        part = folds_of(cases, arguments.folds, seed)
        found = list(predicted(cases, weigher, names, part))
        rounds.append(scores(found))
        if not seed and not without:
            print_reliability(found)
            print_least(found)
    print(f"Cross-validated by sentence, {len(rounds)} divisions into {arguments.folds} folds:")
    print_scores(rounds)
    if arguments.contested:
        print("Fitted to all files but the one that is judged:")
        found = list(predicted(cases, weigher, names, attrgetter("of")))
        print_calibration(reliability(found))
        each = scores(found)
        # Without the sentences with gold nothing says how often undisputed boundaries are right.
        print_scores([{name: value for name, value in each.items() if "words'" not in name}])
    if not without:
        model = fit(cases, weigher, names)
        arguments.output.write_text(json.dumps(asdict(model), indent=1) + "\n", "utf-8")
        print(model.name)


def gold_cases(
    pairs_file: str, gold_file: str, segmenter: str, method: RecoveryMethod
) -> Iterator[Case]:
    """Yield the pairs that have gold, segmented and aligned."""
    pairs = list(sentences_of(read(pairs_file, "pairs")))
    gold, _ = read_to_compare(gold_file, (), pairs)
    chosen = [pair for pair in pairs if pair.id in gold]
    cut = load_segmenter(segmenter)
    sources, targets = (
        list(cut.segment([getattr(pair, side) for pair in chosen])) for side in ("source", "target")
    )
    words = list(zip(sources, targets, strict=True))
    for pair, (initial, target), alignment in zip(chosen, words, method.align(words), strict=True):
        truth = marks_of(gold.of_text(pair.id, pair.source))
        judged = range(1, len(truth) - 1)
        yield Case(Path(gold_file).stem, initial, target, alignment, truth, judged)


def contested_cases(path: Path, method: RecoveryMethod) -> Iterator[Case]:
    """Yield the regions in a file of sentences with given words."""
    for _, line in read_lines(path):
        row = orjson.loads(line)
        initial, target = (
            Segmentation.from_tokens(row[side], row[f"{side}_tokens"])
            for side in ("source", "target")
        )
        assert initial.is_plain, "regions are in code points, marks in characters"
        truth, (start, end) = marks_of(initial), row["region"]
        truth[start + 1 : end] = bytes(k in row["cuts"] for k in range(start + 1, end))
        [alignment] = method.align([(initial, target)])
        yield Case(path.stem, initial, target, alignment, truth, range(start + 1, end))


def weighed(case: Case, weigher: Weigher) -> Case:
    """Add to a case the suggestions that are judged, each with whether it is right and fits."""
    suggester = Suggester(case.initial, case.target, case.alignment, weigher.alike)
    before = suggester.before
    suggestions = [
        (
            one,
            all(case.truth[k] != before[k] for k in one.marks),
            bool(before[one.start] and before[one.end]),
        )
        for one in suggester.suggestions()
        if all(k in case.judged for k in one.marks)
        and not is_odd(one, weigher.lexicon, weigher.habits)
    ]
    return replace(case, suggestions=suggestions)


def fit(cases: Iterable[Case], weigher: Weigher, names: Collection[str]) -> Model:
    """Fit a model to cases with the named numbers; this replaces the weigher's model."""
    cases = list(cases)
    shared = {name: SHARED[name] for name in names}
    seen = [(one, right, fits) for case in cases for one, right, fits in case.suggestions]
    # Joins that do not fit are refused, however likely.
    fitting = [(one, right) for one, right, fits in seen if one.kind == "insert" or fits]
    rates: dict[bool, list[bool]] = {False: [], True: []}
    for case in cases:
        suggester = Suggester(case.initial, case.target, case.alignment, weigher.alike)
        before, agreed = suggester.before, suggester.agreed
        disputed = {k for one, _, _ in case.suggestions for k in one.marks}
        if len(case.judged) == len(before) - 2:  # other cases are judged only where disputed
            for k in case.judged:
                if before[k] and k not in disputed:
                    rates[bool(agreed[k])].append(bool(case.truth[k]))
    weigher.model = Model(
        coefficients(fitting, weigher, shared),
        coefficients(
            fitting, weigher, {name: shared[name] for name in names if name not in HABITS}
        ),
        coefficients(fitting, weigher, RULED),
        unfit=1.0,
        agreed=rate(rates[True]),
        near=rate(rates[False]),
    )
    # Only changes that are likely but still refused have a confidence below one half now.
    decided = decisions(
        (case, weigher(case.initial, case.target, case.alignment)) for case in cases
    )
    unfit = [(1 - sure, right) for _, sure, right, _ in decided if sure < 0.5]
    likely, wrong = sum(odds for odds, _ in unfit), sum(not right for _, right in unfit)
    return replace(weigher.model, unfit=round((wrong + 1) / (likely + 2), 3))


def rate(right: Sequence[bool]) -> float:
    return round((sum(right) + 1) / (len(right) + 2), 4)


def coefficients(
    seen: Sequence[tuple[Suggestion, bool]],
    weigher: Weigher,
    shared: Mapping[str, Sequence[Sequence[str]]],
) -> dict[str, dict[str, float]]:
    """Fit the regression; return its coefficients by situation, with the sign for the change."""
    columns = [(name, group) for name, groups in shared.items() for group in groups]
    rows, one_word = [], []
    for suggestion, right in seen:
        values = {"intercept": 1.0} | {
            name: number(suggestion, weigher.lexicon, weigher.habits)
            for name, number in NUMBERS.items()
        }
        here = situation(suggestion)
        rows.append([values[name] if here in group else 0.0 for name, group in columns])
        one_word.append(right == (suggestion.kind == "remove"))
    table = np.array(rows)
    spread = table.std(axis=0)
    spread[spread == 0] = 1.0
    regression = LogisticRegression(C=INVERSE_PENALTY, max_iter=1000)
    regression.fit(table / spread, one_word)
    fitted = (regression.coef_[0] / spread).tolist()
    found: dict[str, dict[str, float]] = {each: {} for each in SITUATIONS}
    for (name, group), value in zip(columns, fitted, strict=True):
        for each in group:
            total = value + (float(regression.intercept_[0]) if name == "intercept" else 0.0)
            speaks = total if each.endswith("join") else -total
            found[each][name] = round(speaks / MODERATION, 3) + 0.0
    return found


def predicted(
    cases: Sequence[Case], weigher: Weigher, names: Collection[str], part: Callable[[Case], object]
) -> Iterator[tuple[Case, Projection]]:
    """Yield each case with the projection by a model that has seen no sentence of its part."""
    for left_out in dict.fromkeys(map(part, cases)):
        judged = [case for case in cases if part(case) == left_out]
        texts = {case.initial.text for case in judged}
        seen = [case for case in cases if case.initial.text not in texts]
        weigher.model = fit(seen, weigher, names)
        for case in judged:
            yield case, weigher(case.initial, case.target, case.alignment)


def folds_of(cases: Iterable[Case], folds: int, seed: int) -> Callable[[Case], object]:
    """Return a function from cases to folds; all cases of a sentence have the same fold."""
    sentences = sorted({case.initial.text for case in cases})
    fold_of = dict(zip(sentences, assign_folds(sentences, folds, seed), strict=True))
    return lambda case: fold_of[case.initial.text]


def scores(predicted: Sequence[tuple[Case, Projection]]) -> dict[str, float]:
    """Score each file: token F1 or share of right regions, share of right changes, calibration."""
    counts: Counter[tuple[str, str]] = Counter()
    words: dict[str, list[tuple[float, bool]]] = {}
    for case, projection in predicted:
        marks, before = marks_of(projection.segmentation), marks_of(case.initial)
        changed = [k for k in case.judged if marks[k] != before[k]]
        counts[case.of, "changes"] += len(changed)
        counts[case.of, "right changes"] += sum(marks[k] == case.truth[k] for k in changed)
        if len(case.judged) == len(before) - 2:
            system, gold = (set(spans(each)) for each in (marks, case.truth))
            counts[case.of, "shared"] += 2 * len(system & gold)
            words.setdefault(case.of, []).extend(words_of(case, projection))
            counts[case.of, "words"] += len(system) + len(gold)
        else:
            counts[case.of, "regions"] += 1
            counts[case.of, "right regions"] += case.right(marks)
    found, reliable = {}, reliability(predicted)
    for of in dict.fromkeys(of for of, _ in counts):
        if of in words:
            found[f"{of}, F1"] = counts[of, "shared"] / counts[of, "words"]
            found[f"{of}, words' calibration error"] = calibration_error(words[of])
        else:
            found[f"{of}, regions right"] = counts[of, "right regions"] / counts[of, "regions"]
        changes = counts[of, "changes"]
        found[f"{of}, changes right"] = counts[of, "right changes"] / changes if changes else 1.0
        found[f"{of}, expected calibration error"] = calibration_error(reliable.get(of, []))
    return found


def spans(marks: bytearray) -> list[tuple[int, int]]:
    ends = [k for k, mark in enumerate(marks) if mark]
    return list(pairwise(ends))


def words_of(case: Case, projection: Projection) -> Iterator[tuple[float, bool]]:
    """Yield the confidence of each word, and whether gold has it."""
    split = case.initial.characters
    gold = {(split.starts[start], split.ends[end - 1]) for start, end in spans(case.truth)}
    recovered = projection.segmentation.spans
    return (
        (sure, span in gold) for sure, span in zip(projection.confidences, recovered, strict=True)
    )


def decisions(
    predicted: Iterable[tuple[Case, Projection]],
) -> Iterator[tuple[str, float, bool, bool]]:
    """Yield each judged doubt: its file, its confidence, whether it is right, and a change."""
    for case, projection in predicted:
        ends, before = case.initial.characters.ends, marks_of(case.initial)
        at = {ends[k - 1]: k for k in case.judged}
        for doubt in projection.doubts:
            if doubt.at in at:
                k = at[doubt.at]
                right = doubt.boundary == bool(case.truth[k])
                yield case.of, doubt.confidence, right, doubt.boundary != bool(before[k])


def reliability(
    predicted: Iterable[tuple[Case, Projection]],
) -> dict[str, list[tuple[float, bool]]]:
    """Group judged doubts, as confidence and whether right, by file and all together."""
    seen: dict[str, list[tuple[float, bool]]] = {"all": []}
    for of, confidence, right, _ in decisions(predicted):
        seen.setdefault(of, []).append((confidence, right))
        seen["all"].append((confidence, right))
    return seen


def print_reliability(predicted: Sequence[tuple[Case, Projection]]) -> None:
    """Print the share of right doubts by confidence, and the expected calibration error."""
    seen = reliability(predicted)
    print("| confidence | decisions | mean confidence | right |\n|---|---|---|---|")
    for low, some in tenths(seen["all"]).items():
        mean, share = (statistics.mean(values) for values in zip(*some, strict=True))
        print(f"| {low / 10:.1f}-{low / 10 + 0.1:.1f} | {len(some)} | {mean:.2f} | {share:.2f} |")
    print()
    print_calibration(seen)


def print_calibration(seen: Mapping[str, Sequence[tuple[float, bool]]]) -> None:
    """Print the expected calibration error of each file, and that of perfect confidences."""
    head = ["file", "decisions", "mean confidence", "right", "expected calibration error"]
    head += ["of perfection", "at least as large"]
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for of, some in seen.items():
        mean, share = (statistics.mean(values) for values in zip(*some, strict=True))
        error, drawn = calibration_error(some), errors_of_perfection([sure for sure, _ in some])
        as_large = statistics.mean(one >= error for one in drawn)
        perfect = statistics.mean(drawn)
        row = (of, len(some), f"{mean:.3f}", f"{share:.3f}", f"{error:.3f}", f"{perfect:.3f}")
        print(f"| {' | '.join(map(str, row))} | {as_large:.1%} |")
    print()


def tenths(seen: Iterable[tuple[float, bool]]) -> dict[int, list[tuple[float, bool]]]:
    """Group decisions by tenths of confidence."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in sorted(seen):
        bins.setdefault(min(int(confidence * 10), 9), []).append((confidence, right))
    return bins


def calibration_error(seen: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error: |confidence - accuracy|, weighted over tenths."""
    return sum(
        abs(sum(confidence - right for confidence, right in some)) for some in tenths(seen).values()
    ) / max(1, len(seen))


def errors_of_perfection(confidences: Sequence[float]) -> list[float]:
    """Draw calibration errors under perfect calibration, given the confidences of decisions."""
    chance = Random(0)
    return [
        calibration_error([(sure, chance.random() < sure) for sure in confidences])
        for _ in range(DRAWS)
    ]


def print_least(predicted: Sequence[tuple[Case, Projection]]) -> None:
    """Print the share of changes kept, and right, if only confident changes are made."""
    print("| least confidence | changes kept | right |\n|---|---|---|")
    changes = [(sure, right) for _, sure, right, changed in decisions(predicted) if changed]
    for least in LEAST:
        kept = [right for sure, right in changes if sure >= least]
        if kept:
            share = len(kept) / len(changes)
            print(f"| {least:g} | {len(kept)} ({share:.0%}) | {statistics.mean(kept):.1%} |")
    print()


def print_scores(rounds: Sequence[Mapping[str, float]]) -> None:
    print("| measure | mean | lowest | highest |\n|---|---|---|---|")
    for name in rounds[0]:
        values = [each[name] for each in rounds]
        mean, low, high = statistics.mean(values), min(values), max(values)
        print(f"| {name} | {mean:.4f} | {low:.4f} | {high:.4f} |")


if __name__ == "__main__":
    main()
