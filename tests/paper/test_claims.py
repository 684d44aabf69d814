from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from cijie import Recovery, Weights
from cijie.alignment.links import Alignment
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.significance import PairedTest
from cijie.noise.runs import ConditionResult
from cijie.paper.claims import claims, claims_table
from cijie.paper.grid import Setting, simplex
from cijie.paper.reproduction import Reproduction, Synthetic
from cijie.paper.tuning import Tuning

from recovered import recovered

RIGHT, WRONG = "我 爱 你", "我爱 你"


def verdicts(results: Reproduction) -> dict[str, str]:
    return {each.claim: each.verdict for each in claims(results)}


def with_test(results: Reproduction, pair: tuple[str, str], difference: float, p: float) -> Mapping:  # type: ignore[type-arg]
    test = PairedTest(difference, 0, 0, p, p, 0, 0, 0, 9, 0)
    comparison = results.comparison
    tests = {**comparison.tests, pair: test}
    changed = replace(comparison)
    vars(changed)["tests"] = tests  # in the place of what would be computed
    return verdicts(replace(results, comparison=changed))


def test_each_claim_has_the_figures_that_decide_it(results: Reproduction) -> None:
    found = list(claims(results))
    assert len({each.claim for each in found}) == len(found) == 33
    assert all(each.here for each in found)
    assert [row[0] for row in claims_table(found).rows] == [each.claim for each in found]
    coverage = results.coverage["P2"].source_coverage
    [raised] = [
        each for each in found if each.claim == "Residual links raise coverage on both sides"
    ]
    assert (raised.verdict, f"→ {coverage:.2%}, target" in raised.here) == ("holds", True)


@pytest.mark.parametrize(
    ("difference", "p", "better", "alike"),
    [
        (0.001, 0.01, "holds", "does not hold"),
        (0.001, 0.2, "does not hold", "holds"),
        (-0.001, 0.01, "does not hold", "does not hold"),
        (0.0, 1.0, "does not hold", "holds"),
    ],
)
def test_a_difference_holds_if_it_has_the_sign_and_is_significant(
    results: Reproduction, difference: float, p: float, better: str, alike: str
) -> None:
    assert with_test(results, ("P2", "P1"), difference, p)["P2 is better than P1"] == better
    found = with_test(results, ("P1", "D"), difference, p)
    assert found["P1 and D do not differ significantly"] == alike


def test_kinds_of_errors_are_counted_whichever_way_they_fall(results: Reproduction) -> None:
    def errors(d: str, p1: str, p2: str) -> dict[str, str]:
        systems = {"D": [d], "P1": [p1], "P2": [p2]}
        known = compare(["我们 昨天 走 了"], systems, trials=9)
        merged = {**results.comparison.systems, **known.systems}
        return verdicts(replace(results, comparison=replace(results.comparison, systems=merged)))

    under = "Under-segmentation rises from D to P1"
    over = "Over-segmentation falls from D to P1 to P2"
    found = errors("我 们 昨 天 走 了", "我 们 昨天 走了", "我们 昨天 走了")
    assert (found[over], found[under]) == ("holds", "holds")
    found = errors("我们 昨天 走了", "我 们 昨天 走 了", "我 们 昨天 走 了")
    assert (found[over], found[under]) == ("does not hold", "does not hold")


def condition(ratio: float, wrong: Sequence[int]) -> ConditionResult:
    """Forty sentences of which D, P1 and P2 have so many wrong."""
    systems = {
        name: [WRONG] * count + [RIGHT] * (40 - count)
        for name, count in zip(("D", "P1", "P2"), wrong, strict=True)
    }
    comparison: Comparison = compare([RIGHT] * 40, systems, trials=999)
    return ConditionResult(f"r{ratio:.0%}", ratio, "gold", comparison)


