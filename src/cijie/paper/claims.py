"""What the paper claims, and whether it holds in a run, whichever way that falls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Column, Table
from cijie.noise.runs import TARGET_WORDS, ConditionResult, series
from cijie.paper import printed
from cijie.paper.reproduction import THE_PAPERS, Reproduction

Verdict = Literal["holds", "does not hold", "not tested"]

SIGNIFICANT = 0.05
"""The p below which a difference is one."""
RARE = 0.05
"""The share below which something is rare."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the paper.

    Attributes:
        claim: what it says.
        verdict: whether it holds here.
        here: the figures of the run that decide it, or why it is not tested.
        paper: those of the paper; empty if it gives none.
    """

    claim: str
    verdict: Verdict
    here: str
    paper: str


def claims(results: Reproduction) -> Iterator[Claim]:
    """All that the paper claims, in its order."""
    yield from _differences(results)
    yield from _links(results)
    yield from _features(results)
    yield from _ibm(results)
    yield from _errors(results)
    yield from _noise(results)
    yield Claim(
        "The procedure does not depend on the granularity of the words",
        "not tested",
        "a run has one segmenter: compare runs with another --segmenter",
        "",
    )
    yield Claim(
        "Projection takes linear time",
        "not tested",
        "a run gives the same bytes each time, so it measures no time: see benchmarks/growth.py",
        "",
    )


def claims_tables(found: Sequence[Claim]) -> tuple[Table, Table]:
    """The claims with the figures of the run, and with the paper's."""
    return (
        Table(
            "claims",
            "The paper's claims, whether they hold, and the figures that decide it",
            tuple(map(Column, ("claim", "verdict", "figures"))),
            tuple((each.claim, each.verdict, each.here) for each in found),
        ),
        Table(
            "claims",
            "all tables",
            (Column("claim"), Column("figures")),
            tuple((each.claim, each.paper) for each in found),
        ),
    )


def _differences(results: Reproduction) -> Iterator[Claim]:
    tests = results.comparison.tests
    p1_d, p2_d, p2_p1 = tests["P1", "D"], tests["P2", "D"], tests["P2", "P1"]
    f1 = {str(name): float(value) for name, value in printed.SCORES.rows}
    p = {str(name): float(value) for name, _, value in printed.DIFFERENCES.rows}

    def told(a: str, b: str) -> str:
        return f"{a} − {b} {_signed(f1[a] - f1[b])}, p {_decimal(p[f'{a} vs {b}'])}"

    yield Claim(
        "Projection is better than direct segmentation",
        _holds(_better(p2_d)),
        f"P1 − D {_told(p1_d)}; P2 − D {_told(p2_d)}",
        f"{told('P1', 'D')}; {told('P2', 'D')}",
    )
    for a, b, test in (("P2", "P1", p2_p1), ("P2", "D", p2_d)):
        yield Claim(f"{a} is better than {b}", _holds(_better(test)), _told(test), told(a, b))
    yield Claim(
        "P1 and D do not differ significantly",
        _holds(not _significant(p1_d)),
        _told(p1_d),
        told("P1", "D"),
    )


def _links(results: Reproduction) -> Iterator[Claim]:
    p1, p2 = results.coverage["P1"], results.coverage["P2"]
    yield Claim(
        "Residual links raise coverage on both sides",
        _holds(p2.source_coverage > p1.source_coverage and p2.target_coverage > p1.target_coverage),
        f"source {p1.source_coverage:.2%} → {p2.source_coverage:.2%}, "
        f"target {p1.target_coverage:.2%} → {p2.target_coverage:.2%}",
        "source 93.09% → 95.61%, target 91.36% → 93.84%",
    )
    share = _share(p2.crossings, p2.residuals)
    yield Claim(
        "Most residual links break the order: they cross an anchor",
        _holds(share > 0.5),
        f"{p2.crossings:,} of {p2.residuals:,}, {share:.2%}, in {p2.crossed_pairs:,} sentences",
        "737 of 1,230, 59.92%, in 334 sentences",
    )
    share = _share(p2.crossings, p2.source_characters)
    yield Claim(
        f"Yet they are few of all source characters (under {RARE:.0%})",
        _holds(share < RARE),
        f"{share:.2%}; {_share(p2.crossings, p2.links):.2%} of those that P2 links",
        "1.51%; 1.58% of those that P2 links",
    )


