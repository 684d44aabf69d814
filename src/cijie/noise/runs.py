"""Methods run on the conditions of a synthetic benchmark."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal, get_args

from cijie.choices import Method, unknown
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.report import comparison_record
from cijie.evaluation.tables import Column, Format, Table, render_tables
from cijie.noise.conditions import StoredCondition
from cijie.recovery.methods import RecoveryMethod, make_method
from cijie.recovery.options import METHOD_OPTIONS
from cijie.recovery.pair import Pair
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.segmenting import segment_pairs
from cijie.segmenters import Segmenter

TargetWords = Literal["gold", "auto"]
"""Whose words of the target are projected: the corpus's own, or the segmenter's."""

_CAPTIONS: Mapping[TargetWords, str] = {
    "gold": "Token F1, gold target words",
    "auto": "Token F1, automatic target words",
}


@dataclass(frozen=True, slots=True)
class Result:
    """All methods on one condition.

    Attributes:
        condition: its name.
        ratio: edits / characters of the targets.
        target_words: whose words of the target were projected.
        comparison: the methods, by name, against gold and against one another.
    """

    condition: str
    ratio: float
    target_words: TargetWords
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Run:
    """Methods to run, over one segmenter.

    Args:
        segmenter: segments the sources, and for `"auto"` the targets.
        methods: the methods by name.
        trials: trials of the significance tests.
        seed: their seed.
    """

    segmenter: Segmenter
    methods: Mapping[str, RecoveryMethod]
    trials: int = 10_000
    seed: int = 0

    def signature(self, conditions: Sequence[StoredCondition]) -> str:
        """Everything that the results depend on: versions, the benchmark, segmenter, methods."""
        digest = sha256("".join(condition.checksum for condition in conditions).encode())
        return "|".join(
            [
                "score:token-f1",
                "average:micro",
                f"conditions:{len(conditions)}/{digest.hexdigest()[:12]}",
                f"trials:{self.trials}",
                f"seed:{self.seed}",
                *(
                    f"[{name}]{Recoverer(self.segmenter, method).signature}"
                    for name, method in self.methods.items()
                ),
            ]
        )

    def on(self, condition: StoredCondition, targets: Sequence[TargetWords]) -> Iterator[Result]:
        """Run the methods on a condition, once for each of `targets`.

        Raises:
            CijieError: the files of the condition cannot be read.
        """
        gold = condition.gold()
        pairs = list(segment_pairs(self.segmenter, condition.pairs()))
        for target in targets:
            given = pairs
            if target == "auto":
                alone = (Pair(pair.id, pair.source, pair.target, pair.initial) for pair in pairs)
                given = list(segment_pairs(self.segmenter, alone))
            systems = {
                name: dict(Recoverer(self.segmenter, method).recover_with_ids(given))
                for name, method in self.methods.items()
            }
            yield Result(
                condition.name,
                condition.ratio,
                target,
                compare(gold, systems, trials=self.trials, seed=self.seed),
            )


def parse_methods(text: str) -> dict[str, RecoveryMethod]:
    """Methods by name: `direct,p1,P2=p2,gaps=p2:position=local:weights=pos=1:threshold=.99`.

    A comma separates methods where the name of one follows; options, those of `make_method`, come
    after the method, each behind a colon. A method may be given a name of its own.

    Raises:
        ValueError: an unknown method or option, or two methods of one name.

    >>> list(parse_methods("direct,P2=p2:weights=emb=.5,pos=.5:context=none:threshold=.4"))
    ['direct', 'P2']
    """
    known = "|".join(get_args(Method))
    start = rf"\s*(?:[^,:=]+=)?(?:{known})\s*(?:[:,]|$)"
    methods: dict[str, RecoveryMethod] = {}
    for part in re.split(rf",(?={start})", text):
        name, specification = part.strip(), part.strip()
        if "=" in name.partition(":")[0]:
            name, _, specification = name.partition("=")
        if name in methods:
            raise ValueError(f"two methods have the name {name!r}")
        methods[name] = _make_method(specification)
    return methods


def render_results(results: Sequence[Result], run_signature: str, format: Format) -> str:
    """A table of F1 for each kind of target words; for JSON, all values of each condition."""
    record = {
        "signature": run_signature,
        "results": [
            {
                "condition": result.condition,
                "ratio": result.ratio,
                "target_words": result.target_words,
                **comparison_record(result.comparison),
            }
            for result in results
        ],
    }
    return render_tables(f1_tables(results), record, run_signature, format)


def f1_tables(results: Sequence[Result]) -> list[Table]:
    """A table of F1 for each kind of target words."""
    return [
        Table(
            f"f1-{target}",
            _CAPTIONS[target],
            (Column("condition"), *(Column(name, ".4f") for name in chosen[0].comparison.systems)),
            tuple(
                (
                    result.condition,
                    *(evaluation.f1 for evaluation in result.comparison.systems.values()),
                )
                for result in chosen
            ),
        )
        for target in get_args(TargetWords)
        if (chosen := [result for result in results if result.target_words == target])
    ]


def _make_method(specification: str) -> RecoveryMethod:
    method, *settings = specification.split(":")
    options: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        name = name.replace("-", "_")
        if not equals:
            raise ValueError(f"NAME=VALUE is wanted, not {setting!r}, in {specification!r}")
        if name not in METHOD_OPTIONS:
            raise ValueError(f"{unknown('option', name, METHOD_OPTIONS)}, in {specification!r}")
        options[name] = value
    if "threshold" in options:
        options["threshold"] = float(options["threshold"])
    return make_method(method, **options)  # type: ignore[arg-type]  # which it checks
