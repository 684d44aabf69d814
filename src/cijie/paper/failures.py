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
from cijie.evaluation.tables import Table
from cijie.paper.reproduction import SYSTEMS, THE_PAPERS, Reproduction
from cijie.recovery.recoverer import Recoverer
from cijie.recovery.sentence import Recovery
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


def _recovered(example: Example, method: Method, rule: JoinRule) -> Recovery:
    recoverer = Recoverer(list, method, join_rule=None if method == "direct" else rule)
    source, target = (words.replace(" ", "") for words in (example.initial, example.target))
    return recoverer.recover(
        source, target, source_tokens=example.initial.split(), target_tokens=example.target.split()
    )
