"""Test the paper's claims on the results of a run, whatever the outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import chain

import numpy as np
import orjson

from cijie.evaluation.counts import share
from cijie.evaluation.significance import PairedTest
from cijie.evaluation.tables import Table
from cijie.noise.runs import TARGET_WORDS, ConditionResult, series
from cijie.paper.reproduction import THE_PAPERS, Reproduction
from cijie.paper.tuning import marginal

SIGNIFICANT = 0.05
"""The p below which a difference is significant."""
RARE = 0.05
"""The share below which something is rare."""

_Found = tuple[str, bool, str]
"""The name of a claim in `claims.json`, optionally followed by a comma and its subject; whether it
holds; and the figures."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the paper.

    Attributes:
        claim: the text of the claim.
        holds: whether it holds in this run; None if not tested.
        here: the figures of the run that decide it, or the reason why it is not tested.
        paper: the figures of the paper.
    """

    claim: str
    holds: bool | None
    here: str
    paper: str

    @property
    def verdict(self) -> str:
        """The outcome in words."""
        return {True: "holds", False: "does not hold", None: "not tested"}[self.holds]


def claims(results: Reproduction) -> Iterator[Claim]:
    """Yield all claims of the paper, in its order, those that the run does not test last."""
    said = orjson.loads((files(__package__) / "claims.json").read_bytes())
    experiments = _differences, _links, _features, _ibm, _errors, _noise, _sensitivity
    tested = set()
    for found, holds, here in chain.from_iterable(each(results) for each in experiments):
        name, comma, about = found.partition(", ")
        claim, paper, *_ = said[name]
        tested.add(name)
        yield Claim(f"{claim}{comma}{about}", holds, here, paper)
    for claim, paper, reason in (said[name] for name in said if name not in tested):
        yield Claim(claim, None, reason, paper)


def claims_table(found: Iterable[Claim]) -> Table:
    """Build the table of claims with the figures of the run."""
    return Table(
        "claims",
        "The paper's claims, whether they hold, and the figures that decide it",
        "claim",
        {"verdict": "", "figures": ""},
        [(each.claim, each.verdict, each.here) for each in found],
    )


def papers_table(found: Iterable[Claim]) -> Table:
    """Build the table of claims with the figures of the paper."""
    rows = [(each.claim, each.paper) for each in found]
    return Table("claims", "all tables", "claim", {"figures": ""}, rows)


def _differences(results: Reproduction) -> Iterator[_Found]:
    tests = results.comparison.tests
    p1_d, p2_d, p2_p1 = tests["P1", "D"], tests["P2", "D"], tests["P2", "P1"]
    yield "projection > D", _better(p2_d), f"P1 − D {_test(p1_d)}; P2 − D {_test(p2_d)}"
    yield "P2 > P1", _better(p2_p1), _test(p2_p1)
    yield "P2 > D", _better(p2_d), _test(p2_d)
    yield "P1 = D", not _significant(p1_d), _test(p1_d)


def _links(results: Reproduction) -> Iterator[_Found]:
    p1, p2 = results.coverage["P1"], results.coverage["P2"]
    rises = p2.source_coverage > p1.source_coverage and p2.target_coverage > p1.target_coverage
    source = f"source {p1.source_coverage:.2%} → {p2.source_coverage:.2%}"
    target = f"target {p1.target_coverage:.2%} → {p2.target_coverage:.2%}"
    yield "coverage rises", rises, f"{source}, {target}"
    most, few = p2.crossing_of_residuals, p2.crossing_of_source
    counts = f"{p2.crossings:,} of {p2.residuals:,}, {most:.2%}, in {p2.crossed_pairs:,} sentences"
    yield "most cross", most > 0.5, counts
    of_links = f"{p2.crossing_of_linked:.2%} of those that P2 links"
    yield "yet few", few < RARE, f"{few:.2%}; {of_links}"


def _features(results: Reproduction) -> Iterator[_Found]:
    p1 = results.comparison.systems["P1"].f1
    f1 = {each.removed: each.f1 for each in results.ablation}
    tests = {each.removed: each.test for each in results.ablation if each.test}
    for name in ("glyph", "pos"):
        falls = _better(tests[name]) and round(f1[name], 4) <= round(p1, 4)
        here = f"{_decimal(f1[name])}, P1 {_decimal(p1)}; effect {_test(tests[name])}"
        yield f"without {name}", falls, here
    emb, pinyin = tests["emb"], tests["pinyin"]
    less = emb.difference < min(tests[name].difference for name in ("glyph", "pos"))
    yield "context less", _better(emb) and less, f"effect {_test(emb)}"
    yield "phonology nothing", not _significant(pinyin), f"effect {_test(pinyin)}"


def _ibm(results: Reproduction) -> Iterator[_Found]:
    comparison = results.readings[results.join_rule]
    f1 = _decimal(comparison.systems["IBM"].f1)
    for name in THE_PAPERS:
        test = comparison.tests["IBM", name]
        worse = _significant(test) and test.difference < 0
        yield f"IBM < {name}", worse, f"{f1}; IBM − {name} {_test(test)}"
    exact = shared = 0
    added: Counter[tuple[str, str]] = Counter()
    both = (results.recoveries[name].values() for name in ("P1", "IBM"))
    for pair in zip(*both, strict=True):
        ours, theirs = ({link[:2] for link in each.alignment.as_tuples()} for each in pair)
        exact, shared = exact + len(ours), shared + len(ours & theirs)
        source, target = pair[0].source, pair[0].target
        pairs = {(source[i], target[j]) for i, j in theirs - ours}
        added.update((a, b) for a, b in pairs if a != b)  # once a sentence
    alike = share(shared, exact)
    ibm, p1 = (f"{results.coverage[name].source_coverage:.1%}" for name in ("IBM", "P1"))
    linked = f"it links {ibm} of the source’s characters, P1 {p1}"
    yield "IBM like P1", alike > 0.5, f"{alike:.1%} of P1’s links; {linked}"
    often, all_added = sum(count for count in added.values() if count > 1), added.total()
    counts = f"{often:,} of {all_added:,}, {share(often, all_added):.1%}"
    yield "IBM adds frequent", often > all_added / 2, counts


def _errors(results: Reproduction) -> Iterator[_Found]:
    errors = [results.comparison.systems[name].errors for name in THE_PAPERS]
    over, under = [each.over for each in errors], [each.under for each in errors]
    shares, drift = ([each.share(kind) for each in errors] for kind in ("under", "drift"))
    yield "over falls", over[0] > over[1] > over[2], _steps(over, ",d")
    yield "under rises", under[0] < under[1], _steps(under, ",d")
    yield "its share rises", shares[0] < shares[1] < shares[2], _steps(shares, ".1%")
    yield "drift rare", max(drift) < RARE, _steps(drift, ".1%")


def _noise(results: Reproduction) -> Iterator[_Found]:
    noisy = results.synthetic.results if results.synthetic else ()
    for words, its in series(noisy).items():
        for name, holds, here in _under_noise(its):
            yield f"{name}, {TARGET_WORDS[words]}", holds, here


def _under_noise(results: Sequence[ConditionResult]) -> Iterator[_Found]:
    """Test the claims about noise, from the lowest level to the highest."""
    some = [result for result in results if result.ratio > 0] or results
    noisy = sorted(some, key=lambda result: result.ratio)
    least, most = noisy[0], noisy[-1]
    fall = {name: most.f1(name) - least.f1(name) for name in THE_PAPERS}
    better = [_better(result.comparison.tests["P1", "D"]) for result in noisy]
    before, after = (result.f1("P1") - result.f1("D") for result in (least, most))
    p2_p1 = most.comparison.tests["P2", "P1"]
    at = f"{least.ratio:.0%} → {most.ratio:.0%}:"
    advantage = f"{at} P1 − D {_signed(before)} → {_signed(after)}"
    yield "D falls", fall["D"] < 0, f"{at} {_decimal(least.f1('D'))} → {_decimal(most.f1('D'))}"
    at_levels = f"significant at {sum(better)} of {len(better)} levels"
    yield "P1 better", all(better), f"{advantage}; {at_levels}"
    yield "P1 less better", after < before, advantage
    falls = ", ".join(f"{name} {_signed(fall[name])}" for name in THE_PAPERS)
    slower = fall["P2"] > fall["P1"] and _better(p2_p1)
    yield "P2 slower", slower, f"{at} {falls}; P2 − P1 at {most.ratio:.0%} {_test(p2_p1)}"


def _sensitivity(results: Reproduction) -> Iterator[_Found]:
    """Test the claims about weights, by the mean F1 of all settings with a weight."""
    chosen = results.tuning.settings[results.tuning.best].weights
    means = {name: marginal(results.tuning, name).mean for name in asdict(chosen)}
    gain = {name: float(mean[-1] - mean[0]) for name, mean in means.items()}
    worst = {name: float(min(np.diff(mean), default=0.0)) for name, mean in means.items()}
    spread = {name: float(np.ptp(mean)) for name, mean in means.items()}

    def listed(values: dict[str, float]) -> str:
        return ", ".join(f"{name} {_signed(value)}" for name, value in values.items())

    from_0_to_1 = "mean F1 from weight 0 to 1:"
    strongest = max(gain, key=gain.__getitem__) == max(worst, key=worst.__getitem__) == "glyph"
    steps = f"{from_0_to_1} {listed(gain)}; in the worst step: {listed(worst)}"
    here = f"{steps}; the setting chosen here has glyph = {chosen.glyph:g}"
    yield "glyph strongest", strongest, here
    most = max(value for name, value in spread.items() if name != "pos")
    others = f"no other weight moves it by more than {_decimal(most)}"
    yield "position worse", -gain["pos"] > most, f"{from_0_to_1} {_signed(gain['pos'])}; {others}"
    little = max(spread["emb"], spread["pinyin"]) < min(spread["glyph"], spread["pos"])
    spreads = ", ".join(f"{name} {_decimal(value)}" for name, value in spread.items())
    yield "others little", little, f"the greatest difference between mean F1: {spreads}"


def _significant(test: PairedTest) -> bool:
    return test.p_randomisation is not None and test.p_randomisation < SIGNIFICANT


def _better(test: PairedTest) -> bool:
    return _significant(test) and test.difference > 0


def _test(test: PairedTest) -> str:
    p = test.p_randomisation
    return f"{_signed(test.difference)}, {'no p' if p is None else f'p {_decimal(p)}'}"


def _steps(numbers: Sequence[float], format: str) -> str:
    return " → ".join(f"{number:{format}}" for number in numbers)


def _signed(number: float) -> str:
    """Format a difference with its sign and no leading zero.

    >>> _signed(0.00171), _signed(-0.0402), _signed(0.0)
    ('+.0017', '−.0402', '.0000')
    """
    digits = _decimal(abs(number))
    sign = "" if float(digits) == 0 else "+" if number > 0 else "−"
    return sign + digits


def _decimal(number: float) -> str:
    """Format a share with four decimals and no leading zero.

    >>> _decimal(0.98462), _decimal(1.0)
    ('.9846', '1.0000')
    """
    return f"{number:.4f}".removeprefix("0")