def _features(results: Reproduction) -> Iterator[Claim]:
    p1 = results.comparison.systems["P1"].f1
    effects = {each.removed: each for each in results.ablation if each.removed}
    papers = {str(name): float(value) for name, value in printed.ABLATION.rows}
    tests = {name: each.test for name, each in effects.items() if each.test}
    for name, called in (("glyph", "glyph similarity"), ("pos", "position")):
        yield Claim(
            f"Without {called} P2 falls to the level of P1",
            _holds(_better(tests[name]) and round(effects[name].f1, 4) <= round(p1, 4)),
            f"{_decimal(effects[name].f1)}, P1 {_decimal(p1)}; effect {_told(tests[name])}",
            f"{_decimal(papers[f'- {name}'])}, P1 .9899",
        )
    emb, pinyin = tests["emb"], tests["pinyin"]
    less = all(emb.difference < tests[name].difference for name in ("glyph", "pos"))
    yield Claim(
        "Context contributes, but less than glyph similarity and position",
        _holds(_better(emb) and less),
        f"effect {_told(emb)}",
        f"effect {_signed(papers['P2'] - papers['- emb'])}",
    )
    yield Claim(
        "Phonology contributes nothing (its weight is 0)",
        _holds(not _significant(pinyin)),
        f"effect {_told(pinyin)}",
        f"effect {_signed(papers['P2'] - papers['- pinyin'])}",
    )


def _ibm(results: Reproduction) -> Iterator[Claim]:
    f1 = {str(name): float(value) for name, value in printed.IBM.rows}
    comparison = results.readings[results.join_rule]
    for name in THE_PAPERS:
        test = comparison.tests["IBM", name]
        yield Claim(
            f"The IBM-style aligner is worse than {name}",
            _holds(_significant(test) and test.difference < 0),
            f"{_decimal(comparison.systems['IBM'].f1)}; IBM − {name} {_told(test)}",
            f".9489; IBM − {name} {_signed(f1['IBM'] - f1[name])}",
        )


def _errors(results: Reproduction) -> Iterator[Claim]:
    errors = [results.comparison.systems[name].errors for name in THE_PAPERS]
    over, under = [each.over for each in errors], [each.under for each in errors]
    yield Claim(
        "Over-segmentation falls from D to P1 to P2",
        _holds(over[0] > over[1] > over[2]),
        _steps(over),
        "172 → 120 → 88",
    )
    yield Claim(
        "Under-segmentation rises from D to P1",
        _holds(under[0] < under[1]),
        _steps(under),
        "52 → 88 → 84",
    )
    shares = [each.share("under") for each in errors]
    yield Claim(
        "The share of under-segmentation rises from D to P1 to P2",
        _holds(shares[0] < shares[1] < shares[2]),
        " → ".join(f"{share:.1%}" for share in shares),
        "22.9% → 41.7% → 47.7%",
    )
    drift = [each.share("drift") for each in errors]
    yield Claim(
        f"Drift is rare (under {RARE:.0%} of errors)",
        _holds(max(drift) < RARE),
        " → ".join(f"{share:.1%}" for share in drift),
        "1.3% → 1.4% → 2.3%",
    )


def _noise(results: Reproduction) -> Iterator[Claim]:
    statements = (
        "D falls under noise",
        "P1 falls less than D",
        "P1 loses its advantage over D as noise grows",
        "P2 falls most slowly",
    )
    if results.synthetic is None:
        for statement in statements:
            yield Claim(statement, "not tested", "no corpus was given (--synthetic)", "a figure")
        return
    for curves in series(results.synthetic.results):
        least, most = _extremes(curves.results)
        fall = {name: most.f1(name) - least.f1(name) for name in THE_PAPERS}
        advantage = [each.f1("P1") - each.f1("D") for each in (least, most)]
        test = most.comparison.tests["P2", "P1"]
        at = f"{least.ratio:.0%} → {most.ratio:.0%}"
        shown = {name: f"{name} {_signed(fall[name])}" for name in THE_PAPERS}
        found = (
            (fall["D"] < 0, f"{at}: {_decimal(least.f1('D'))} → {_decimal(most.f1('D'))}"),
            (fall["P1"] > fall["D"], f"{at}: {shown['P1']}, {shown['D']}"),
            (
                advantage[1] < advantage[0],
                f"{at}: P1 − D {_signed(advantage[0])} → {_signed(advantage[1])}",
            ),
            (
                fall["P2"] > max(fall["P1"], fall["D"]) and _better(test),
                f"{at}: {', '.join(shown.values())}; P2 − P1 at {most.ratio:.0%} {_told(test)}",
            ),
        )
        words = TARGET_WORDS[curves.target_words]
        for statement, (holds, here) in zip(statements, found, strict=True):
            yield Claim(f"{statement}, {words}", _holds(holds), here, "a figure")


def _extremes(results: Sequence[ConditionResult]) -> tuple[ConditionResult, ConditionResult]:
    """The conditions with the least noise, but some if there is such a one, and with the most."""
    noisy = [result for result in results if result.ratio > 0] or results
    return min(noisy, key=_ratio), max(noisy, key=_ratio)


def _ratio(result: ConditionResult) -> float:
    return result.ratio


def _significant(test: PairedTest) -> bool:
    return test.p_randomisation < SIGNIFICANT


def _better(test: PairedTest) -> bool:
    return _significant(test) and test.difference > 0


def _holds(true: bool) -> Verdict:
    return "holds" if true else "does not hold"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _told(test: PairedTest) -> str:
    return f"{_signed(test.difference)}, p {_decimal(test.p_randomisation)}"


def _steps(counts: Sequence[int]) -> str:
    return " → ".join(f"{count:,}" for count in counts)


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
