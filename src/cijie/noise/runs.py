"""Methods run on the conditions of a synthetic benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from cijie.errors import UsageError
from cijie.evaluation.comparison import Comparison, compare
from cijie.noise.conditions import StoredCondition
from cijie.recovery.methods import RecoveryMethod
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.segmenting import segment_pairs
from cijie.recovery.sentence import Sentence
from cijie.segmenters import Segmenter

TargetWords = Literal["gold", "auto"]
"""Whose words of the target are projected: the corpus's own, or the segmenter's."""


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """All methods over one segmenter on one condition.

    Attributes:
        condition: its name.
        ratio: edits / characters of the targets.
        segmenter: the name of the segmenter.
        target_words: whose words of the target were projected.
        comparison: the methods, by name, against gold and against one another.
    """

    condition: str
    ratio: float
    segmenter: str
    target_words: TargetWords
    comparison: Comparison

    def f1(self, method: str) -> float:
        """Micro token F1 of a method."""
        return self.comparison.systems[method].f1


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """Methods to run, over one segmenter or several.

    Args:
        segmenters: segment the sources, and for `"auto"` the targets.
        methods: the methods by name.
        trials: trials of the significance tests.
        seed: their seed.

    Raises:
        UsageError: no segmenter, or two of the same name.
    """

    segmenters: Sequence[Segmenter]
    methods: Mapping[str, RecoveryMethod]
    trials: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        names = [segmenter.name for segmenter in self.segmenters]
        if not names or len(set(names)) < len(names):
            raise UsageError(f"expected different segmenters, got {', '.join(names) or 'none'}")

    def signature(self, conditions: Sequence[StoredCondition]) -> str:
        """Everything that the results depend on: versions, the benchmark, segmenters, methods."""
        digest = sha256("".join(condition.checksum for condition in conditions).encode())
        return "|".join(
            [
                "score:token-f1",
                "average:micro",
                f"conditions:{len(conditions)}/{digest.hexdigest()[:12]}",
                f"trials:{self.trials}",
                f"seed:{self.seed}",
                *(
                    f"[{name}]{Recoverer(segmenter, method).signature}"
                    for segmenter in self.segmenters
                    for name, method in self.methods.items()
                ),
            ]
        )

    def on(
        self, condition: StoredCondition, targets: Sequence[TargetWords]
    ) -> Iterator[ConditionResult]:
        """Run the methods on a condition, over each segmenter, once for each of `targets`.

        Raises:
            CijieError: the files of the condition cannot be read.
        """
        gold, read = condition.gold(), condition.pairs()
        for segmenter in self.segmenters:
            pairs = list(segment_pairs(segmenter, read))
            for target in targets:
                given = pairs
                if target == "auto":
                    alone = (Sentence(x.id, x.source, x.targets, initial=x.initial) for x in pairs)
                    given = list(segment_pairs(segmenter, alone))
                systems = {
                    name: {
                        each.id: each for each in Recoverer(segmenter, method).recover_all(given)
                    }
                    for name, method in self.methods.items()
                }
                compared = compare(gold, systems, trials=self.trials, seed=self.seed)
                yield ConditionResult(
                    condition.name, condition.ratio, segmenter.name, target, compared
                )
