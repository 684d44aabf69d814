"""Run all of the paper's experiments on a user's own data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from operator import attrgetter
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, get_args

from cijie.choices import JoinRule, Method
from cijie.errors import CijieError, counted
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.counts import Coverage
from cijie.evaluation.sentences import Segmented
from cijie.evaluation.significance import PairedTest
from cijie.noise.conditions import Corpus, write_benchmark
from cijie.noise.injection import Noise, Pool
from cijie.noise.runs import BenchmarkRun, ConditionResult
from cijie.noise.synthetic import Recipe
from cijie.paper.grid import Grid, Setting, digest_of, make_cases, simplex
from cijie.paper.ibm import IbmAligner, train_ibm
from cijie.paper.tuning import Ablation, Tuning, ablate, held_out_test, tune
from cijie.projection.boundaries import project
from cijie.recovery.methods import (
    MethodOptions,
    RecoveryMethod,
    by_links,
    load_glyph_table,
    make_method,
)
from cijie.recovery.options import METHOD_OPTIONS
from cijie.recovery.recoverer import Recoverer, segment_pairs
from cijie.recovery.sentence import Recovery, Sentence
from cijie.segmenters import Segmenter
from cijie.signatures import signed
from cijie.similarity.features import Feature
from cijie.similarity.weights import Weights
from cijie.text.segmentation import Segmentation

SYSTEMS: Mapping[str, Method] = MappingProxyType(
    {"D": "direct", "P1": "p1", "P2": "p2", "P3": "p3", "dictionary": "dictionary"}
)
"""The methods of the compared systems, by display name: the paper's three, and two others."""

THE_PAPERS = ("D", "P1", "P2")
"""The systems of the paper."""

LITERAL = "P2, literal"
"""P2 with the literal reading of the glyph table: identical characters are no exception."""

_FOLDS = 5
_LINKING = ("P1", "P2", "P3", "IBM", LITERAL)
_SYNTHETIC = ("D", "P1", "P2", "P3")


Watch = Callable[[Iterable[Any], str], Iterable[Any]]
"""Takes items and their description, passes the items on, and may show progress."""


def unwatched(items: Iterable[Any], what: str) -> Iterable[Any]:  # noqa: ARG001
    return items


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of the experiments.

    Args:
        segmenter: the segmenter of sources and targets.
        features: all features of P2, by the name of their weight, for ablation and tuning.
        p2: options of P2's features, and the join rule, see `make_method`. P3 has its own
            definitions, but shares the glyph table, and all share the join rule.
        vectors: the weights that tuning tries.
        recipe: returns the settings of the synthetic noise for a pool of characters.
        ratios: the conditions of the synthetic benchmark, in edits per character.
        trials: the number of trials of each significance test.
        seed: the seed of tests, folds and synthetic noise.
    """

    segmenter: Segmenter
    features: Mapping[str, Feature]
    p2: Mapping[str, Any]
    vectors: Sequence[Weights] = tuple(simplex())
    recipe: Callable[[Pool], Recipe] = lambda pool: Recipe(Noise(pool))
    ratios: Sequence[Fraction] = tuple(Fraction(percent, 100) for percent in range(11))
    trials: int = 10_000
    seed: int = 0

    @property
    def join_rule(self) -> JoinRule:
        """The rule by which a target word joins source characters."""
        rule: JoinRule = self.p2.get("join_rule", "equal-length")
        return rule

    def methods(self) -> dict[str, RecoveryMethod]:
        """Build the methods of `SYSTEMS` and of `LITERAL`, by name."""
        found = {}
        for name, method in SYSTEMS.items():
            shared = self.p2 if method == "p2" else self.p2.keys() & {"glyph_table", "join_rule"}
            taken = [option for option in shared if method in METHOD_OPTIONS[option].defaults]
            options: MethodOptions = {option: self.p2[option] for option in taken}  # type: ignore[assignment]
            found[name] = make_method(method, **options)
        glyphs = load_glyph_table(self.p2.get("glyph_table", "builtin"))
        found[LITERAL] = make_method("p2", **{**self.p2, "glyph_table": glyphs.literal()})
        return found


@dataclass(frozen=True, slots=True)
class Synthetic:
    """The results of the systems on the synthetic benchmark.

    Attributes:
        corpus: the name of the corpus.
        sentences: the number of sentences of the corpus.
        noise: the kind of noise, and the rule for the kinds of edits.
        results: the results on each condition, with gold and with automatic target words.
        signature: everything that the results depend on.
    """

    corpus: str
    sentences: int
    noise: str
    results: Sequence[ConditionResult]
    signature: str


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The results of all experiments.

    Attributes:
        segmenter: the name of the segmenter.
        join_rule: the rule by which a target word joins source characters.
        recoveries: the recoveries of all pairs, by system and id: of `SYSTEMS`, `LITERAL` and the
            IBM-style aligner, which is trained on all pairs.
        cases: the pairs with gold.
        comparison: the comparison of `SYSTEMS` on the pairs with gold.
        coverage: the coverage of all pairs by the systems that use links.
        papers: the comparison of D, P1 and P2 alone, so that only these contest regions.
        readings: the comparison of D, P1, P2 and the IBM-style aligner, under each join rule.
        literal: the comparison of P2 and `LITERAL`.
        ablation: P2 with the paper's setting, complete and without each feature.
        tuning: the choice of P2's weights and threshold.
        held_out: the test of this choice against the paper's setting; see `held_out_test`.
        synthetic: the results on the synthetic benchmark, if there is a corpus for it.
        skipped: the number of skipped sentences, by reason.
        signature: everything that the results on the pairs depend on.
    """

    segmenter: str
    join_rule: JoinRule
    recoveries: Mapping[str, Mapping[str, Recovery]]
    cases: Sequence[Recovery]
    comparison: Comparison
    coverage: Mapping[str, Coverage]
    papers: Comparison
    readings: Mapping[JoinRule, Comparison]
    literal: Comparison
    ablation: Sequence[Ablation]
    tuning: Tuning
    held_out: PairedTest
    synthetic: Synthetic | None
    skipped: Counter[str]
    signature: str


