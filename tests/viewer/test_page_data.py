from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cijie.corpora.segmentations import read_segmentations, read_to_compare
from cijie.errors import CijieError
from cijie.evaluation.comparison import Comparison, compare
from cijie.pictures.reasons import reasons
from cijie.viewer.page_data import page_data
from cijie.viewer.pages import render_data, render_page
from cijie.viewer.systems import System, read_sentences

from learners import SENTENCES, SYSTEMS, dump
from recovered import SUBSTITUTED, recovered

Packed = tuple[Comparison, dict[str, Any]]


def pack(corpus: Path) -> Packed:
    gold, files = read_to_compare(corpus / "gold.jsonl", [corpus / f"{x}.jsonl" for x in SYSTEMS])
    systems = {name: System.of_file(file) for name, file in zip(SYSTEMS, files, strict=True)}
    comparison = compare(gold, {name: each.words for name, each in systems.items()}, trials=9)
    sentences = read_sentences(gold, systems, gold=gold)
    return comparison, page_data(list(SYSTEMS), sentences, title="test", comparison=comparison)


@pytest.fixture(scope="module")
def packed(corpus: Path) -> Packed:
    return pack(corpus)


def test_what_is_counted_adds_up(packed: Packed) -> None:
    comparison, data = packed
    patterns = data["patterns"]
    tokens: Counter[str] = Counter()
    contested: Counter[str] = Counter()
    kinds: Counter[tuple[int, str]] = Counter()
    for sentence in data["sentences"]:
        tokens.update(patterns[k] for k in sentence.get("tokens", [])[1::2])
        contested.update(patterns[k] for k in sentence.get("contested", [])[2::4])
        for system, regions in enumerate(sentence.get("regions", [])):
            kinds.update((system, data["errors"][kind]) for kind in regions[2::4])
    assert contested == comparison.contested_patterns
    assert tokens == comparison.token_patterns - Counter(ggg=10**6)
    for k, evaluation in enumerate(comparison.systems.values()):
        for kind in data["errors"]:
            assert kinds[k, kind] == getattr(evaluation.errors, kind)


def test_the_same_bytes_again(packed: Packed, corpus: Path) -> None:
    _, again = pack(corpus)
    assert render_page("view", again) == render_page("view", packed[1])
    assert render_data(again) == render_data(packed[1])


def test_equal_words_are_packed_once(packed: Packed) -> None:
    by_id = {sentence["id"]: sentence for sentence in packed[1]["sentences"]}
    assert list(by_id) == list(SENTENCES)
    assert by_id["right"]["words"] == [0, 0, 0]
    assert by_id["1"]["words"] == ["ababaa", 1, 0]


def test_without_gold_systems_are_in_groups() -> None:
    by_method = {name: recovered(*SUBSTITUTED, name) for name in ("direct", "p1", "p2", "p3")}
    systems = {name: System.of_recoveries({"1": each}) for name, each in by_method.items()}
    data = page_data(list(systems), read_sentences(["1"], systems), title="test")
    assert data["summary"] is None
    assert data["patterns"] == ["aabb"]
    [sentence] = data["sentences"]
    assert sentence["contested"] == [4, 7, 0, 4]  # an edit of the type S touches it
    assert [type(words) for words in sentence["words"]] == [str, int, str, int]
    assert sentence["words"][1::2] == [1, 3]


def test_reasons_are_packed() -> None:
    recovery = recovered(*SUBSTITUTED)
    [reason] = reasons(recovery)
    system = System.of_recoveries({"1": recovery})
    data = page_data(["p3"], read_sentences(["1"], {"p3": system}), title="test")
    [[target, anchors, links, packed, doubts]] = data["sentences"][0]["evidence"]
    assert (target, anchors) == (0, 0)
    assert links[:2] == [6, 6]
    assert data["means"][links[4]] == "shape"
    assert packed == [[7, 4, 7, 4, 7, reason.confidence, 6]]
    assert doubts == []


def test_what_a_system_started_from() -> None:
    recovery = recovered(*SUBSTITUTED)
    before = System.of_recoveries({"1": recovery}).before()
    assert before is not None
    assert before.words["1"] == recovery.initial
    assert System({"1": recovery.segmentation}, lambda _: None).before() is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": 1}, "target: expected a string"),
        ({"target_tokens": [[0, 9]]}, "out of range"),
        ({"changes": [{"at": 9, "kind": "insert", "by": [0, 1]}]}, "outside the texts"),
        ({"confidences": [0.5, 0.5]}, "2 confidences for 1 words"),
        ({"changes": [{"at": 1}]}, "'kind' is missing"),
        ({"links": [[0, 7, "anchor", None]]}, "a link|reach beyond|not a record"),
    ],
)
def test_evidence_that_does_not_fit(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    record = {"id": "a", "source": "好的", "target": "好", "tokens": [[0, 2]], "links": []}
    path = dump(tmp_path / "x.jsonl", [record | change])
    with pytest.raises(CijieError, match=message) as raised:
        System.of_file(read_segmentations(path)).record("a")
    assert (raised.value.line, raised.value.id) == (1, "a")
