from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cijie.corpora.segmentations import read_segmentations, read_to_compare
from cijie.errors import CijieError
from cijie.evaluation.comparison import Comparison, compare
from cijie.evaluation.counts import KINDS
from cijie.pictures.reasons import reasons
from cijie.viewer.page_data import page_data
from cijie.viewer.pages import render_data, render_page
from cijie.viewer.shown import known_of, side_by_side

from learners import SENTENCES, SYSTEMS, dump
from recovered import SUBSTITUTED, recovered

Shown = tuple[Comparison, dict[str, Any]]


def show(corpus: Path) -> Shown:
    gold, files = read_to_compare(corpus / "gold.jsonl", [corpus / f"{x}.jsonl" for x in SYSTEMS])
    systems = dict(zip(SYSTEMS, files, strict=True))
    comparison = compare(gold, systems, trials=9)
    sentences = side_by_side(gold, systems, gold=gold)
    return comparison, page_data(list(SYSTEMS), sentences, title="test", comparison=comparison)


@pytest.fixture(scope="module")
def shown(corpus: Path) -> Shown:
    return show(corpus)


def test_what_is_counted_adds_up(shown: Shown) -> None:
    comparison, data = shown
    tokens: Counter[str] = Counter()
    contested: Counter[str] = Counter()
    kinds: Counter[tuple[int, str]] = Counter()
    for sentence in data["sentences"]:
        tokens.update(pattern for _, pattern in sentence.get("tokens", []))
        contested.update(pattern for _, _, pattern, _ in sentence.get("contested", []))
        for _, _, kind, _, erring in sentence.get("errors", []):
            kinds.update((system, kind) for system in erring)
    assert contested == comparison.contested_patterns
    assert tokens == comparison.token_patterns - Counter(ggg=10**6)
    for k, evaluation in enumerate(comparison.systems.values()):
        for kind in KINDS:
            assert kinds[k, kind] == getattr(evaluation.errors, kind)


def test_the_same_bytes_again(shown: Shown, corpus: Path) -> None:
    _, again = show(corpus)
    assert render_page("view", again) == render_page("view", shown[1])
    assert render_data(again) == render_data(shown[1])


def test_equal_words_are_there_once(shown: Shown) -> None:
    by_id = {sentence["id"]: sentence for sentence in shown[1]["sentences"]}
    assert list(by_id) == list(SENTENCES)
    assert by_id["right"]["systems"] == [0, 0, 0]
    assert by_id["1"]["words"] == [[1, 2, 1, 3, 1], [1, 2, 1, 2, 1, 1]]
    assert by_id["1"]["systems"] == [1, 1, 0]


def test_without_gold_systems_are_in_groups() -> None:
    methods = ("direct", "p1", "p2", "p3")
    systems = {name: {"1": recovered(*SUBSTITUTED, name)} for name in methods}
    data = page_data(list(systems), side_by_side(["1"], systems), title="test")
    assert data["summary"] is None
    [sentence] = data["sentences"]
    assert sentence["contested"] == [(4, 7, "aabb", "S")]  # such an edit touches it
    assert sentence["systems"] == [0, 0, 1, 1]


def test_reasons_are_told() -> None:
    recovery = recovered(*SUBSTITUTED)
    [reason] = reasons(recovery)
    data = page_data(["p3"], side_by_side(["1"], {"p3": {"1": recovery}}), title="test")
    [sentence] = data["sentences"]
    assert (data["systems"], data["variant"]) == (["initial", "p3"], "changed")
    before, evidence = sentence["evidence"]
    assert before is None
    [link] = evidence["links"]
    assert link[:2] == (6, 6)
    assert evidence.keys() == {"links"}
    assert link[4:] == ("shape", 0.89)
    assert sentence["sure"] == recovery.confidence
    [told] = sentence["reasons"]
    assert (told["at"], told["kind"], told["systems"]) == ((6,), "joined", [1])
    assert told["why"] == [
        "旅行困 is one word, because 旅行团 is, and 困 looks like 团 (similarity .89).",
        "“旅行困”是一个词，因为“旅行团”是一个词，且“困”形似“团”（相似度 .89）。",
    ]
    assert told["sure"] == [reason.sure(), reason.sure("zh")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": 1}, "target: expected a string"),
        ({"target_tokens": [[0, 9]]}, "out of range"),
        ({"changes": [{"at": 9, "kind": "insert", "by": [0, 1]}]}, "outside the texts"),
        ({"changes": [{"at": 1}]}, "'kind' is missing"),
        ({"links": [[0, 7, "anchor", None]]}, "out of range"),
    ],
)
def test_evidence_that_does_not_fit(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    record = {"id": "a", "source": "好的", "target": "好", "tokens": [[0, 2]], "links": []}
    path = dump(tmp_path / "x.jsonl", [record | change])
    with pytest.raises(CijieError, match=message) as raised:
        known_of(read_segmentations(path), "a")
    assert (raised.value.line, raised.value.id) == (1, "a")
