"""What the paper claims, and whether it holds in a run, whichever way that falls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Column, Table
from cijie.noise.curves import TARGET_WORDS, series
from cijie.noise.runs import ConditionResult
from cijie.paper.reproduction import THE_PAPERS, Reproduction
from cijie.paper.sensitivity import marginal

SIGNIFICANT = 0.05
"""The p below which a difference is one."""
RARE = 0.05
"""The share below which something is rare."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the paper.

    Attributes:
        claim: what it says.
        holds: whether it holds here; None: it is not tested.
        here: the figures of the run that decide it, or why it is not tested.
    """

    claim: str
    holds: bool | None
    here: str

    @property
    def verdict(self) -> str:
        """Whether it holds, in words."""
        return {True: "holds", False: "does not hold", None: "not tested"}[self.holds]


def claims(results: Reproduction) -> Iterator[Claim]:
    """All that the paper claims, in its order."""
    yield from _differences(results)
    yield from _links(results)
    yield from _features(results)
    yield from _ibm(results)
    yield from _errors(results)
    yield from _noise(results)
    yield from _sensitivity(results)
    yield Claim(
        "The procedure does not depend on the granularity of the words",
        None,
        "a run has one segmenter: compare runs with another --segmenter",
    )
    yield Claim(
        "Projection takes linear time",
        None,
        "a run gives the same bytes each time, so it measures no time: see benchmarks/growth.py",
    )


def claims_table(found: Iterable[Claim]) -> Table:
    """The claims with the figures of the run."""
    return Table(
        "claims",
        "The paper's claims, whether they hold, and the figures that decide it",
        tuple(map(Column, ("claim", "verdict", "figures"))),
        tuple((each.claim, each.verdict, each.here) for each in found),
    )


def _differences(results: Reproduction) -> Iterator[Claim]:
    tests = results.comparison.tests
    p1_d, p2_d, p2_p1 = tests["P1", "D"], tests["P2", "D"], tests["P2", "P1"]
    yield Claim(
        "Projection is better than direct segmentation",
        _better(p2_d),
        f"P1 − D {_test(p1_d)}; P2 − D {_test(p2_d)}",
    )
    yield Claim("P2 is better than P1", _better(p2_p1), _test(p2_p1))
    yield Claim("P2 is better than D", _better(p2_d), _test(p2_d))
    yield Claim("P1 and D do not differ significantly", not _significant(p1_d), _test(p1_d))


def _links(results: Reproduction) -> Iterator[Claim]:
    p1, p2 = results.coverage["P1"], results.coverage["P2"]
    yield Claim(
        "Residual links raise coverage on both sides",
        p2.source_coverage > p1.source_coverage and p2.target_coverage > p1.target_coverage,
        f"source {p1.source_coverage:.2%} → {p2.source_coverage:.2%}, "
        f"target {p1.target_coverage:.2%} → {p2.target_coverage:.2%}",
    )
    share = p2.crossing_of_residuals
    yield Claim(
        "Most residual links break the order: they cross an anchor",
        share > 0.5,
        f"{p2.crossings:,} of {p2.residuals:,}, {share:.2%}, in {p2.crossed_pairs:,} sentences",
    )
    share = p2.crossing_of_source
    yield Claim(
        f"Yet they are few of all source characters (under {RARE:.0%})",
        share < RARE,
        f"{share:.2%}; {p2.crossing_of_linked:.2%} of those that P2 links",
    )


def _features(results: Reproduction) -> Iterator[Claim]:
    p1 = results.comparison.systems["P1"].f1
    f1 = {each.removed: each.f1 for each in results.ablation}
    tests = {each.removed: each.test for each in results.ablation if each.test}
    for name, called in (("glyph", "glyph similarity"), ("pos", "position")):
        yield Claim(
            f"Without {called} P2 falls to the level of P1",
            _better(tests[name]) and round(f1[name], 4) <= round(p1, 4),
            f"{_decimal(f1[name])}, P1 {_decimal(p1)}; effect {_test(tests[name])}",
        )
    emb, pinyin = tests["emb"], tests["pinyin"]
    yield Claim(
        "Context contributes, but less than glyph similarity and position",
        _better(emb) and emb.difference < min(tests[name].difference for name in ("glyph", "pos")),
        f"effect {_test(emb)}",
    )
    yield Claim(
        "Phonology contributes nothing (its weight is 0)",
        not _significant(pinyin),
        f"effect {_test(pinyin)}",
    )


def _ibm(results: Reproduction) -> Iterator[Claim]:
    comparison = results.readings[results.join_rule]
    for name in THE_PAPERS:
        test = comparison.tests["IBM", name]
        yield Claim(
            f"The IBM-style aligner is worse than {name}",
            _significant(test) and test.difference < 0,
            f"{_decimal(comparison.systems['IBM'].f1)}; IBM − {name} {_test(test)}",
        )
    exact = shared = 0
    added: list[set[tuple[str, str]]] = []
    for p1, ibm in zip(*(results.recoveries[name].values() for name in ("P1", "IBM")), strict=True):
        ours, theirs = ({link[:2] for link in x.alignment.as_tuples()} for x in (p1, ibm))
        exact, shared = exact + len(ours), shared + len(ours & theirs)
        pairs = {(p1.source[i], p1.target[j]) for i, j in theirs - ours}
        added.append({(a, b) for a, b in pairs if a != b})
    share = _share(shared, exact)
    yield Claim(
        "IBM-style projection does much of what P1’s exact matches do: it has most of P1’s links",
        share > 0.5,
        f"{share:.1%} of P1’s links; it links {results.coverage['IBM'].source_coverage:.1%} of the "
        f"source’s characters, P1 {results.coverage['P1'].source_coverage:.1%}",
    )
    sentences = Counter(chain.from_iterable(added))
    often = sum(count for count in sentences.values() if count > 1)
    yield Claim(
        "What it adds between different characters is frequent: most of it occurs in several "
        "sentences",
        often > sentences.total() / 2,
        f"{often:,} of {sentences.total():,}, {_share(often, sentences.total()):.1%}",
    )


def _errors(results: Reproduction) -> Iterator[Claim]:
    errors = [results.comparison.systems[name].errors for name in THE_PAPERS]
    over, under = [each.over for each in errors], [each.under for each in errors]
    shares, drift = ([each.share(kind) for each in errors] for kind in ("under", "drift"))
    yield Claim(
        "Over-segmentation falls from D to P1 to P2",
        over[0] > over[1] > over[2],
        _steps(over, ",d"),
    )
    yield Claim(
        "Under-segmentation rises from D to P1",
        under[0] < under[1],
        _steps(under, ",d"),
    )
    yield Claim(
        "The share of under-segmentation rises from D to P1 to P2",
        shares[0] < shares[1] < shares[2],
        _steps(shares, ".1%"),
    )
    yield Claim(
        f"Drift is rare (under {RARE:.0%} of errors)",
        max(drift) < RARE,
        _steps(drift, ".1%"),
    )


_UNDER_NOISE = (
    "D falls under noise",
    "P1 stays better than D while most characters are preserved",
    "P1’s advantage over D decreases as noise grows",
    "P2 falls more slowly than P1",
)


def _noise(results: Reproduction) -> Iterator[Claim]:
    if results.synthetic is None:
        for statement in _UNDER_NOISE:
            yield Claim(statement, None, "no corpus was given (--synthetic)")
        return
    for curves in series(results.synthetic.results):
        words = TARGET_WORDS[curves.target_words]
        found = zip(_UNDER_NOISE, _under_noise(curves.results), strict=True)
        for statement, (holds, here) in found:
            yield Claim(f"{statement}, {words}", holds, here)


def _under_noise(results: Sequence[ConditionResult]) -> Iterator[tuple[bool, str]]:
    """Whether each of `_UNDER_NOISE` holds, from the least noise that there is to the most."""
    noisy = sorted(
        [result for result in results if result.ratio > 0] or results,
        key=lambda result: result.ratio,
    )
    least, most = noisy[0], noisy[-1]
    fall = {name: most.f1(name) - least.f1(name) for name in THE_PAPERS}
    better = [_better(result.comparison.tests["P1", "D"]) for result in noisy]
    advantages = [result.f1("P1") - result.f1("D") for result in (least, most)]
    p2_p1 = most.comparison.tests["P2", "P1"]
    at = f"{least.ratio:.0%} → {most.ratio:.0%}:"
    advantage = f"P1 − D {_signed(advantages[0])} → {_signed(advantages[1])}"
    yield fall["D"] < 0, f"{at} {_decimal(least.f1('D'))} → {_decimal(most.f1('D'))}"
    yield all(better), f"{at} {advantage}; significant at {sum(better)} of {len(better)} levels"
    yield advantages[1] < advantages[0], f"{at} {advantage}"
    falls = ", ".join(f"{name} {_signed(fall[name])}" for name in THE_PAPERS)
    slower = fall["P2"] > fall["P1"] and _better(p2_p1)
    yield slower, f"{at} {falls}; P2 − P1 at {most.ratio:.0%} {_test(p2_p1)}"


def _sensitivity(results: Reproduction) -> Iterator[Claim]:
    """From the mean F1 of all settings that have a weight, from 0 to 1."""
    names = ("emb", "glyph", "pinyin", "pos")
    means = {name: marginal(results.tuning, name).mean for name in names}
    gain = {name: float(mean[-1] - mean[0]) for name, mean in means.items()}
    drop = {
        name: max(map(float, mean[:-1] - mean[1:]), default=0.0) for name, mean in means.items()
    }
    spread = {name: float(mean.max() - mean.min()) for name, mean in means.items()}

    def figures(values: dict[str, float]) -> str:
        return ", ".join(f"{name} {_signed(value)}" for name, value in values.items())

    chosen = results.tuning.settings[results.tuning.best].weights
    steps = {name: -value for name, value in drop.items()}
    yield Claim(
        "Sensitivity: the glyph weight is the strongest and the most stable",
        max(gain, key=gain.__getitem__) == min(drop, key=drop.__getitem__) == "glyph",
        f"mean F1 from weight 0 to 1: {figures(gain)}; in the worst step: {figures(steps)}; "
        f"the setting chosen here has glyph = {chosen.glyph:g}",
    )
    others = max(spread[name] for name in names if name != "pos")
    yield Claim(
        "Sensitivity: large position weights are much worse",
        -gain["pos"] > others,
        f"mean F1 from weight 0 to 1: {_signed(gain['pos'])}; no other weight moves it by more "
        f"than {_decimal(others)}",
    )
    yield Claim(
        "Sensitivity: the weights of context and sound matter little",
        max(spread["emb"], spread["pinyin"]) < min(spread["glyph"], spread["pos"]),
        "the greatest difference between mean F1: "
        + ", ".join(f"{name} {_decimal(value)}" for name, value in spread.items()),
    )


def _significant(test: PairedTest) -> bool:
    return test.p_randomisation < SIGNIFICANT


def _better(test: PairedTest) -> bool:
    return _significant(test) and test.difference > 0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _test(test: PairedTest) -> str:
    return f"{_signed(test.difference)}, p {_decimal(test.p_randomisation)}"


def _steps(numbers: Sequence[float], format: str) -> str:
    return " → ".join(f"{number:{format}}" for number in numbers)


def _signed(number: float) -> str:
    """A difference with its sign and no leading zero.

    >>> _signed(0.00171), _signed(-0.0402), _signed(0.0)
    ('+.0017', '−.0402', '.0000')
    """
    digits = _decimal(abs(number))
    sign = "" if float(digits) == 0 else "+" if number > 0 else "−"
    return sign + digits


def _decimal(number: float) -> str:
    """A share with four decimals and no leading zero.

    >>> _decimal(0.98462), _decimal(1.0)
    ('.9846', '1.0000')
    """
    return f"{number:.4f}".removeprefix("0")