UNDER_NOISE = (
    "D falls under noise",
    "P1 stays better than D while most characters are preserved",
    "P1’s advantage over D decreases as noise grows",
    "P2 falls more slowly than P1",
)


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        ((38, 20, 5), ("holds", "holds", "does not hold", "holds")),
        # P1 falls more than D, and has most of its advantage left: both are as the paper says.
        ((30, 20, 5), ("holds", "holds", "holds", "holds")),
        ((20, 30, 29), ("holds", "does not hold", "holds", "does not hold")),
        # A difference of chance is none.
        ((38, 37, 36), ("holds", "does not hold", "holds", "does not hold")),
    ],
)
def test_what_noise_does_is_read_off_the_least_and_the_most(
    results: Reproduction, most: Sequence[int], expected: Sequence[str]
) -> None:
    # Without noise no system has anything wrong: that is no condition to start from.
    conditions = [condition(0.0, (0, 0, 0)), condition(0.01, (15, 1, 1)), condition(0.1, most)]
    synthetic = Synthetic("corpus", 40, "uniform", conditions, "")
    found = verdicts(replace(results, synthetic=synthetic))
    assert tuple(found[f"{each}, gold target words"] for each in UNDER_NOISE) == tuple(expected)
    assert not any("automatic" in claim for claim in found)


def test_what_needs_more_than_was_given_is_not_tested(results: Reproduction) -> None:
    found = verdicts(replace(results, synthetic=None))
    other_runs = [
        "The procedure does not depend on the granularity of the words",
        "Projection takes linear time",
    ]
    assert list(found)[-6:] == [*UNDER_NOISE, *other_runs]
    untested = [claim for claim, verdict in found.items() if verdict == "not tested"]
    assert untested == [*UNDER_NOISE, *other_runs]
    untested = [each.claim for each in claims(results) if each.verdict == "not tested"]
    assert untested == other_runs


def tuned(f1: Callable[[Weights], float]) -> Tuning:
    """All settings in halves, with such an F1 in both folds, on a thousand words."""
    settings = [Setting(weights, 0.5) for weights in simplex(2)]
    correct = [round(1000 * f1(setting.weights)) for setting in settings]
    return Tuning(settings, np.array([[(1000, 1000, k)] * 2 for k in correct]), "")


@pytest.mark.parametrize(
    ("f1", "expected"),
    [
        # As in the paper: the glyph weight gains, position loses, the others do neither.
        (lambda w: 0.9 + 0.02 * w.glyph - 0.08 * w.pos, ("holds", "holds", "holds")),
        (lambda w: 0.9 + 0.08 * w.emb, ("does not hold", "does not hold", "does not hold")),
        # Strong, but not stable: half of it is the worst that there is.
        (
            lambda w: 0.9 + 0.04 * w.glyph - 0.2 * (w.glyph == 0.5),
            ("does not hold", "does not hold", "does not hold"),
        ),
    ],
)
def test_sensitivity_is_read_off_the_runs_own_search(
    f1: Callable[[Weights], float], expected: Sequence[str], results: Reproduction
) -> None:
    found = list(claims(replace(results, tuning=tuned(f1))))
    sensitivity = [each for each in found if each.claim.startswith("Sensitivity")]
    assert tuple(each.verdict for each in sensitivity) == expected
    assert "the setting chosen here has glyph = " in sensitivity[0].here


def test_what_the_ibm_style_aligner_shares_with_p1_and_adds_is_counted(
    results: Reproduction,
) -> None:
    p1 = {str(n): recovered("我 去 了", "我 走 了", "p1") for n in range(3)}

    def with_links(*links: tuple[int, int]) -> Recovery:
        made = Alignment.from_tuples(3, 3, [(i, j, "residual", 0.5) for i, j in links])
        return replace(p1["0"], alignment=made)

    # Of P1's six links two; 去 with 走 twice, 了 with 走 once, and nothing identical.
    ibm = {
        "0": with_links((0, 0), (1, 1)),
        "1": with_links((1, 1), (2, 2)),
        "2": with_links((2, 1)),
    }
    found = list(claims(replace(results, recoveries={**results.recoveries, "P1": p1, "IBM": ibm})))
    [most] = [each for each in found if "most of P1’s links" in each.claim]
    [frequent] = [each for each in found if "adds" in each.claim]
    assert (most.verdict, most.here.split(";")[0]) == ("does not hold", "33.3% of P1’s links")
    assert (frequent.verdict, frequent.here) == ("holds", "2 of 3, 66.7%")
