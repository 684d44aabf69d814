"""Run methods on the conditions of a synthetic benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import sha256
from operator import add
from typing import Literal

from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.significance import PairedTest
from cijie.noise.conditions import StoredCondition
from cijie.recovery.methods import RecoveryMethod
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.segmenting import segment_pairs
from cijie.recovery.sentence import Recovery, Sentence
from cijie.segmenters import Segmenter

TargetWords = Literal["gold", "auto"]
"""The origin of the projected target words: the corpus (gold), or the segmenter (auto)."""


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """The results of all systems on one condition.

    Attributes:
        condition: the name of the condition.
        ratio: the number of edits per character of the targets.
        target_words: the origin of the projected target words.
        comparison: the systems, by name, against gold and against one another.
        seeds: if it combines several seeds, the results of each.
    """

    condition: str
    ratio: float
    target_words: TargetWords
    comparison: Comparison
    seeds: Sequence[ConditionResult] = ()

    def f1(self, system: str) -> float:
        """Return the micro token F1 of a system."""
        return self.comparison.systems[system].f1

    def interval(self, system: str) -> tuple[float, float]:
        """Return the lowest and highest F1 of a system over seeds.

        For a single seed it is the 95 % interval, by a bootstrap over sentences with a thousand
        samples.
        """
        if self.seeds:
            of_seeds = [result.f1(system) for result in self.seeds]
            return min(of_seeds), max(of_seeds)
        # The difference from a system without words is F1 itself.
        counts = self.comparison.systems[system].histogram
        ratios = Counter({(each.f1_ratio, (0, each.gold)): n for each, n in counts.items()})
        test = PairedTest.of(ratios, trials=1_000, seed=self.comparison.seed)
        return test.low, test.high


def of_all_seeds(results: Iterable[ConditionResult]) -> list[ConditionResult]:
    """Combine results of the same condition and target words by adding up their counts."""
    groups: dict[tuple[str, str], list[ConditionResult]] = {}
    for result in results:
        groups.setdefault((result.condition, result.target_words), []).append(result)
    found = []
    for same in groups.values():
        combined = same[0]
        if len(same) > 1:
            total = reduce(add, (each.comparison for each in same))
            combined = replace(combined, comparison=total, seeds=tuple(same))
        found.append(combined)
    return found


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """Methods to run, with one or several segmenters.

    Args:
        segmenters: the segmenters of the sources, and for `"auto"` of the targets, by name.
        methods: the methods, by name.
        trials: the number of trials of the significance tests.
        seed: the seed of the significance tests.
    """

    segmenters: Mapping[str, Segmenter]
    methods: Mapping[str, RecoveryMethod]
    trials: int = 10_000
    seed: int = 0

    def systems(self, segmenter: str) -> dict[str, Recoverer]:
        """Return the methods with a segmenter, by name; with several segmenters, name both."""
        of = f", {segmenter}" if len(self.segmenters) > 1 else ""
        return {
            f"{name}{of}": Recoverer(self.segmenters[segmenter], method)
            for name, method in self.methods.items()
        }

    def signature(self, conditions: Sequence[StoredCondition]) -> str:
        """Return everything the results depend on: versions, benchmark, segmenters, methods."""
        digest = sha256("".join(condition.checksum for condition in conditions).encode())
        made_of = f"conditions:{len(conditions)}/{digest.hexdigest()[:12]}"
        systems = [
            f"[{name}]{recoverer.signature}"
            for segmenter in self.segmenters
            for name, recoverer in self.systems(segmenter).items()
        ]
        tests = f"trials:{self.trials}", f"seed:{self.seed}"
        return "|".join(["score:token-f1", "average:micro", made_of, *tests, *systems])

    def on(
        self, condition: StoredCondition, targets: Sequence[TargetWords]
    ) -> Iterator[ConditionResult]:
        """Run the methods on a condition, with all segmenters, once for each of `targets`.

        Raises:
            CijieError: the files of the condition cannot be read.
        """
        gold, read = condition.gold(), condition.pairs()
        pairs = {name: list(segment_pairs(each, read)) for name, each in self.segmenters.items()}
        for target in targets:
            systems: dict[str, Mapping[str, Recovery]] = {}
            for segmenter, given in pairs.items():
                words: Iterable[Recovery] = given
                if target == "auto":
                    alone = (Sentence(x.id, x.source, x.targets, initial=x.initial) for x in given)
                    words = list(segment_pairs(self.segmenters[segmenter], alone))
                for name, recoverer in self.systems(segmenter).items():
                    systems[name] = {each.id: each for each in recoverer.recover_all(words)}
            compared = compare(gold, systems, trials=self.trials, seed=self.seed)
            yield ConditionResult(condition.name, condition.ratio, target, compared)
