from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cijie.corpora.segmentations import read_segmentations, read_to_compare
from cijie.errors import CijieError
from cijie.evaluation.comparison import Comparison, compare
from cijie.viewer.comparison import comparison_data, read_sentences
from cijie.viewer.evidence import read_evidence
from cijie.viewer.pages import render_data, render_page

from learners import SENTENCES, SYSTEMS, dump


@pytest.fixture(scope="module")
def packed(corpus: Path) -> tuple[Comparison, dict[str, Any]]:
    gold, files = read_to_compare(corpus / "gold.jsonl", [corpus / f"{x}.jsonl" for x in SYSTEMS])
    systems = dict(zip(SYSTEMS, files, strict=True))
    comparison = compare(gold, systems, trials=9)
    sentences = read_sentences(gold, gold, systems, {})
    return comparison, comparison_data(comparison, sentences, title="test")


def test_what_is_counted_adds_up(packed: tuple[Comparison, dict[str, Any]]) -> None:
    comparison, data = packed
    patterns = data["patterns"]
    tokens: Counter[str] = Counter()
    contested: Counter[str] = Counter()
    kinds: Counter[tuple[int, str]] = Counter()
    for sentence in data["sentences"]:
        tokens.update(patterns[k] for k in sentence.get("tokens", [])[1::2])
        contested.update(patterns[k] for k in sentence.get("contested", [])[2::3])
        for system, regions in enumerate(sentence.get("regions", [])):
            kinds.update((system, data["errors"][kind]) for kind in regions[2::4])
    assert contested == comparison.contested_patterns
    assert tokens == comparison.token_patterns - Counter(ggg=10**6)
    for k, evaluation in enumerate(comparison.systems.values()):
        for kind in data["errors"]:
            assert kinds[k, kind] == getattr(evaluation.errors, kind)


def test_the_same_bytes_again(packed: tuple[Comparison, dict[str, Any]], corpus: Path) -> None:
    _, data = packed
    gold, files = read_to_compare(corpus / "gold.jsonl", [corpus / f"{x}.jsonl" for x in SYSTEMS])
    systems = dict(zip(SYSTEMS, files, strict=True))
    comparison = compare(gold, systems, trials=9)
    again = comparison_data(comparison, read_sentences(gold, gold, systems, {}), title="test")
    assert render_page("view", again) == render_page("view", data)
    assert render_data(again) == render_data(data)


def test_equal_words_are_packed_once(packed: tuple[Comparison, dict[str, Any]]) -> None:
    by_id = {sentence["id"]: sentence for sentence in packed[1]["sentences"]}
    assert list(by_id) == list(SENTENCES)
    assert by_id["right"]["words"] == [0, 0, 0]
    assert by_id["1"]["words"] == ["ababaa", 1, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"target": 1}, "'target' is not a string"),
        ({"target_tokens": [[0, 9]]}, "out of range"),
        ({"changes": [{"at": 9, "kind": "insert", "by": [0, 1]}]}, "beyond the texts"),
        ({"confidences": [0.5, 0.5]}, "2 confidences for 1 words"),
        ({"changes": [{"at": 1}]}, "not a record of cijie"),
        ({"links": [[0, 7, "anchor", None]]}, "a link|reach beyond|not a record"),
    ],
)
def test_evidence_that_does_not_fit(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    record = {"id": "a", "source": "好的", "target": "好", "tokens": [[0, 2]], "links": []}
    path = dump(tmp_path / "x.jsonl", [record | change])
    with pytest.raises(CijieError, match=message) as raised:
        read_evidence(read_segmentations(path), "a")
    assert (raised.value.line, raised.value.id) == (1, "a")
