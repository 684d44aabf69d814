"""Show where projection fails: in worked examples, the paper's sentences and the run's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import get_args

import orjson

from cijie.choices import JoinRule, Method
from cijie.corpora.segmentations import source_checksum
from cijie.evaluation.regions import differing_regions
from cijie.evaluation.tables import Table
from cijie.paper.reproduction import SYSTEMS, THE_PAPERS, Reproduction
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery
from cijie.text.segmentation import Segmentation, Span
from cijie.viewer.render import render


@dataclass(frozen=True, slots=True)
class Example:
    """A failure in a sentence of our own, with given words.

    Attributes:
        name: the corresponding failure in the paper's appendix.
        initial: the initial words of the source, separated by white space.
        target: the words of the target.
        gold: the correct words of the source.
        why: an explanation of the failure.
    """

    name: str
    initial: str
    target: str
    gold: str
    why: str


APPENDIX = {"460": "4efe407120ac6c2d", "41": "001b280e2106cd75", "68": "1b0128ad0ddb3b74"}
"""The sentences of the paper's worked failures, by their ids in MuCGEC's development set, each with
the checksum of its source."""


def examples() -> list[Example]:
    """Read the examples: the patterns of the paper's three worked failures, and one more."""
    return [Example(**x) for x in orjson.loads((files(__package__) / "examples.json").read_bytes())]


def failure_tables(results: Reproduction) -> Iterator[Table]:
    """Yield tables of the worked examples, the paper's sentences (if given) and the run's."""
    yield from example_tables()
    if appendix := appendix_table(results):
        yield appendix
    yield broken_table(results)


def example_tables() -> Iterator[Table]:
    """Yield a table per example, under each join rule; its words are given, not segmented."""
    rules = get_args(JoinRule)
    for number, example in enumerate(examples(), start=1):
        made = {
            name: [str(_recovered(example, SYSTEMS[name], rule)) for rule in rules]
            for name in THE_PAPERS
        }
        outcomes = (
            " ".join("g" if words == example.gold else "b" for words in column)
            for column in zip(*made.values(), strict=True)
        )
        yield Table(
            f"example-{number}",
            f"{example.name}, in a sentence of our own with given words. "
            f"T is {example.target}: {example.why}",
            "system",
            dict.fromkeys(rules, ""),
            [
                ("gold", *[example.gold] * len(rules)),
                *((name, *words) for name, words in made.items()),
                ("right (g) or wrong (b)", *outcomes),
            ],
        )


def example_figure(signature: str) -> bytes:
    """Draw the examples with their links as SVG: under the loosest rule, P2 also by default."""
    shown: tuple[tuple[str, JoinRule], ...] = (
        ("P1", "endpoints"),
        ("P2", "endpoints"),
        ("P2", "equal-length"),
    )
    pictures = [
        {f"{name}, {rule}": _recovered(example, SYSTEMS[name], rule) for name, rule in shown}
        for example in examples()
    ]
    picture = render(pictures, style="light")
    metadata = f"</title>\n<metadata>{escape(signature)}</metadata>"
    return picture.replace("</title>", metadata, 1).encode()


def appendix_table(results: Reproduction) -> Table | None:
    """Build the table of the paper's own examples, or None if the pairs do not have them."""
    gold = {case.id: case.segmentation for case in results.cases}
    rows = []
    for id, checksum in APPENDIX.items():
        direct = results.recoveries["D"].get(id)
        if direct is None or source_checksum(direct.source) != checksum:
            continue
        rows.append((f"{id}, target", str(direct.target_segmentation)))
        if id in gold:
            rows.append((f"{id}, gold", str(gold[id])))
        rows += [(f"{id}, {name}", str(results.recoveries[name][id])) for name in THE_PAPERS]
    caption = "The sentences of the paper's three worked failures, as they come out here"
    return Table("appendix", caption, "id and system", {"words": ""}, rows) if rows else None


def broken_table(results: Reproduction) -> Table:
    """Build the table of regions that direct segmentation has right and P2 has wrong."""
    rows = []
    for case in results.cases:
        systems = [results.recoveries[name][case.id] for name in THE_PAPERS]
        found = _broken(case.segmentation, *(each.segmentation for each in systems))
        for number, ((start, end), words) in enumerate(found, start=1):
            why = [str(each) for each in systems[-1].changes if start < each.at < end]
            label = case.id if number == 1 else f"{case.id} ({number})"
            rows.append((label, *words, "; ".join(why)))
    columns = dict.fromkeys(("gold", *THE_PAPERS, "what P2 does"), "")
    caption = f"Regions that D segments like gold and P2 does not: {len(rows):,}"
    return Table("broken", caption, "id", columns, rows)


def _recovered(example: Example, method: Method, rule: JoinRule) -> Recovery:
    recoverer = Recoverer(list, method, join_rule=None if method == "direct" else rule)
    source, target = (words.replace(" ", "") for words in (example.initial, example.target))
    return recoverer.recover(
        source, target, source_tokens=example.initial.split(), target_tokens=example.target.split()
    )


def _broken(*segmentations: Segmentation) -> Iterator[tuple[Span, list[str]]]:
    """Yield regions in which D is right and P2 wrong, with the words of gold, D, P1 and P2."""
    for span, _ in differing_regions(*segmentations):
        gold, direct, p1, p2 = (_words_in(each, span) for each in segmentations)
        if direct == gold != p2:
            yield span, [gold, direct, p1, p2]


def _words_in(segmentation: Segmentation, span: Span) -> str:
    start, end = span
    spans = [each for each in segmentation.spans if start <= each[0] < end]
    return " ".join(segmentation.text[a:b] for a, b in spans)