def run(
    pairs: Iterable[Sentence],
    gold: Mapping[str, Segmented],
    plan: Plan,
    *,
    corpus: Corpus | None = None,
    watch: Watch = unwatched,
) -> Reproduction:
    """Run all experiments.

    Links are counted, and the IBM-style aligner is trained, on all pairs; scores are computed on
    the pairs with gold.

    Args:
        pairs: the pairs, with distinct ids.
        gold: the gold segmentations of sources, or their words, by id.
        plan: the experiments to run.
        corpus: the corpus for the synthetic benchmark.
        watch: shows the progress of long steps, see `Watch`.

    Raises:
        CijieError: gold that does not match its source, fewer pairs with gold than folds, or no
            pair with characters on both sides.
    """
    skipped = Counter[str]()
    segmented = list(segment_pairs(plan.segmenter, watch(pairs, "pairs segmented")))
    cases = make_cases(segmented, gold, plan.segmenter, skipped)
    if len(cases) < _FOLDS:
        have = counted(len(cases), "pairs")
        raise CijieError(f"{have} with gold, which is too few for {_FOLDS} folds")
    grid = Grid(
        cases,
        plan.features,
        vectors=plan.vectors,
        folds=_FOLDS,
        seed=plan.seed,
        join_rule=plan.join_rule,
    )
    model = train_ibm((pair.source, pair.target_segmentation) for pair in segmented)
    ibm = by_links(IbmAligner(model), plan.join_rule)
    methods = {**plan.methods(), "IBM": ibm}
    recoveries = {
        name: {x.id: x for x in Recoverer(plan.segmenter, methods[name]).recover_all(segmented)}
        for name in watch(methods, "systems")
    }
    tuning = tune(grid, watch(grid.counts(), f"of {len(grid.vectors)} weight vectors"))
    tests: dict[str, Any] = {"trials": plan.trials, "seed": plan.seed}

    def compared(
        names: Iterable[str], words: Callable[[Recovery], Segmented] = attrgetter("segmentation")
    ) -> Comparison:
        gold_of = {case.id: case.segmentation for case in cases}
        systems = {name: {id: words(recoveries[name][id]) for id in gold_of} for name in names}
        return compare(gold_of, systems, **tests)

    return Reproduction(
        segmenter=plan.segmenter.name,
        join_rule=plan.join_rule,
        recoveries=recoveries,
        cases=cases,
        comparison=compared(SYSTEMS),
        coverage={
            name: Coverage.of(*[each.alignment for each in recoveries[name].values()])
            for name in _LINKING
        },
        papers=compared(THE_PAPERS),
        readings={
            rule: compared((*THE_PAPERS, "IBM"), partial(_projected, rule))
            for rule in get_args(JoinRule)
        },
        literal=compared(("P2", LITERAL)),
        ablation=ablate(grid.scorer, Setting(), **tests),
        tuning=tuning,
        held_out=held_out_test(grid, tuning, **tests),
        synthetic=None if corpus is None else _synthetic(corpus, plan, methods, watch),
        skipped=skipped,
        signature=signed(
            "score:token-f1",
            "average:micro",
            f"pairs:{len(segmented)}:{digest_of(segmented, gold=False)}",
            f"cases:{len(cases)}:{digest_of(cases, gold=True)}",
            f"segmenter:{plan.segmenter.name}",
            f"trials:{plan.trials}",
            f"seed:{plan.seed}",
            *(f"[{name}]{method.signature}" for name, method in methods.items()),
        ),
    )


def _projected(rule: JoinRule, recovery: Recovery) -> Segmentation:
    """Project the target words of a recovery along its links, under a join rule."""
    words = recovery.initial, recovery.target_segmentation
    return project(*words, recovery.alignment, join_rule=rule).segmentation


def _synthetic(
    corpus: Corpus, plan: Plan, methods: Mapping[str, RecoveryMethod], watch: Watch
) -> Synthetic:
    """Do the work of `cijie bench synthetic` and `cijie bench run` for the corpus."""
    methods = {name: methods[name] for name in _SYNTHETIC}
    recipe = replace(plan.recipe(Pool.of(corpus.texts, "corpus")), seed=plan.seed)
    run = BenchmarkRun({"": plan.segmenter}, methods, trials=plan.trials, seed=plan.seed)
    with TemporaryDirectory() as directory:
        conditions = list(write_benchmark(directory, corpus, plan.ratios, recipe))
        results = [
            result
            for condition in watch(conditions, f"of {len(conditions)} synthetic conditions")
            for result in run.on(condition, ("gold", "auto"))
        ]
    signature = run.signature(conditions)
    noise = f"{recipe.noise.name}, kinds {recipe.kinds}"
    return Synthetic(corpus.name, len(corpus.sentences), noise, results, signature)
